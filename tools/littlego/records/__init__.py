"""Games and positions as files: SGF, JSON, packed games, and the recorded data of the project."""
