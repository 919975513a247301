"""What we know of a game, written into its SGF as other programs show it: the command `annotate`."""
