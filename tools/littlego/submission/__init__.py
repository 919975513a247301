"""The submission: a flat folder built from the player's sources, and the proof that it plays the same moves."""
