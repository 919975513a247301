"""Explanations of decisions: the reasons for the player's move and against other moves."""
