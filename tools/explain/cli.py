"""The command `explain`: why this move, why not that one, and what if the knowledge were another."""

from __future__ import annotations

import os
from typing import Any

import click

from rules.engine import Decision
from rules.patternfile import Book
from rules.ruleset import Ruleset
from rules.uncounted import Uncounted
from tools.arguments import FINE, KNOWLEDGE, ArgumentError, default_patterns, trying_to, write_results
from tools.commandline import POSITIVE, colour_option, command, json_option
from tools.draw.decisions import decision_text, short_text
from tools.engines.books import overrides_beside
from tools.explain.answers import what_if_json, what_if_text, why_not, why_not_json, why_not_text
from tools.explain.deciding import decide_asked, decide_otherwise, explain_json
from tools.explain.recorded import refutation_json, refutation_text, refute
from tools.explain.uncounted import is_ordinary, left_text
from tools.files import STANDARD_OUTPUT, put_text
from tools.knowledge.files import read_book, read_knowledge
from tools.match.inputs import move_at, positions_at
from tools.match.ruleset_options import read_ruleset_option
from tools.reasons.contrast import contrast

MOVED = 1  # exit status
FEW, MANY = 2, 10  # near misses or changed moves that are shown
POSITIONS = """FILE is a drawn board (rows of X, O and ., coordinates or not), an input.txt, a game as SGF or as JSON of
`littlego play`, or - for standard input. FILE:12 is a game before its move 12; without a number it is the position
after the last move, or before it if the game is over. A drawn board and an input.txt do not tell how many moves are
left: without --left it is decided as the player does where it has not counted them."""
DEFAULTS = "patterns.yaml; of a match patterns.match.yaml"
HELP = f"Show the move of a position and why it is played: what sets it apart from the next one.\n\n{POSITIONS}"
STATUS = "Exit status: 0; 1 if --what-if or --without change the move; 2 if something cannot be read."
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
    renamed={"--file": "--patterns", "--no-exceptions": "--no-overrides"},
)
@click.argument("file", metavar="FILE")
@colour_option(help="Who moves on a drawn board.  [default: black]")
@click.option("--previous", metavar="FILE", help="The drawn board before the last move: for a ko or a pass.")
@click.option("--left", type=int, metavar="N", help="Moves left with this one.  [default: all that may be]")
@read_ruleset_option
@click.option("-f", "--patterns", metavar="FILE", help=f"Where the patterns are: {KNOWLEDGE}.  [default: {DEFAULTS}]")
@click.option(
    "--why-not",
    metavar="MOVE",
    help="Ask about one move, `row,column` or `pass`: what speaks against it, and which patterns came near.",
)
@click.option("--what-if", metavar="FILE", help="Decide with this knowledge too, and show what changes.")
@click.option("--without", multiple=True, metavar="ID", help="Decide without this pattern too; may be repeated.")
@click.option(
    "--no-overrides",
    is_flag=True,
    help="Let the patterns decide alone: do not look into the overrides.txt beside them.",
)
@click.option("--all", "whole", is_flag=True, help="Every move with its patterns, points and verdict.")
@click.option("--top", type=POSITIVE, metavar="N", help="The N best moves like that.")
@click.option("--most", type=POSITIVE, metavar="N", help="Near misses, or changed moves, to show.  [default: 2, or 10]")
@click.option("--svg", metavar="FILE", help="Also draw the decision to a file, or to stdout for -.")
@json_option
def explain(
    file: str,
    colour: str | None,
    previous: str | None,
    left: int | None,
    ruleset: str | None,
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
    """Print the decision in a position, or the answer to the one question asked about it."""
    _refuse_both(why_not, what_if or without, "--why-not with --what-if or --without: ask one question at a time")
    _refuse_both(whole, top, "--all with --top: choose one")
    _refuse_one_output(json, svg)
    positions = positions_at(file, colour, left, previous, ruleset)
    game = positions[0].ruleset
    patterns = patterns or patterns_for(game)
    book = read_book(patterns)
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
    """Return the answers that tell what a record protects from, for programs and for a terminal."""
    if decision.overruled is None:
        return {}, ""
    found = refute(decision)
    return {"refutation": refutation_json(found)}, refutation_text(found, decision)


def _other(name: str | None) -> tuple[str, Book] | None:
    """Return another file's book with its name."""
    return (os.path.basename(name), read_knowledge(name).book) if name else None


def _refuse_one_output(json: str | None, svg: str | None) -> None:
    if json == svg == STANDARD_OUTPUT:
        raise ArgumentError("--json and --svg to standard output: give one of them a file")


def _refuse_both(one: object, other: object, why: str) -> None:
    if one and other:
        raise ArgumentError(why)


def patterns_for(ruleset: Ruleset) -> str:
    """Return the patterns file that is meant for a position of a ruleset where none is named."""
    return str(default_patterns(ruleset=ruleset.name))


def _why_text(decision: Decision, whole: bool, top: int | None) -> str:
    reason = contrast(decision)
    return decision_text(reason, None if whole else top) if whole or top else short_text(reason)


def _left_note(found: Uncounted, always: bool) -> str:
    """Return what to say of the number of moves left: where it matters, or wherever it is not known."""
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
        from tools.draw.svg import draw_decision

        with trying_to(f"write {svg}"):
            put_text(svg, draw_decision(found.decision) + "\n")
    write_results(json, lambda: explain_json(found, **answers))
