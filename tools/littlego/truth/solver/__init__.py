"""Exact values: who wins a position of Little-Go under best play, with which moves, and by how much."""
