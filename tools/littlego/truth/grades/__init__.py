"""Grades of the player and of each pattern, measured on solved positions."""
