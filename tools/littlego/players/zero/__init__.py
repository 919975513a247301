"""The learning player: its network on an integer grid and its tree search."""
