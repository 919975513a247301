"""Learning from positions and games.

The package labels positions, mines patterns, fits and tunes points, and trains the player `zero`.
"""
