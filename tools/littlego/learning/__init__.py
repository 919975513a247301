"""Learning from positions and games.

The package contains the labelling of positions, the mining of patterns, the fitting and tuning of points, and the
training of the player `zero`.
"""
