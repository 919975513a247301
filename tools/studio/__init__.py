"""The pattern studio: a server on this machine alone, and the page that it shows."""
