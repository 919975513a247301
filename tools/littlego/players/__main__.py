"""A program that plays one turn as a built-in opponent (a role) or as the learning player.

This module runs on Python 3.7.

The program reads input.txt and writes output.txt in the current folder.

Between turns, the program stores the move count, which input.txt does not contain, in ROLE_count.txt.
"""

from __future__ import annotations

import argparse
import sys

from littlego.games.boards import move_text
from littlego.players.roles.table import ROLES, choose
from littlego.players.zero import player as zero
from littlego.rules.position import Position
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import (
    INPUT,
    OUTPUT,
    InputError,
    parse_input,
    positions_seen,
    read_counts,
    write_counts,
    write_whole,
)


def _role(name: str) -> str:
    """Return the name unchanged; raise ValueError unless the name denotes a role or the learning player."""
    if name not in ROLES and name.partition(":")[0] != zero.NAME:
        raise ValueError
    return name


def _choose(role: str, seed: int, position: Position) -> int:
    """Return the move of a role or the learning player. Raise UnavailableError if the learning player cannot play."""
    if role in ROLES:
        return choose(role, seed, position)
    parts = zero.parse_zero(role.partition(":")[2])
    return zero.ZeroPlayer(parts, seed).options(position)[0].move


def main(argv: list[str] | None = None) -> int:
    """Play one turn and return the exit status: `python3 -m littlego.players ROLE --seed N`."""
    parser = argparse.ArgumentParser(
        prog="python3 -m littlego.players",
        description="Play one turn: read the position from input.txt and write the move to output.txt.",
    )
    parser.add_argument(
        "role", type=_role, metavar="ROLE", help=f"{', '.join(sorted(ROLES))}, {zero.NAME}, or {zero.NAME}:K[:FILE]"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the role's random choices (default: 0)")
    args = parser.parse_args(argv)
    counts_path = f"{args.role.partition(':')[0]}_count.txt"
    counts = read_counts(counts_path)
    try:
        with open(INPUT, "rb") as file:
            colour, previous, current = parse_input(file.read(), LITTLE_GO.size)
        positions = positions_seen(LITTLE_GO, colour, previous, current, counts)
        position = positions[0]
        move = _choose(args.role, args.seed, position)
    except (OSError, InputError, zero.UnavailableError) as error:
        print(f"cannot play: {error}", file=sys.stderr)
        return 1
    write_whole(OUTPUT, move_text(move, LITTLE_GO.size))
    after = position.play(move)
    counts[position.colour] = position.number, (after.black, after.white), len(positions) == 1
    write_counts(counts_path, {} if position.ends_with(move) else counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
