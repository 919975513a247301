"""The judging of patterns: their effect on decisions, measured on corpora of named positions of either game."""
