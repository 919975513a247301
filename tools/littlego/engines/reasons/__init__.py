"""Why a move is played rather than another: what patterns bring to each, and which of them make the difference."""
