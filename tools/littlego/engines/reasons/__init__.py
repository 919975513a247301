"""Reasons for decisions: the contribution of each pattern to each move, and the deciding patterns."""
