"""Records with what we know of a game: `littlego annotate`."""
