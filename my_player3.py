"""Play one turn of Little-Go: read input.txt, write output.txt, both in the current directory."""

import sys

from rules.turn import play_turn


def beside(name):
    """Return the path of a file next to this one; os.path would cost more than the rest of the start."""
    cut = max(__file__.rfind("/"), __file__.rfind("\\") if sys.platform == "win32" else -1)
    return __file__[: cut + 1] + name


if __name__ == "__main__":
    sys.exit(play_turn(beside("patterns.txt")))
