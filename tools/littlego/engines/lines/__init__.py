"""Lines of play: the moves that facts read ahead."""
