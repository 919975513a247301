"""Patterns and points from positions and games: mining, fitting, tuning, and the labels they start from."""
