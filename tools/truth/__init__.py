"""What the solver says of the player: labelled positions, grades of patterns, mined patterns, and the proof."""
