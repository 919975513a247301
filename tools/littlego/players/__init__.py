"""The players, and the commands `play` and `match`."""
