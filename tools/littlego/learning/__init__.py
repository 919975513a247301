"""Learning from positions and games: labelling of positions, mining of patterns, fitting and tuning of points."""
