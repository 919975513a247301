"""The submission: a flat folder with the player's sources, and the proof that this copy makes the same moves."""
