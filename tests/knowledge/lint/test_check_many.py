"""Tests of many similar patterns: `check` searches once, names patterns briefly, and limits its list."""

from __future__ import annotations

import pytest
from checking import checked, codes, watch_questions
from drawn_patterns import FILE, changed

from littlego.knowledge.compiler import compile_text
from littlego.knowledge.exact import samples
from littlego.knowledge.exact.questions import Exact
from littlego.knowledge.lint import check, pairs
from littlego.knowledge.lint.check import as_text

ENTRY = FILE.split("patterns:\n")[1]
MIRRORED = [("      O *\n", "      * O\n"), ("      A *\n", "      * B\n"), ("(A)", "(B)")]


def copies(number: int) -> str:
    """Return a file of copies with different points; every second copy is mirrored and relabelled."""
    entries = []
    for k in range(number):
        entry = changed("id: take", f"id: take-{k}", ENTRY).replace("100 * size(A)", str(100 + k))
        for old, new in MIRRORED if k % 2 else ():
            entry = entry.replace(old, new)
        entries.append(entry)
    return "ruleset: little-go\npatterns:\n" + "".join(entries)


@pytest.fixture
def asked(monkeypatch):
    """Return a list to which each question that needs a search is appended."""
    return watch_questions(monkeypatch)


def test_patterns_that_fire_alike_are_asked_about_once(asked):
    found = checked(copies(15))
    assert [name for name, *_ in asked] == ["can match", "can fire", "condition"]
    told = [one.message for one in found.problems if one.code == "L205"]
    assert len(told) == 14 and told[0] == "`take-1` fires in exactly the same places as `take-0` (line 3)"
    assert told[9].count("(line ") == 10 and "more" not in told[9]
    assert told[13].count("(line ") == 10 and told[13].endswith(" and 4 more")


def test_of_one_code_people_are_shown_the_first(monkeypatch):
    monkeypatch.setattr(check, "MOST_SHOWN", 2)
    found = checked(copies(5))
    assert codes(found).count("L205") == 4
    text = as_text(found)
    assert text.count(" L205 ") == 2
    assert "\nL205: 2 more not shown; correct the first problems, or list all with --json\n" in text


def test_pairs_beyond_the_cap_are_counted_in_a_line(monkeypatch, asked):
    monkeypatch.setattr(pairs, "MOST_PAIRS", 1)
    three = copies(1) + "".join(
        changed("id: take", f"id: take-{number}", ENTRY)
        .replace("- liberties(A) == 1", f"- {same}")
        .replace("100 * size(A)", "100")
        for number, same in enumerate(("in_atari(A)", "liberties(A) <= 1"), 1)
    )
    found = checked(three)
    assert sum(name == "implies" for name, *_ in asked) == 1
    [line] = [line for line in found.undecided if "have not been compared yet" in line]
    left, of, *_ = numbers(line)
    assert left == of - 1 == 5


def numbers(line: str) -> list[int]:
    return [int(word.strip(",")) for word in line.split() if word.strip(",").isdigit()]


def test_positions_too_many_to_look_at_whole_are_looked_at_where_they_are_drawn(monkeypatch):
    base = compile_text(FILE + changed("id: take", "id: take-one", ENTRY).replace("== 1", "== 2"), "some.yaml", False)[
        2
    ]
    whole = Exact(base.patterns, base.ruleset).samples
    monkeypatch.setattr(samples, "MOST_LOOKS", 0)
    drawn = Exact(base.patterns, base.ruleset).samples
    assert 0 < len(drawn.rows) < len(whole.rows) or drawn.rows == whole.rows
    key = [(samples._all_of(position), move, fired) for position, move, fired in whole.rows]
    for position, move, fired in drawn.rows:
        assert fired == 0 or (samples._all_of(position), move, fired) in key
    assert any(fired for *_, fired in drawn.rows)
