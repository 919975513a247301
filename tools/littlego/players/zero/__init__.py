"""The learning player: its network with integer weights and its tree search."""
