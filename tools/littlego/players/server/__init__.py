"""Matches between programs over WebSockets.

The server is `littlego serve`, and the client is `littlego join`.
"""
