"""Learning from positions and games.

The package contains the labelling of positions, the mining of patterns, and the fitting and tuning of points.
"""
