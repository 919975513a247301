"""Matches between programs over WebSockets: the server `littlego serve` and the client `littlego join`."""
