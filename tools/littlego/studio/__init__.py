"""The pattern studio: its server, which listens on this machine only, its worker processes and its page."""
