"""Play one turn of Little-Go: read input.txt, write output.txt, both in the current directory."""

import gc
import sys

try:  # end at once: to take down what the system frees anyway costs a tenth of a turn
    from posix import _exit as leave
    from posix import readlink
except ImportError:
    from os import readlink
    from sys import exit as leave  # type: ignore[assignment]


def home() -> str:
    """Return the folder of this file, links to it followed; os.path would cost more than the rest of the start."""
    path = __file__
    while True:
        cut = max(path.rfind("/"), path.rfind("\\") if sys.platform == "win32" else -1)
        folder = path[: cut + 1]
        try:
            target = readlink(path)
        except OSError:  # no link
            return folder
        path = target if target[:1] == "/" else folder + target


if __name__ == "__main__":
    gc.disable()  # a turn makes no garbage to speak of; looking for it costs a twentieth
    try:
        from rules.turn import play_turn
    except ImportError:  # under PYTHONSAFEPATH, -I or -P Python does not look beside the program
        sys.path.insert(0, home() or ".")
        from rules.turn import play_turn

    here = home()
    leave(play_turn(here + "patterns.txt", here + "overrides.txt"))
