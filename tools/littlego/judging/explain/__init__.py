"""Why the player moves as it does, and why not elsewhere."""
