"""The submission: a flat copy of the player's sources, and the proof that it makes the same moves."""
