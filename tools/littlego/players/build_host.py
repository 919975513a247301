"""The program that build.sh runs to play games between my_player3.py and the random player.

The games follow the course host's rules. This module runs on Python 3.7 with the standard library alone. Both players
share one work folder, as in the course's own build.sh. The folder is temporary: no files remain after the games.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import sys
import tempfile

from littlego.match.host import our_player, role_player
from littlego.match.referee import COLOURS, GameRecord, Player
from littlego.match.series import Pairing, colour_of, play_game, tally
from littlego.players.show import watch_game
from littlego.printable import printable_output
from littlego.scratch import prefix
from littlego.startup import drop_output, find_missing_interpreter, open_closed_streams

OURS, OTHER = "my_player3", "random"


def plan_games(games: int, seed: int) -> list[Pairing]:
    """Return the planned games in order. Our player is Black in the first game; then the colours alternate."""
    players = [(OURS, OTHER), (OTHER, OURS)]
    return [Pairing(number, *players[number % 2], seed + number + 1) for number in range(games)]


def play(game: Pairing, folder: str, drawn: bool) -> GameRecord:
    """Play one game in a folder; return its record. drawn: whether to print the moves with reasons and boards."""

    def make(name: str, game: Pairing) -> Player:
        return our_player(folder) if name == OURS else role_player(name, game.seed, folder)

    return play_game(game, make, watch_game((game.black, game.white)) if drawn else None)


def result_line(game: Pairing, record: GameRecord) -> str:
    """Return the result of a game as a line of text."""
    colour = colour_of(game, True)
    result = "tie" if record.winner == 0 else "won" if record.winner == colour else "lost"
    by = "" if record.fault else f" by {abs(record.lead2) / 2:g}"
    return f"Game {game.number + 1:2}  {OURS} is {COLOURS[colour]}: {result}{by} ({record.why})"


def summary(played: list[tuple[Pairing, GameRecord]]) -> str:
    """Return the summary, as printed by the course's build.sh: a heading and one line per colour."""
    lines = [
        f"{OURS} as {COLOURS[colour]} | Win: {own.wins} | Lose: {own.games - own.wins - own.ties} | Tie: {own.ties}"
        for colour, own in tally(played, True).items()
    ]
    return "\n".join(["", "Summary", *lines])


@printable_output()
def main(argv: list[str] | None = None) -> int:
    """Play the games and print their results; return 1 if our player lost a game through a fault, else 0."""
    parser = argparse.ArgumentParser(
        prog="build.sh",
        description="Play my_player3.py against the random player. Show the first game move by move with the reasons, "
        "then one line per game and a summary.",
    )
    parser.add_argument("--games", type=int, default=10, help="number of games, with alternating colours (default: 10)")
    parser.add_argument("--seed", type=int, help="seed of the random player (default: a new seed each time)")
    parser.add_argument("--brief", action="store_true", help="print the first game as one line, like the other games")
    args = parser.parse_args(argv)
    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(10**6)
    print(f"Python {sys.version.split()[0]}, seed {seed}", flush=True)
    folder = tempfile.mkdtemp(prefix=prefix("build"))
    played: list[tuple[Pairing, GameRecord]] = []
    try:
        for game in plan_games(args.games, seed):
            drawn = game.number == 0 and not args.brief
            if drawn:
                print(f"\nGame 1, move by move: {game.black} is Black (X), {game.white} is White (O).", flush=True)
            played.append((game, play(game, folder, drawn)))
            print("\n" * drawn + result_line(*played[-1]), flush=True)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(summary(played))
    return 1 if any(record.fault == colour_of(game, True) for game, record in played) else 0


if __name__ == "__main__":
    open_closed_streams()
    if find_missing_interpreter():
        sys.exit("build.sh: " + find_missing_interpreter())
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader closed the pipe, as in `sh build.sh | head`
        drop_output()
        status = 128 + signal.SIGPIPE
    sys.exit(status)
