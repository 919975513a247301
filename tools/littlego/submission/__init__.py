"""The submission: a flat folder of the player's sources, and the proof that it plays the same moves."""
