"""The submission: a flat copy of the player's sources, and the proof that its moves are the same."""
