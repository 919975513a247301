"""Play one turn of Little-Go: read input.txt, write output.txt, both in the current directory."""

import gc
import sys

try:  # end at once: to take down what the system frees anyway costs a tenth of a turn
    from posix import _exit as leave
except ImportError:
    from sys import exit as leave  # type: ignore[assignment]


def give_up(fault: Exception) -> int:
    """Write PASS without any other module; return the exit status. Short, since each turn pays for its compilation."""
    import os

    new = "output.txt.tmp"
    fault.__traceback__ = None  # and what it holds is free: there may be no memory left
    try:
        if os.path.lexists(new):
            os.unlink(new)
        with open(new, "xb") as file:  # never through a link, never into a pipe
            file.write(b"PASS\n")
        os.replace(new, "output.txt")
    except Exception as error:
        fault = error
    print("my_player3: %s; passing" % fault, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    gc.disable()  # a turn makes no garbage to speak of; looking for it costs a twentieth
    try:
        try:
            from rules.turn import play_beside
        except ImportError:  # under PYTHONSAFEPATH, -I or -P Python does not look beside the program
            from os.path import dirname, realpath

            sys.path.insert(0, dirname(realpath(__file__)))
            from rules.turn import play_beside
        status = play_beside(__file__)
    except Exception as error:  # a module of rules/ is missing or damaged, or there is no memory for it
        try:
            from rules.last_resort import play_on

            status = play_on(error)
        except Exception:
            status = give_up(error)
    leave(status)
