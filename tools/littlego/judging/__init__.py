"""Pattern judging: the effect of patterns on decisions in corpora of named positions of either game."""
