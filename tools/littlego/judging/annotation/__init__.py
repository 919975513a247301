"""Annotations of a game in its SGF for other programs: the command `annotate`."""
