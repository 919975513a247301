"""Learning from positions and games: mining of patterns, fitting and tuning of points, and labelling."""
