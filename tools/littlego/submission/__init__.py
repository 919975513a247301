"""The submission: a flat folder of the player's sources, and the proof that this copy makes the same moves."""
