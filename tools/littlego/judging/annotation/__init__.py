"""Annotations in a game's SGF, for use in other programs: the command `annotate`."""
