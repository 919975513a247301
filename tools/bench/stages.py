"""The child that takes one turn apart. Runs on Python 3.7, with the handed-in modules beside it, on input.txt.

Called as `python -S -E stages.py FOLDER`; prints the CPU milliseconds of each stage in the order of STAGES.
"""

import sys

STAGES = ("import", "load", "read", "decide", "write")


def main(folder):
    """Play one turn stage by stage, and print what each stage took."""
    from time import process_time

    sys.path.insert(0, folder)
    marks = [process_time()]
    import littlego_turn as turn

    marks.append(process_time())
    book = turn.patternfile.load(folder + "/patterns.txt", turn.LITTLE_GO)
    overrides = turn.overrides_at(folder + "/overrides.txt")
    marks.append(process_time())
    with open(turn.INPUT, "rb") as file:
        colour, previous, current = turn.parse_input(file.read(), turn.LITTLE_GO.size)
    counts = turn.read_counts(turn.COUNTS)
    made = turn.moves_made(colour, previous, current, counts, turn.LITTLE_GO.length)
    position = turn.from_boards(turn.LITTLE_GO, previous, current, colour, turn.LITTLE_GO.length - made)
    marks.append(process_time())
    move = turn.decide(position, book, overrides=overrides).move
    marks.append(process_time())
    turn.write_whole(turn.OUTPUT, "PASS\n" if move == turn.PASS else "{},{}\n".format(*divmod(move, 5)))
    turn.write_counts(turn.COUNTS, counts)
    marks.append(process_time())
    print(*["%.4f" % (1000 * (marks[index + 1] - marks[index])) for index in range(len(STAGES))])


if __name__ == "__main__":
    main(sys.argv[1])
