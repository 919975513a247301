"""The Go Text Protocol: our player as an engine for other programs, and tests of engines."""
