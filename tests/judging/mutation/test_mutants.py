"""Tests that a pattern's mutants match the table in littlego.judging.mutation.mutants."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from knowledge_files import compiled
from mutation_files import TAKE

from littlego.judging.mutation.mutants import KINDS, draft_of, edge_changes, mutants_of, read_draft, split_conjuncts
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.textfile import pattern_line

PATTERNS = {pattern.id: pattern for pattern in compiled().base.patterns}


def take(**changes):
    pattern = compile_text(TAKE, "take.yaml", with_examples=False)[2].patterns[0]
    return replace(pattern, **changes)


EMPTY = draft_of(take(rows=[], label_rows=[], when_text=[], points_text="0"))


def named(pattern, priorities=(500,)):
    return {mutant.name: mutant for mutant in mutants_of(pattern, priorities)}


def test_every_kind_of_change_once():
    assert list(named(take(sacrifice=True, when_text=["liberties(A) == 1", "lead > size(A)"]), (-10, 0, 500, 900))) == [
        "cell 0,0 O->o",
        "cell 0,0 O->?",
        "cell 0,0 O->X",
        "edge top drawn",
        "edge bottom drawn",
        "edge left drawn",
        "edge right drawn",
        "when[0] dropped",
        "when[0] 1->2",
        "when[0] 1->0",
        "when[1] dropped",
        "when[1] >->>=",
        "points 100->110",
        "points 100->90",
        "priority 500->900",
        "priority 500->0",
        "sacrifice dropped",
    ]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((".*",), {"cell 0,0 .->x": "x*", "cell 0,0 .->o": "o*", "cell 0,0 .->?": "?*", "star to 0,0": "*."}),
        (("x*",), {"cell 0,0 x->X": "X*", "cell 0,0 x->.": ".*", "cell 0,0 x->?": "?*"}),
        (("o*",), {"cell 0,0 o->O": "O*", "cell 0,0 o->.": ".*", "cell 0,0 o->?": "?*"}),
        (("X*",), {"cell 0,0 X->x": "x*", "cell 0,0 X->?": "?*", "cell 0,0 X->O": "O*"}),
        (("?*",), {}),
    ],
)
def test_cells_and_stars(rows, expected):
    found = named(take(rows=list(rows), label_rows=[], when_text=[], points_text="0", points="0"))
    changed = {name: mutant.draft.rows for name, mutant in found.items() if mutant.kind in ("cell", "star")}
    assert changed == {name: [row] for name, row in expected.items()}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("size(A) >= 3", {"3->4": "size(A) >= 4", "3->2": "size(A) >= 2"}),
        ("3 > size(A)", {"3->4": "4 > size(A)", "3->2": "2 > size(A)"}),
        ("lead == -1", {"1->2": "lead == -2", "1->0": "lead == -0"}),
        ("lead < size(A)", {"<-><=": "lead <= size(A)"}),
        ("lead == size(A)", {}),
        ("2 * size(A) > lead + 1", {">->>=": "2 * size(A) >= lead + 1"}),
        (
            "passed or lead > 1",
            {
                "alternative 0 dropped": "lead > 1",
                "alternative 1 dropped": "passed",
                "1->2": "passed or lead > 2",
                "1->0": "passed or lead > 0",
            },
        ),
        ("not (passed and ko_ban)", {}),
    ],
)
def test_conditions(condition, expected):
    found = named(take(when_text=[condition]))
    changed = {name: mutant.draft.when_text for name, mutant in found.items() if mutant.key == "when"}
    assert changed == {"when[0] dropped": [], **{f"when[0] {name}": [text] for name, text in expected.items()}}


def test_a_condition_that_and_joins_is_two():
    assert [text for _, text in split_conjuncts("passed and (lead > 1 and ko_ban) and not ko_ban")] == [
        "passed",
        "(lead > 1 and ko_ban)",
        "not ko_ban",
    ]
    assert split_conjuncts("passed and lead > 1 or ko_ban") == [(0, "passed and lead > 1 or ko_ban")]


@pytest.mark.parametrize(
    ("rows", "name", "expected"),
    [
        (("O*",), "edge top drawn", ("--", "O*")),
        (("O*",), "edge right drawn", ("O*|",)),
        (("--", "O*"), "edge left drawn", ("+--", "|O*")),
        (("+--", "|O*"), "edge left removed", ("--", "O*")),
        (("+--", "|O*"), "edge top removed", ("|O*",)),
        (("+--", "|O*"), "edge top one line out", ("+--", "|??", "|O*")),
        (("O*|",), "edge right one line out", ("O*?|",)),
        (("O*", "--"), "edge bottom one line out", ("O*", "??", "--")),
    ],
)
def test_edges(rows, name, expected):
    changed = {change: draft.rows for change, draft, _ in edge_changes(replace(EMPTY, rows=list(rows)))}
    assert changed[name] == list(expected)


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_an_edge_drawn_and_removed_again_is_no_change(height, width, data):
    rows = [data.draw(st.text("XO.xo?", min_size=width, max_size=width)) for _ in range(height)]
    labels = [data.draw(st.text("AB.", min_size=width, max_size=width)) for _ in range(height)]
    draft = replace(EMPTY, rows=rows, label_rows=labels)
    for name, drawn, _ in edge_changes(draft):
        undone = {change: back for change, back, _ in edge_changes(drawn)}
        assert undone[name.replace("drawn", "removed")] == draft


def test_a_draft_of_every_shipped_pattern_reads_back_as_it_was():
    for pattern in PATTERNS.values():
        assert pattern_line(read_draft(draft_of(pattern))) == pattern_line(pattern)


def test_what_the_reader_refuses_is_no_mutant():
    pattern = take()
    mutants = named(pattern)
    assert read_draft(mutants["edge left drawn"].draft).rows == ["|O*"]
    narrow = replace(draft_of(pattern), rows=["|O*|"], label_rows=["...."])
    assert read_draft(narrow) is None


def test_names_are_unique_and_every_kind_is_met_in_the_shipped_file():
    kinds = set()
    for pattern in PATTERNS.values():
        mutants = mutants_of(pattern, {other.priority for other in PATTERNS.values()})
        names = [mutant.name for mutant in mutants]
        assert len(names) == len(set(names)), pattern.id
        kinds.update(mutant.kind for mutant in mutants)
    assert kinds == set(KINDS)
