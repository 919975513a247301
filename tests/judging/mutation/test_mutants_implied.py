"""Tests of large-board mutants that the conditions prove equivalent to their patterns."""

from __future__ import annotations

import pytest
from match_patterns import drawn, entry, example, file_of

import littlego.engines.large.facts  # noqa: F401 - declares the facts
from littlego.engines.large.book import LargeBook, load_large
from littlego.engines.large.engine import ENGINE, make_reading
from littlego.judging.mutation.implied import STONES, cell_is_implied, priority_is_implied, value
from littlego.judging.recorded import read_record
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.textfile import pattern_line
from littlego.paths import MATCH_DECISIONS, MATCH_TXT
from littlego.rules.facts import FACTS
from littlego.rules.patternfile import Pattern

EVERYWHERE = [
    entry(f"near-{distance}", f"    diagram: |\n      *\n    when: last_distance(*) == {distance}\n")
    for distance in (1, 2)
]
CELL = "    diagram: |\n      * {cell}\n    labels: |\n      . A\n    when: {when}\n"


def patterns(*bodies: str) -> list[Pattern]:
    """Return patterns `p0`, `p1`, ... with these keys, followed by the patterns EVERYWHERE."""
    entries = [entry(f"p{number}", body) for number, body in enumerate(bodies)]
    base = compile_text(file_of(*entries, *EVERYWHERE), "x.yaml", with_examples=False)[2]
    return [Pattern(pattern_line(one)) for one in base.patterns]


@pytest.mark.parametrize(
    ("cells", "when", "implied"),
    [
        ("Oo", "liberties(A) == 2", True),  # the value is 0 on an empty point
        ("Oo", "liberties(A) <= 2", False),
        ("Oo", "not (liberties(A) <= 2)", True),
        ("Oo", "size(A) * liberties(A) >= 1", True),
        ("Oo", "liberties(A) == own_liberties(*)", False),  # not known
        ("Xx", "weak(A)", True),
        ("X?", "weak(A)", False),  # an opposing chain may be weak
        ("O?", "last_distance(A) == 0", True),  # there it is
        ("O?", "last_distance(A) <= 1", False),
        ("Oo", "last_distance(A) < 1", True),
        ("X?", "last_distance(A) == 0", False),  # X cannot be an opposing stone, so such a pattern never fires
    ],
)
def test_a_cell_that_conditions_leave_no_choice(cells, when, implied):
    old, new, *_ = patterns(*(CELL.format(cell=cell, when=when) for cell in cells))
    assert cell_is_implied(old, new) == implied


def test_a_cell_is_not_implied_where_more_differs():
    old, new, *_ = patterns(CELL.format(cell="O", when="weak(A)"), CELL.format(cell="o", when="weak(A)\n    points: 3"))
    assert not cell_is_implied(old, new)


@pytest.mark.parametrize(
    ("when", "implied"),
    [
        ("last_distance(*) <= 2", True),  # never 0 on an opposing stone
        ("last_distance(*) <= 2 and last_distance(*) >= 1", True),
        ("[last_distance(*) <= 2, last_distance(*) > 0]", True),
        ("last_distance(*) <= 3", False),
        ("last_distance(A) == 0", True),  # a point one step from the move
        ("last_distance(A) <= 1", False),
    ],
)
def test_a_priority_that_others_give_every_move_anyway(when, implied):
    body = CELL.format(cell="O", when=when)
    old, lower, *rest = patterns(f"{body}    priority: 500\n", f"{body}    priority: 20\n")
    higher = patterns(f"{body}    priority: 600\n")[0]
    for one in rest:
        one.priority = 500
    assert priority_is_implied(old, lower, [old, *rest]) == implied
    assert not priority_is_implied(old, higher, [old, *rest])
    assert not priority_is_implied(old, lower, [old, *rest[1:]])
    old.sacrifice = True
    assert not priority_is_implied(old, lower, [old, *rest])


def test_programs_come_to_what_is_known_of_them():
    assert value("2 3 + 4 *", lambda call: None) == 20
    assert value("~A size 2 >= not", lambda call: 1) == 1
    assert value("~A size 2 >= @* captures or", lambda call: 3 if call == ["~A", "size"] else None) is None


def test_a_fact_about_a_chain_is_nothing_where_no_stone_is():
    board = example(drawn(9, X="3,3 3,4 8,8", O="2,3 5,5"), "move: 4,4")
    base = compile_text(file_of(entry("p", "    diagram: |\n      *\n", board)), "x.yaml", with_examples=False)[2]
    reading = make_reading(base.patterns[0].examples[0].position())
    asked = {name: fact.function(reading.state, 0, 0) for name, fact in FACTS.items() if fact.kinds == ("chain",)}
    assert asked and not any(asked.values())


def test_what_is_proved_of_the_shipped_patterns_holds_on_record():
    book = load_large(MATCH_TXT.read_bytes(), "patterns.match.txt")
    pairs = []
    for pattern in book.patterns:
        for instead in (one for symbols in STONES.values() for one in symbols):
            new = changed(pattern, instead)
            if new is not None and cell_is_implied(pattern, new):
                pairs.append((pattern, new))
    assert len(pairs) > 50
    both = LargeBook("match", 19, [one for pair in pairs for one in pair])
    record = read_record(MATCH_DECISIONS)
    for position in record.only(range(0, len(record.names), 90)).positions():
        found: dict[int, dict[int, int]] = {}
        for move, firings in ENGINE.firings(position, both).items():
            for firing in firings:
                found.setdefault(id(firing.pattern), {})[move] = firing.points
        for old, new in pairs:
            assert found.get(id(old)) == found.get(id(new)), old.id


def changed(pattern: Pattern, symbol: str) -> Pattern | None:
    """Return the pattern with `symbol` in the first labelled cell where STONES permits this, or None."""
    for row, labels in enumerate(pattern.label_rows):
        for column, letter in enumerate(labels):
            if letter != "." and symbol in STONES.get(pattern.rows[row][column], ()):
                other = Pattern(line_of(pattern))
                cells = pattern.rows[row]
                other.rows[row] = cells[:column] + symbol + cells[column + 1 :]
                return other
    return None


def line_of(pattern: Pattern) -> str:
    """Return a pattern as a line of patterns.txt."""
    flags = "".join(letter for letter, is_set in (("f", pattern.forbid), ("s", pattern.sacrifice)) if is_set)
    fields = [pattern.id, pattern.kind, str(pattern.priority), str(pattern.specificity), flags or "-"]
    fields += ["/".join(pattern.rows), "/".join(pattern.label_rows), pattern.points, pattern.table]
    fields.append(" ; ".join(pattern.when))
    return "\t".join([*fields, pattern.summary])
