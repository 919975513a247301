"""The submission: a flat copy of the player's sources, and the proof that the copy plays like the original."""
