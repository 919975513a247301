"""What is handed in: the player as a flat folder, made from the same sources, and the proof that it is the same."""
