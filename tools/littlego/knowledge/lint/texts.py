"""Lints that do not search for positions.

Most of these lints read only the text of the patterns. For example, one lint reports unused letters, and another
reports patterns that repeat a pattern for the other colour. A further lint runs the todo examples and reports each
example that passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from littlego.engines.large.vocabulary import small_facts
from littlego.games.boards import diagram_images
from littlego.knowledge.exact.bounds import zero_on_stones
from littlego.knowledge.examples import outcome_of, problem_of_todo
from littlego.knowledge.model import SUMMARY_TO_WRITE, KnowledgeBase, KnownPattern
from littlego.knowledge.problems import Problem
from littlego.knowledge.programs import calls
from littlego.knowledge.tables import Points
from littlego.knowledge.tabulate import COLOUR, LEFT, NotATable, asks_phase, tabulated
from littlego.rules.geometry import flood, make_grid
from littlego.rules.ruleset import LITTLE_GO

STONES = ("X", "O")
MOST_POINTS = 500  # more points outweigh all other patterns; a higher priority is better
ASKED_COLOURS = ("colour 1 ==", "colour 2 ==")
_OTHER = dict(zip(ASKED_COLOURS, reversed(ASKED_COLOURS), strict=True))
_SWAPPED = str.maketrans("XOxo", "OXox")
Drawn = tuple[tuple[str, ...], tuple[tuple[str, ...], ...], tuple[str, ...], str]
Plain = tuple[bool, bool, Drawn, str]  # see `plain`


def text_lints(base: KnowledgeBase) -> Iterator[Problem]:
    """Yield the problems of single patterns, of todo examples and of unused facts.

    A todo example that passes is a problem. A single problem lists all unused facts.
    """
    for pattern in base.patterns:
        for lint in (
            _unused_labels,
            _labels_without_letters,
            _labels_of_one_chain,
            _questions_to_stones,
            _summary,
            _scale,
            _phases,
            _doubt,
        ):
            yield from lint(pattern, base)
    yield from _passing_todos(base)
    if base.patterns:
        yield from _unused_facts(base)


def report(pattern: KnownPattern, filename: str, key: str, code: str, message: str, *rest: str) -> Problem:
    """Return a problem at a key of a pattern, or at the pattern's start if the key is missing.

    key: a key of KnownPattern.places. rest: the fields of Problem that follow the message.
    """
    return Problem(filename, *pattern.places.get(key, (pattern.line, pattern.column)), code, message, *rest)


def programs(pattern: KnownPattern) -> list[tuple[str, str]]:
    """Return (key of KnownPattern.places, postfix program) for each condition and for the points."""
    return [*((f"when {number}", program) for number, program in enumerate(pattern.when)), ("points", pattern.points)]


def _unused_labels(pattern: KnownPattern, base: KnowledgeBase) -> Iterator[Problem]:
    used = {token[1:] for _, program in programs(pattern) for token in program.split() if token[0] in "~@"}
    for letter in sorted(set(pattern.letters) - used):
        yield report(
            pattern,
            base.filename,
            f"labels {letter}",
            "L206",
            f"the label `{letter}` of `{pattern.id}` is never used",
            "a fact about this label in `when` or `points`",
            "or remove the letter",
        )


def _labels_without_letters(pattern: KnownPattern, base: KnowledgeBase) -> Iterator[Problem]:
    if "labels" in pattern.places and not pattern.label_rows:
        yield report(
            pattern,
            base.filename,
            "labels",
            "L207",
            f"`labels` of `{pattern.id}` has no letter",
            "letters",
            "or remove the key",
        )


def _labels_of_one_chain(pattern: KnownPattern, base: KnowledgeBase) -> Iterator[Problem]:
    asked = {token[1:] for _, program in programs(pattern) for token in program.split() if token[0] == "~"}
    drawn = _chains_of_labels(pattern)
    for first, second in combinations(sorted(asked & drawn.keys()), 2):
        if drawn[first] == drawn[second]:
            yield report(
                pattern,
                base.filename,
                f"labels {second}",
                "L208",
                f"the labels `{first}` and `{second}` always name the same chain",
                "one letter for each chain",
                f"use `{first}` for both, or label another stone",
            )


def _chains_of_labels(pattern: KnownPattern) -> dict[str, frozenset[int]]:
    """Return {letter: masks of the chains that the letter labels}. The chains consist only of drawn stones."""
    size = max([2, len(pattern.rows), *map(len, pattern.rows)])
    cells = {
        1 << size * row + column: symbol
        for row, symbols in enumerate(pattern.rows)
        for column, symbol in enumerate(symbols)
    }
    stones = {kind: sum(point for point, symbol in cells.items() if symbol == kind) for kind in STONES}
    chains: dict[str, set[int]] = {}
    for row, letters in enumerate(pattern.label_rows):
        for column, letter in enumerate(letters):
            point = 1 << size * row + column
            if letter.isalpha() and cells[point] in STONES:
                chains.setdefault(letter, set()).add(flood(point, stones[cells[point]], make_grid(size)))
    return {letter: frozenset(masks) for letter, masks in chains.items()}


def _questions_to_stones(pattern: KnownPattern, base: KnowledgeBase) -> Iterator[Problem]:
    # The size of the board does not affect these facts, so they are evaluated on the smallest board, which is fast.
    drawn = {
        letter: symbol
        for letters, symbols in zip(pattern.label_rows, pattern.rows, strict=False)
        for letter, symbol in zip(letters, symbols, strict=True)
        if letter.isalpha()
    }
    for key, program in programs(pattern):
        for text, call in calls(program):
            label, fact = call.split()[0][1:], call.split()[-1]
            if drawn.get(label) in STONES and fact in zero_on_stones(LITTLE_GO):
                yield report(
                    pattern,
                    base.filename,
                    key,
                    "L209",
                    f"`{text}` is always 0: `{label}` stands on {drawn[label]}",
                    "a label on `.`, or `*`",
                    f"`{fact}` asks about an empty point",
                )


def _summary(pattern: KnownPattern, base: KnowledgeBase) -> Iterator[Problem]:
    if pattern.summary == SUMMARY_TO_WRITE:
        yield report(
            pattern,
            base.filename,
            "summary",
            "L214",
            f"the summary of `{pattern.id}` is still the placeholder",
            "one sentence: what the move does, and why that is good",
        )


def _scale(pattern: KnownPattern, base: KnowledgeBase) -> Iterator[Problem]:
    cells = [abs(cell) for row in Points.of(pattern.points_text, pattern.table).rows for cell in row]
    numbers = [*cells, *(int(token) for token in pattern.points.split() if token.isdigit())]
    if max(numbers, default=0) > MOST_POINTS:
        yield report(
            pattern,
            base.filename,
            "points",
            "L215",
            f"`points` of `{pattern.id}` contains {max(numbers)}, which outweighs all other patterns",
            f"numbers up to {MOST_POINTS}: saving a stone is worth about 40, and a preference of style 2 to 15",
            "for a move that must come first, raise `priority`",
        )


def _phases(pattern: KnownPattern, base: KnowledgeBase) -> Iterator[Problem]:
    if asks_phase(pattern.points):
        points = Points.of(pattern.points_text, pattern.table)
        try:
            hint = f"write `{tabulated(points, base.phases, base.ruleset.length).line}`"
        except NotATable as error:
            hint = str(error)
        asked = " and ".join(f"`{name}`" for name in (COLOUR, LEFT) if name in pattern.points.split())
        message = f"the points of `{pattern.id}` use {asked}"
        yield report(pattern, base.filename, "points", "L217", message, "a table by colour and phase", hint)


def _doubt(pattern: KnownPattern, base: KnowledgeBase) -> Iterator[Problem]:
    if pattern.doubt:
        yield report(pattern, base.filename, "doubt", "L234", f"`{pattern.id}` is in doubt: {pattern.doubt}")


def _passing_todos(base: KnowledgeBase) -> Iterator[Problem]:
    todos = ((pattern, example) for pattern in base.patterns for example in pattern.examples if example.is_todo)
    yield from filter(None, (problem_of_todo(outcome_of(*todo), base.filename) for todo in todos))


def _unused_facts(base: KnowledgeBase) -> Iterator[Problem]:
    used = {token for pattern in base.patterns for _, program in programs(pattern) for token in program.split()}
    unused = [name for name in small_facts() if name not in used]
    if unused:
        yield Problem(
            base.filename,
            1,
            1,
            "L233",
            f"no pattern uses {', '.join(f'`{name}`' for name in unused)}",
            hint="`littlego facts` explains all facts",
        )


def twin_lints(base: KnowledgeBase) -> Iterator[Problem]:
    """Yield a problem for each pattern that repeats an earlier pattern for the other colour.

    The two patterns differ only in the colour that their conditions require, or they become equal when X and O are
    exchanged in one of the diagrams. Priorities, texts and most flags are not compared: see plain.
    """
    earlier: dict[tuple[Plain, str], KnownPattern] = {}
    for pattern in base.patterns:
        asked = " ".join(sorted(set(pattern.when) & set(ASKED_COLOURS)))
        same, exchanged = plain(pattern), plain(pattern, swapped=True)
        twin = earlier.get((same, _OTHER[asked])) if asked in _OTHER else None
        if exchanged != same:
            twin = twin or earlier.get((exchanged, asked))
        if twin:
            yield report(
                pattern,
                base.filename,
                "",
                "L232",
                f"`{pattern.id}` repeats `{twin.id}` (line {twin.line}) for the other colour",
                "",
                "X stands for the mover of either colour",
            )
        earlier.setdefault((same, asked), pattern)


def plain(pattern: KnownPattern, swapped: bool = False) -> Plain:
    """Return a key for comparing the drawings, conditions, points and some flags of patterns.

    The orientation, the choice of letters, the order of the conditions and any conditions on the colour do not affect
    the key. swapped: whether to exchange the stones of both sides in the diagram first.
    """
    rows = [row.translate(_SWAPPED) if swapped else row for row in pattern.rows]
    when = [program for program in pattern.when if program not in ASKED_COLOURS]
    return pattern.passes, pattern.forbid, drawn_alike(rows, pattern.label_rows, when, pattern.points), pattern.table


def drawn_alike(rows: list[str], label_rows: list[str], when: list[str], points: str = "0") -> Drawn:
    """Return a key for comparing drawings with their conditions and points.

    The orientation, the choice of letters and the order of the conditions do not affect the key.
    """
    return min(_letter_alike(*image, when, points) for image in diagram_images(rows, label_rows))


def _letter_alike(rows: tuple[str, ...], label_rows: tuple[str, ...], when: list[str], points: str) -> Drawn:
    """Return a drawing and its expressions, with each letter replaced by a number in order of appearance."""
    letters = list(dict.fromkeys(letter for row in label_rows for letter in row if letter.isalpha()))
    names = {letter: f"{number:02}" for number, letter in enumerate(letters)}

    def rename(program: str) -> str:
        return " ".join(
            token[0] + names.get(token[1:], token[1:]) if token[0] in "~@" else token for token in program.split()
        )

    cells = tuple(tuple(names.get(letter, "") for letter in row) for row in label_rows)
    return rows, cells, tuple(sorted(map(rename, when))), rename(points)
