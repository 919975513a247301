"""The command `explain`: reasons for a move, objections to another move, and what-if comparisons."""

from __future__ import annotations

import os
from typing import Any

import click

from littlego.cli.arguments import FINE, ArgumentError, default_patterns, trying_to, write_results
from littlego.cli.commandline import POSITIVE, colour_option, command, encoding_option, json_option, patterns_option
from littlego.engines.books import overrides_beside
from littlego.engines.draw.decisions import decision_text, short_text
from littlego.engines.reasons.contrast import contrast
from littlego.files import STANDARD_OUTPUT, put_text
from littlego.judging.explain.deciding import decide_asked, decide_otherwise, explain_json
from littlego.judging.explain.recorded import refutation_json, refutation_text, refute
from littlego.judging.explain.uncounted import is_ordinary, left_text
from littlego.knowledge.answers import what_if_json, what_if_text, why_not, why_not_json, why_not_text
from littlego.knowledge.files import read_book, read_knowledge
from littlego.match.ruleset_options import read_ruleset_option
from littlego.records.inputs import move_at, positions_at
from littlego.rules.engine import Decision
from littlego.rules.patternfile import Book
from littlego.rules.uncounted import Uncounted

MOVED = 1  # exit status if the other patterns play another move
FEW, MANY = 2, 10  # near misses or changed moves to show
POSITIONS = """FILE is a drawn board (rows of X, O and ., with or without coordinates), an input.txt, a game as SGF, a
game as JSON from `littlego play --json`, or - for standard input. FILE:12 is the position before move 12 of a game.
FILE without a number is the position after the last move, or before the last move if the game is over."""
HELP = (
    "Show the move that the player chooses in a position, and why the player prefers this move to another move. "
    "Usually, the other move is the move that the player would choose without the deciding patterns. If no pattern "
    "decides, the other move is the next-best move."
    f"\n\n{POSITIONS}"
)
STATUS = "Exit status: 0 for success; 1 if --what-if or --without changes the move; 2 if the command could not run."
EXAMPLE = """
littlego explain board.txt
littlego explain game.sgf:12 --why-not 2,2
littlego explain board.txt --without crosscut
"""


@command(
    "explain",
    help=HELP,
    example=EXAMPLE,
    epilog=STATUS,
)
@click.argument("file", metavar="FILE")
@colour_option(help="Colour to move on a drawn board.  [default: black]")
@click.option("--previous", metavar="FILE", help="Drawn board before the last move, to detect a pass or a ko.")
@click.option(
    "--left",
    type=int,
    metavar="N",
    help="Moves left, including the next move.  [default: as in the game; for a drawn board or an input.txt, the "
    "number that the player assumes]",
)
@read_ruleset_option
@encoding_option
@patterns_option(by_position=True)
@click.option(
    "--why-not",
    metavar="MOVE",
    help="Explain why the player does not play MOVE, `row,column` or `pass`.",
)
@click.option("--what-if", metavar="FILE", help="Also decide with the patterns in FILE, and show the difference.")
@click.option("--without", multiple=True, metavar="ID", help="Also decide without this pattern; repeatable.")
@click.option(
    "--no-overrides",
    is_flag=True,
    help="Ignore overrides.txt.",
)
@click.option(
    "--all",
    "whole",
    is_flag=True,
    help="Show every move with its patterns, its points and the verdict of the safety check.",
)
@click.option("--top", type=POSITIVE, metavar="N", help="Show only the N best moves, in the same way as --all.")
@click.option(
    "--most",
    type=POSITIVE,
    metavar="N",
    help="With --why-not: show at most N near misses (patterns that nearly fire for MOVE). With --what-if or "
    "--without: show at most N moves with a changed score.  [default: 2 near misses, 10 with --all; 10 changed moves]",
)
@click.option("--svg", metavar="FILE", help="Draw the decision to FILE, or to standard output if FILE is -.")
@json_option
def explain(
    file: str,
    colour: str | None,
    previous: str | None,
    left: int | None,
    ruleset: str | None,
    encoding: str | None,
    patterns: str | None,
    why_not: str | None,
    what_if: str | None,
    without: tuple[str, ...],
    no_overrides: bool,
    whole: bool,
    top: int | None,
    most: int | None,
    svg: str | None,
    json: str | None,
) -> int:
    """Print the decision in a position, or the answer to --why-not, --what-if or --without."""
    _refuse_both(why_not, what_if or without, "--why-not with --what-if or --without: ask one question at a time")
    _refuse_both(whole, top, "--all with --top: choose one")
    _refuse_one_output(json, svg)
    positions = positions_at(file, colour, left, previous, ruleset, encoding)
    game = positions[0].ruleset
    book = read_book(patterns := patterns or str(default_patterns(ruleset=game.name)))
    overrides = None if no_overrides else overrides_beside(patterns, game)
    found = decide_asked(positions, book, overrides)
    decision, status, text = found.decision, FINE, ""
    answers, record = _on_record(decision)
    if why_not:
        text, answers["why_not"] = _ask_why_not(decision, why_not, book, most, whole)
    elif what_if or without:
        answer = decide_otherwise(found, book, overrides, _other(what_if), without)
        text, answers["what_if"] = what_if_text(answer, most or MANY), what_if_json(answer)
        status = MOVED if answer.moved else FINE
    _write_files(found, answers, svg, json)
    if STANDARD_OUTPUT not in (json, svg):
        told = text or _why_text(decision, whole, top), record, _left_note(found, whole and not text)
        print("\n\n".join(filter(None, told)))
    return status


def _on_record(decision: Decision) -> tuple[dict[str, Any], str]:
    """Return (JSON object, text) of the refutation that justifies an override.

    Without an override, the result is ({}, '').
    """
    if decision.overruled is None:
        return {}, ""
    found = refute(decision)
    return {"refutation": refutation_json(found)}, refutation_text(found, decision)


def _other(name: str | None) -> tuple[str, Book] | None:
    """Return (name, book) of the file given by --what-if, or None without the option."""
    return (os.path.basename(name), read_knowledge(name).book) if name else None


def _refuse_one_output(json: str | None, svg: str | None) -> None:
    if json == svg == STANDARD_OUTPUT:
        raise ArgumentError("--json and --svg both write to standard output: name a file for one of the two")


def _refuse_both(one: object, other: object, why: str) -> None:
    if one and other:
        raise ArgumentError(why)


def _why_text(decision: Decision, whole: bool, top: int | None) -> str:
    reason = contrast(decision)
    return decision_text(reason, None if whole else top) if whole or top else short_text(reason)


def _left_note(found: Uncounted, always: bool) -> str:
    """Return a note that names the assumed number of moves left, or '' if no note is needed.

    A note is needed if the decision is not ordinary: see is_ordinary. If `always` is true, a note is also needed if the
    number is unknown.
    """
    return left_text(found) if not is_ordinary(found) or (always and len(found.lefts) > 1) else ""


def _ask_why_not(
    decision: Decision, move: str, book: Book, most: int | None, whole: bool
) -> tuple[str, dict[str, Any]]:
    most = most or (MANY if whole else FEW)
    point = move_at(move, decision.position.ruleset.size, "--why-not")
    answer = why_not(decision, point, book.patterns)
    return why_not_text(answer, most, whole), why_not_json(answer, most)


def _write_files(found: Uncounted, answers: dict[str, Any], svg: str | None, json: str | None) -> None:
    if svg:
        from littlego.engines.draw.svg import draw_decision

        with trying_to(f"write {svg}"):
            put_text(svg, draw_decision(found.decision) + "\n")
    write_results(json, lambda: explain_json(found, **answers))
