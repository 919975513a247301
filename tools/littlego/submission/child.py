"""A child process that runs the submitted modules for `littlego submit` and `littlego dev bench`.

    python -I -S child.py decide FOLDER     for each turn on standard input (see turns.Given.line), print the move and
                                            its CPU time in ms; then print the paths of the imported modules
    python -S -E child.py stages FOLDER     play the turn in input.txt of the working folder, and print the CPU time of
                                            each stage in ms, in the order of STAGES

FOLDER contains the submitted files. The script must run under Python 3.7. It imports only sys and time before the
measured modules, so that the times of the stages include all other imports.
"""

import sys
from time import process_time

STAGES = ("import", "load", "read", "decide", "write")


def decide_turns(folder: str) -> None:
    """Decide every turn on standard input, and print each move and its CPU time.

    Then print the paths of the submission's imported modules, separated by tabs.
    """
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    from littlego_engine import decide  # type: ignore[import-not-found]
    from littlego_patternfile import load  # type: ignore[import-not-found]
    from littlego_position import from_boards  # type: ignore[import-not-found]
    from littlego_ruleset import LITTLE_GO  # type: ignore[import-not-found]
    from littlego_turn import overrides_at  # type: ignore[import-not-found]

    book = load(folder + "/patterns.txt")
    overrides = overrides_at(folder + "/overrides.txt")
    for line in sys.stdin:
        colour, black0, white0, black, white, left = map(int, line.split())
        position = from_boards(LITTLE_GO, (black0, white0), (black, white), colour, left)
        started = process_time()
        move = decide(position, book, overrides=overrides).move
        print(move, "%.3f" % (1000 * (process_time() - started)))
    print(
        *sorted(str(module.__file__) for name, module in sys.modules.items() if name.startswith("littlego_")), sep="\t"
    )


def play_by_stages(folder: str) -> None:
    """Play one turn, and print the CPU time of each stage."""
    sys.path.insert(0, folder)
    marks = [process_time()]
    import littlego_turn as turn
    from littlego_engine import decide
    from littlego_patternfile import load

    marks.append(process_time())
    book = load(folder + "/patterns.txt", turn.LITTLE_GO)
    overrides = turn.overrides_at(folder + "/overrides.txt")
    marks.append(process_time())
    with open(turn.INPUT, "rb") as file:
        colour, previous, current = turn.parse_input(file.read(), turn.LITTLE_GO.size)
    counts = turn.read_counts(turn.COUNTS)
    position = turn.positions_seen(turn.LITTLE_GO, colour, previous, current, counts)[0]
    marks.append(process_time())
    move = decide(position, book, overrides=overrides).move
    marks.append(process_time())
    turn.write_whole(turn.OUTPUT, "PASS\n" if move == turn.PASS else "{},{}\n".format(*divmod(move, 5)))
    turn.write_counts(turn.COUNTS, counts)
    marks.append(process_time())
    print(*["%.4f" % (1000 * (marks[index + 1] - marks[index])) for index in range(len(STAGES))])


if __name__ == "__main__":
    {"decide": decide_turns, "stages": play_by_stages}[sys.argv[1]](sys.argv[2])
