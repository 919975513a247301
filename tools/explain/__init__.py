"""Why the player moves as it does, why not elsewhere, and a pattern made from a position."""
