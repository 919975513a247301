"""Large boards: the engine with planes for placements, chains looked up, and facts of a whole-board game."""
