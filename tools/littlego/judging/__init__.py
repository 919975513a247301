"""Judging: the effect of patterns on decisions, measured on corpora of named positions of either game."""
