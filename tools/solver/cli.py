"""The command `littlego solve`: exact values on the terminal."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from tools.arguments import FINDINGS, FINE, ArgumentError, add_json, complaining, jobs, positive, trying_to
from tools.files import STANDARD_OUTPUT, write_json
from tools.match.inputs import add_position_arguments

LINED = 14  # moves left up to which a best line costs little
DEEP = 20  # moves left from which only the winner is asked for, unless more is
BITS = ((13, 20), (17, 24), (24, 27))  # up to so many moves left, a table of so many bits: 8 MiB, 128 MiB, 1 GiB
LEADS_BITS = 24  # of each of the other tables that an exact lead takes, at most
EPILOG = """
POSITION is a drawn board (rows of X, O and ., coordinates or not), an input.txt, a game as SGF or as the JSON of
`littlego play`, - for standard input, or the code of a position. FILE:12 is a game before its move 12.
With 20 moves left or more only the winner is told, unless --moves asks for more: that can take hours. Ctrl-C stops
a search; with --checkpoint the same command goes on with it.
"""


def add_parsers(subparsers) -> None:
    """Add the command of this room."""
    parser = subparsers.add_parser(
        "solve",
        help="tell who wins a position under best play, and with which moves: exactly",
        description="Tell who wins a position under best play, and with which moves: exactly.",
        epilog=EPILOG,
    )
    parser.add_argument("positions", nargs="*", metavar="POSITION", help="a board, input.txt, game.sgf:MOVE, code or -")
    add_position_arguments(parser)
    parser.add_argument("--previous", metavar="FILE", help="the drawn board before the last move: for a ko or a pass")
    parser.add_argument("--opening", metavar="MOVES", help="the position after these moves: 2,2 or '2,2 1,2'")
    parser.add_argument("--moves", action="store_true", help="tell the winning moves however many moves are left")
    parser.add_argument("--lead", action="store_true", help="tell the exact lead at the end as well")
    parser.add_argument("--line", action="store_true", help=f"show a best line with more than {LINED} moves left too")
    parser.add_argument(
        "--vectors",
        metavar="FILE",
        help="check the solver against known values; lines: LEFT BOARD PREVIOUS WINNER MOVES",
    )
    parser.add_argument("--up-to", type=positive, default=24, metavar="N", help="of the vectors, those with N left")
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="read what is proved from FILE, keep it there")
    parser.add_argument("--memory", type=memory, metavar="GIB", help="GiB for the table (default: 1/128 to 1)")
    parser.add_argument("--jobs", type=positive, default=jobs(), metavar="N", help="threads (default: one a core)")
    add_json(parser)
    parser.set_defaults(run=complaining(run_solve))


def memory(text: str) -> int:
    """Read a size in GiB; return the bits of the largest table that fits."""
    entries = int(float(text) * 2**30) // 8
    if entries < 1 << 14 or entries > 1 << 36:
        raise argparse.ArgumentTypeError(f"expected GiB from 0.001 to 512, found {text}")
    return min(entries.bit_length() - 1, 32)


def bits_for(left: int) -> int:
    """Return the bits of a table that is large enough for so many moves left."""
    return next(bits for most, bits in BITS if left <= most)


def run_solve(args: argparse.Namespace) -> int:
    """Solve what is asked for and print it."""
    if args.vectors:
        return _check_vectors(args)
    return _solve(args)


def _solve(args: argparse.Namespace) -> int:
    from tools.solver.asked import positions_asked

    positions = positions_asked(args)
    from tools.solver.answers import answer_json, answer_text
    from tools.solver.progress import watching
    from tools.solver.solver import Solver

    deepest = max(position.left for position in positions)
    solver = Solver(args.memory or bits_for(deepest), jobs=args.jobs)
    began, found = time.monotonic(), []
    with watching(solver, args.checkpoint):
        for position in positions:
            found.append(_answer(position, solver, args))
            if args.json != STANDARD_OUTPUT:
                print(answer_text(found[-1]) + "\n")
    seconds = time.monotonic() - began
    if args.json:
        values = {"positions": [answer_json(one) for one in found], "nodes": solver.nodes, "seconds": seconds}
        with trying_to(f"write {args.json}"):
            write_json(args.json, values)
    if args.json != STANDARD_OUTPUT:
        print(f"{solver.nodes:,} nodes, {seconds:.2f} s")
    return FINE


def _answer(position, solver, args: argparse.Namespace):
    from rules.positionkey import pack
    from tools.solver.answers import Answer, answer
    from tools.solver.leads import Leads

    if position.left >= DEEP and not (args.moves or args.lead or args.line):
        return Answer(position, position.colour if solver.wins(pack(position)) else 3 - position.colour)
    leads = Leads(solver, min(bits_for(position.left), LEADS_BITS)) if args.lead else None
    return answer(position, solver, leads, args.line or position.left <= LINED)


def _check_vectors(args: argparse.Namespace) -> int:
    from tools.solver.vectors import check, outcome_json, outcome_text, read_vectors

    if args.positions or args.opening:
        raise ArgumentError(f"--vectors {args.vectors}: give no positions beside it")
    vectors = [vector for vector in read_vectors(args.vectors) if vector.left <= args.up_to]
    if not vectors:
        raise ArgumentError(f"--vectors {args.vectors}: no position with {args.up_to} moves left or fewer")
    outcomes = check(vectors, args.memory)
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, outcome_json(outcomes))
    if args.json != STANDARD_OUTPUT:
        print(outcome_text(outcomes))
    return FINE if all(outcome.agrees for outcome in outcomes) else FINDINGS
