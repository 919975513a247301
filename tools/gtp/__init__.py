"""The engine behind the Go Text Protocol: `littlego gtp`."""
