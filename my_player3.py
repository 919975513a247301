"""Play one turn of Little-Go: read input.txt, write output.txt, both in the current directory."""

import gc
import sys

try:  # end at once: to take down what the system frees anyway costs a tenth of a turn
    from posix import _exit as leave
    from posix import replace, unlink
except ImportError:
    from os import replace, unlink
    from sys import exit as leave  # type: ignore[assignment]


def discard(name: str) -> None:
    """Remove a file, if it is there."""
    try:
        unlink(name)
    except Exception:
        pass


def give_up(error: Exception) -> int:
    """Write PASS, with nothing but what Python has built in; return the exit status."""
    new = "output.txt.tmp"
    error.__traceback__ = None  # and what it holds is free: there may be no memory left
    said = "passing"
    discard(new)
    try:
        with open(new, "xb") as file:  # never through a link, never into a pipe
            file.write(b"PASS\n")
        replace(new, "output.txt")
    except Exception as fault:
        discard(new)
        said = "output.txt: %s" % fault
    try:
        sys.stderr.write("my_player3: %s: %s; %s\n" % (type(error).__name__, error, said))
        sys.stderr.flush()
    except Exception:  # nobody listens
        pass
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
        except Exception:  # all of rules/ is missing, say
            status = give_up(error)
    leave(status)
