"""Positions with what the solver knows of their moves, gathered and kept; and what they say of a decision."""
