"""The pattern studio: the HTTP server for this machine, the worker processes and the page."""
