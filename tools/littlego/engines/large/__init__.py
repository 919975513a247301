"""The engine for large boards: placements as planes, chain tables, and facts about the whole board."""
