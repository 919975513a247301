"""Play one turn of Little-Go: read input.txt, write output.txt, both in the current directory."""

import gc
import sys

try:  # end at once: to take down what the system frees anyway costs a tenth of a turn
    from posix import _exit as leave
except ImportError:
    from sys import exit as leave


def beside(name):
    """Return the path of a file next to this one; os.path would cost more than the rest of the start."""
    cut = max(__file__.rfind("/"), __file__.rfind("\\") if sys.platform == "win32" else -1)
    return __file__[: cut + 1] + name


if __name__ == "__main__":
    gc.disable()  # a turn makes no garbage to speak of; looking for it costs a twentieth
    from rules.turn import play_turn

    leave(play_turn(beside("patterns.txt")))
