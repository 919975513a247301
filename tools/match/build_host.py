"""What build.sh runs: games of my_player3.py against the random player, as the course's host plays them.

Runs on Python 3.7 with the standard library alone. Both players share one work folder, as with the course's own
build.sh; it is a fresh one, so that nothing is left behind.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile

from rules.position import BLACK, WHITE
from rules.ruleset import LITTLE_GO
from tools.match.host import our_player, role_player
from tools.match.referee import COLOURS, Game, GameRecord


def play(colour: int, seed: int, folder: str) -> GameRecord:
    """Play one game, ours having the colour."""
    ours, other = our_player(folder), role_player("random", seed, folder)
    try:
        return Game((ours, other) if colour == BLACK else (other, ours), LITTLE_GO, seed=seed).play()
    finally:
        ours.close()
        other.close()


def report(number: int, colour: int, record: GameRecord) -> str:
    """Return one line on a game."""
    result = "tie" if record.winner == 0 else "won" if record.winner == colour else "lost"
    by = "" if record.fault else f" by {abs(record.lead2) / 2:g}"
    return f"Game {number:2}  my_player3 is {COLOURS[colour]}: {result}{by} ({record.why})"


def summary(played: list) -> str:
    """Return the two lines that students know; played: list of (colour, GameRecord)."""
    lines = ["", "Summary"]
    for colour in (BLACK, WHITE):
        winners = [record.winner for ours, record in played if ours == colour]
        won, tied = winners.count(colour), winners.count(0)
        lost = len(winners) - won - tied
        lines.append(f"my_player3 as {COLOURS[colour]} | Win: {won} | Lose: {lost} | Tie: {tied}")
    return "\n".join(lines)


def main(argv: list | None = None) -> int:
    """Play the games and print each result and the summary; return 1 if ours lost one by a fault."""
    parser = argparse.ArgumentParser(prog="build.sh", description="Play my_player3.py against the random player.")
    parser.add_argument("--games", type=int, default=10, help="games, colours alternating (default: 10)")
    parser.add_argument("--seed", type=int, help="replay the random player's choices (default: new ones each time)")
    args = parser.parse_args(argv)
    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(10**6)
    print(f"Python {sys.version.split()[0]}, seed {seed}", flush=True)
    folder = tempfile.mkdtemp(prefix="littlego-build-")
    played = []
    try:
        for number in range(1, args.games + 1):
            colour = BLACK if number % 2 else WHITE
            played.append((colour, play(colour, seed + number, folder)))
            print(report(number, *played[-1]), flush=True)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(summary(played))
    return 1 if any(record.fault == colour for colour, record in played) else 0


if __name__ == "__main__":
    sys.exit(main())
