"""The engine for large boards: planes for placements, chain tables, facts of a whole-board game."""
