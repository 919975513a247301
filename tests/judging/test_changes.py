"""Tests that the fast search for changes and responsible patterns agrees with full decisions."""

from __future__ import annotations

import random

import pytest
from knowledge_files import book
from small_books import pattern

from littlego.judging.changes import (
    ALONE,
    DECIDES,
    TOGETHER,
    Change,
    Group,
    change_between,
    change_since,
    group_changes,
)
from littlego.judging.corpus import spelled
from littlego.judging.recorded import read_decisions
from littlego.knowledge.edits import decisive_fields
from littlego.knowledge.files import book_with
from littlego.rules.engine import decide
from littlego.rules.patternfile import Pattern, book_of
from littlego.rules.position import PASS

POSITIONS = [one.position for one in read_decisions()[7::90]]


def moves_of(some):
    return [decide(position, some).move for position in POSITIONS]


def changes_between(old, new, names):
    """Return the changes between the decisions of two books."""
    moves = zip(moves_of(old), moves_of(new), strict=True)
    differing = [number for number, (before, after) in enumerate(moves) if before != after]
    return [change_between(number, POSITIONS[number], old, new, names) for number in differing]


def changes_from(moves, new):
    """Return the changes from recorded moves to the moves of a book."""
    pairs = enumerate(zip(moves, moves_of(new), strict=True))
    return [change_since(number, POSITIONS[number], before, new) for number, (before, now) in pairs if before != now]


def texts():
    """Return the shipped patterns as lines of patterns.txt, by id."""
    return {one.id: line_of(one) for one in book().patterns}


def line_of(one, **changed):
    flags = (
        "".join(
            letter
            for letter, is_set in (
                ("f", one.forbid),
                ("s", one.sacrifice),
                ("k", one.risk),
                ("p", one.passes),
                ("r", one.rare),
            )
            if is_set
        )
        or "-"
    )
    fields = {
        "id": one.id,
        "kind": one.kind,
        "priority": one.priority,
        "specificity": one.specificity,
        "flags": flags,
        "rows": "/".join(one.rows),
        "labels": "/".join(one.label_rows),
        "points": one.points,
        "table": one.table,
        "when": " ; ".join(one.when),
        "summary": one.summary,
        **changed,
    }
    return "\t".join(map(str, fields.values()))


def book_from(lines):
    made = [Pattern(line) for line in lines.values()]
    return book_of("little-go", 5, sorted(made, key=lambda one: (-one.priority, one.id)))


def edited(seed, edits):
    """Return (lines by id, changed ids) after random edits that remove, change or copy shipped patterns."""
    rng, lines = random.Random(seed), texts()
    for one in rng.sample(list(book().patterns), edits):
        choice = rng.randrange(5)
        if choice == 0:
            del lines[one.id]
        elif choice == 1:
            lines[one.id] = line_of(one, points=rng.choice(("0", "150", "@* own_liberties")))
        elif choice == 2:
            lines[one.id] = line_of(one, priority=rng.choice((-10, 450, 600)))
        elif choice == 3:
            lines[one.id] = line_of(one, flags="f" if not one.forbid else "-")
        else:
            lines[one.id + "-too"] = line_of(one, id=one.id + "-too", specificity=one.specificity + 3)
    old = texts()
    names = [name for name in old.keys() | lines.keys() if old.get(name) != lines.get(name)]
    return lines, names


@pytest.mark.parametrize("seed, edits", [(1, 1), (2, 1), (3, 2), (4, 3), (5, 12)])
def test_where_no_edited_pattern_fires_no_decision_changes(seed, edits):
    lines, names = edited(seed, edits)
    new = book_from(lines)
    corpus = spelled(POSITIONS)
    fired = zip(*(corpus.fires(book_with(some, frozenset(names))) for some in (book(), new)), strict=True)
    moves = zip(moves_of(book()), moves_of(new), strict=True)
    assert all(any(here) or before == after for here, (before, after) in zip(fired, moves, strict=True))


def test_who_is_responsible_can_be_checked_with_whole_books():
    lines, names = edited(5, 12)
    with_it = {name: book_from(replaced(texts(), lines, name)) for name in names}
    reverted = {name: book_from(replaced(lines, texts(), name)) for name in names}
    changes = changes_between(book(), book_from(lines), names)
    for change in changes:
        position = POSITIONS[change.number]
        alone = {
            name
            for name in names
            if decide(position, with_it[name]).move == change.after
            or decide(position, reverted[name]).move == change.before
        }
        assert set(change.responsible) == alone if change.why == ALONE else not alone
    assert len([change for change in changes if change.why == ALONE]) > 3


def replaced(lines, other, name):
    """Return `lines` with the pattern `name` taken from `other`, or removed if `other` lacks the pattern."""
    rest = {key: line for key, line in lines.items() if key != name}
    return rest | ({name: other[name]} if name in other else {})


def test_edits_that_only_work_together():
    old = book_of("little-go", 5, [pattern("beside", "O*", points=50), pattern("near", "X*", points=10)])
    names = ["one", "three", "two"]  # one alone has too few points to change the move, any two have enough
    new = book_of("little-go", 5, [*old.patterns, *(pattern(name, "X*", points=25) for name in names)])
    together = [change for change in changes_between(old, new, names) if change.why == TOGETHER]
    assert together and all(change.responsible == tuple(names) for change in together)


def test_changes_from_moves_alone_name_who_can_be_taken_back():
    old = book_of("little-go", 5, [pattern("beside", "O*", points=50), pattern("near", "X*", points=10)])
    new = book_of("little-go", 5, [*old.patterns, pattern("strong", "X*", points=90)])
    moves = [decide(position, old).move for position in POSITIONS]
    assert changes_from(moves, old) == []
    changes = changes_from(moves, new)
    assert [change[:3] for change in changes] == [change[:3] for change in changes_between(old, new, ["strong"])]
    assert len(changes) > 3 and all("strong" in change.responsible for change in changes if change.why == ALONE)
    wrong = [PASS if move != PASS else 0 for move in moves]
    assert {change.why for change in changes_from(wrong, old)} <= {ALONE, DECIDES}
    assert len(changes_from(wrong, old)) == len(POSITIONS)


def test_decisions_depend_on_all_fields_but_class_and_summary_and_the_rare_mark():
    plain = line_of(book().patterns[20])
    assert decisive_fields(plain) == decisive_fields(line_of(book().patterns[20], kind="ko", summary="x", flags="r"))
    for field, value in (("points", 7), ("priority", 3), ("flags", "s"), ("rows", "OO*"), ("when", "passed")):
        assert decisive_fields(plain) != decisive_fields(line_of(book().patterns[20], **{field: value})), field


def change(index, why, *responsible):
    return Change(index, 1, 2, ("old",), ("new",), why, responsible)


def test_a_change_goes_to_the_pattern_that_explains_most():
    changes = [
        change(0, ALONE, "a", "b"),
        change(1, ALONE, "b"),
        change(2, ALONE, "a"),
        change(3, ALONE, "b", "c"),
        change(4, TOGETHER, "a", "c"),
        change(5, TOGETHER, "b", "c"),
        change(6, DECIDES, "d"),
        change(7, ALONE, "c"),
    ]
    assert [(group.why, group.pattern, [one.number for one in group.changes]) for group in group_changes(changes)] == [
        (ALONE, "b", [0, 1, 3]),
        (ALONE, "a", [2]),
        (ALONE, "c", [7]),
        (TOGETHER, "", [4, 5]),
        (DECIDES, "d", [6]),
    ]
    assert group_changes([]) == []
    assert group_changes(changes[:1]) == [Group(ALONE, "a", changes[:1])]
