"""Large boards: the same engine with planes instead of placements, a chain table, and facts of a whole-board game.

Little-Go's turn imports nothing of it, and what is handed in has none of it.
"""
