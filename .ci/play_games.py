"""Play games of my_player3.py against random moves over input.txt and output.txt.

Runs on any system and Python from 3.7.

    python .ci/play_games.py [GAMES]

Each turn is a process, as on the course's machine, and must answer with the move that the engine chooses in this
process. The script needs the standard library only. It prints the number of turns, or fails at the first other answer.
"""

import os
import platform
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)
from rules.engine import decide  # noqa: E402
from rules.geometry import points_of  # noqa: E402
from rules.patternfile import load  # noqa: E402
from rules.position import BLACK, PASS, WHITE, opening  # noqa: E402
from rules.ruleset import LITTLE_GO  # noqa: E402
from rules.turn import INPUT, OUTPUT, overrides_at  # noqa: E402


def board_text(position):
    """Return the five rows of a position, as input.txt has them."""
    cells = "".join("1" if position.black >> n & 1 else "2" if position.white >> n & 1 else "0" for n in range(25))
    return "".join(cells[start : start + 5] + "\n" for start in range(0, 25, 5))


def play_turn(folder, previous, position):
    """Return the move that my_player3.py writes in a folder."""
    with open(os.path.join(folder, INPUT), "w") as file:
        file.write(f"{position.colour}\n{board_text(previous)}{board_text(position)}")
    subprocess.run([sys.executable, os.path.join(ROOT, "my_player3.py")], cwd=folder, check=True)
    with open(os.path.join(folder, OUTPUT)) as file:
        answer = file.read().strip()
    if answer == "PASS":
        return PASS
    row, column = map(int, answer.split(","))
    return 5 * row + column


def play_game(colour, seed, folder, book, overrides):
    """Play a game with our player as `colour`; return the number of its turns."""
    rng, turns = random.Random(seed), 0
    previous = position = opening(LITTLE_GO)
    while True:
        if position.colour == colour:
            move = play_turn(folder, previous, position)
            expected = decide(position, book, overrides=overrides).move
            assert move == expected, f"turn {position.number}: found {move}, expected {expected}"
            turns += 1
        else:
            move = rng.choice(points_of(position.legal()) or [PASS])
        if position.ends_with(move):
            return turns
        previous, position = position, position.play(move)


def main(games):
    """Play the games, colours alternating, and print the number of turns."""
    book = load(os.path.join(ROOT, "patterns.txt"), LITTLE_GO)
    overrides = overrides_at(os.path.join(ROOT, "overrides.txt"))
    turns = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(games):
            turns += play_game((BLACK, WHITE)[seed % 2], seed, folder, book, overrides)
    overrides.file.close()
    print(f"Python {platform.python_version()}, {platform.system()}: {turns} turns of {games} games")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
