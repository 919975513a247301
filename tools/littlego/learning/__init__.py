"""Learning from positions and games: labelling, mining of patterns, and fitting and tuning of points."""
