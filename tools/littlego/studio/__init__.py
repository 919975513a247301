"""The pattern studio: its server, reachable from this machine only, its worker processes and its page."""
