"""The child process of the proof: decide many turns with the handed-in modules alone. Runs on Python 3.7.

Called as `python -I -S trial.py FOLDER`; reads turns (see turns.Given.line) on standard input and prints, for each,
the move and the milliseconds of CPU time that deciding took, then the files that were imported from FOLDER.
"""

import sys
import time


def main(folder: str) -> None:
    """Decide every turn on standard input."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    from littlego_engine import decide
    from littlego_patternfile import load
    from littlego_position import from_boards
    from littlego_ruleset import LITTLE_GO
    from littlego_turn import overrides_at

    book = load(folder + "/patterns.txt")
    overrides = overrides_at(folder + "/overrides.txt")
    for line in sys.stdin:
        colour, black0, white0, black, white, left = map(int, line.split())
        position = from_boards(LITTLE_GO, (black0, white0), (black, white), colour, left)
        started = time.process_time()
        move = decide(position, book, overrides=overrides).move
        print(move, "%.3f" % (1000 * (time.process_time() - started)))
    print(*sorted(module.__file__ for name, module in sys.modules.items() if name.startswith("littlego_")), sep="\t")


if __name__ == "__main__":
    main(sys.argv[1])
