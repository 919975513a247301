"""Exact values of Little-Go positions under best play: winner, winning moves and final lead."""
