"""The corpora that pattern coverage is judged by: the examples, the real games, games against the roles."""

from __future__ import annotations

from collections import Counter

import pytest
from knowledge_files import REAL_GAMES, book, compiled
from pattern_coverage import EXAMPLES, REAL, ROLES, Collected, faults, report

from rules.engine import decide
from rules.patternfile import Pattern, book_of
from rules.position import PASS, opening
from rules.ruleset import LITTLE_GO
from tools.effects.corpora import decisions_against, decisions_in, different, recorded_games
from tools.effects.coverage import (
    BUILT_IN,
    CHANGED,
    DECIDED,
    FIRED,
    VETOED,
    Survey,
    from_json,
    remark,
    survey,
    total,
    unreached,
)
from tools.effects.parts import book_without
from tools.knowledge.model import MATCHES
from tools.opponents import roles

REAL_PARTS = 2
ROLE_GAMES = 10


@pytest.mark.parametrize("part", range(REAL_PARTS))
def test_real_games(part, pattern_coverage):
    games = recorded_games(REAL_GAMES)[part::REAL_PARTS]
    found = survey(decisions_in(different(games), book()), book())
    assert found.positions > 1500
    pattern_coverage.record(REAL, part, REAL_PARTS, found)


@pytest.mark.parametrize("number, role", list(enumerate(roles.ROLES)))
def test_games_against(number, role, pattern_coverage):
    found = survey(decisions_against(role, book(), ROLE_GAMES, seed=number), book())
    assert found.positions > 6 * ROLE_GAMES
    pattern_coverage.record(ROLES, number, len(roles.ROLES), found)


def test_examples(pattern_coverage):
    positions = [
        example.position()
        for pattern in compiled().base.patterns
        for example in pattern.examples
        if example.kind == MATCHES
    ]
    pattern_coverage.record(EXAMPLES, 0, 1, survey(decisions_in(positions, book(), complete=True), book()))


# -- the measuring itself -------------------------------------------------------------------------------------


def line(name, kind, priority, rows, points="0", when="", flags="-"):
    return Pattern("\t".join([name, kind, str(priority), "1", flags, rows, "", points, when, "About " + name]))


CENTRE = "+-----+/|.....|/|.....|/|..*..|/|.....|/|.....|/+-----+"
SMALL_BOOK = book_of("little-go", 5, [
    line("centre", "opening", 500, CENTRE),
    line("centre-again", "opening", 400, CENTRE),
    line("beside", "attack", 300, "O*"),
    line("anywhere", "shape", 100, "*", points="@* line"),
    line("not-beside", "avoid", -10, "O*", when="moves_left 22 ==", flags="f"),
    line("never", "ko", 900, "OXO/X*X/OXO"),
])  # fmt: skip


def first_moves(count=4):
    position, found = opening(LITTLE_GO), []
    for _ in range(count):
        found.append(position)
        position = position.play(decide(position, SMALL_BOOK).move)
    return found


def test_survey_counts_what_each_pattern_did():
    found = survey(decisions_in(first_moves(), SMALL_BOOK), SMALL_BOOK)
    assert found.positions == 4
    assert found.of("centre") == Counter({FIRED: 1, DECIDED: 1})  # without it `centre-again` plays there
    assert found.of("centre-again") == Counter({FIRED: 1})
    assert found.of("beside")[DECIDED] == found.classes["attack"] == 2
    assert found.of("beside")[CHANGED] == 1
    assert found.of("not-beside")[VETOED] == found.of("not-beside")[CHANGED] == 1
    assert found.of("beside")[VETOED] == 1  # what it led was forbidden once
    assert not found.of("never")
    assert found.classes == {"opening": 1, "attack": 2, "shape": 1}


def test_what_is_not_tried_would_not_have_changed_the_move():
    positions = different(recorded_games(REAL_GAMES)[::15])[::11]
    index = {pattern.id: index for index, pattern in enumerate(book().patterns)}
    changed = 0
    for decision in decisions_in(positions, book()):
        for pattern_id, counts in survey([decision], book()).counts.items():
            other = decide(decision.position, book_without(book(), index[pattern_id])).move
            assert counts[CHANGED] == (other != decision.move), pattern_id
            changed += counts[CHANGED]
    assert len(positions) > 20 and changed > 5


def test_a_move_that_no_pattern_proposes_is_counted_as_built_in():
    empty = book_of("little-go", 5, [])
    assert survey([decide(opening(LITTLE_GO), empty)], empty).classes == {BUILT_IN: 1}


def test_book_without_a_pattern_is_the_book_of_the_others():
    for index in range(len(SMALL_BOOK.patterns)):
        rest = SMALL_BOOK.patterns[:index] + SMALL_BOOK.patterns[index + 1 :]
        made, expected = book_without(SMALL_BOOK, index), book_of("little-go", 5, rest)
        for name in ("patterns", "starts", "cares", "values", "cells"):
            assert list(getattr(made, name)) == list(getattr(expected, name)), name


def test_surveys_add_up_and_come_back_from_json():
    whole = survey(decisions_in(first_moves(), SMALL_BOOK), SMALL_BOOK)
    parts = [survey([decide(position, SMALL_BOOK)], SMALL_BOOK) for position in first_moves()]
    summed = total(from_json(part.as_json()) for part in parts)
    assert summed.positions == whole.positions and summed.classes == whole.classes
    for pattern in SMALL_BOOK.patterns:
        for name in (FIRED, DECIDED, VETOED):
            assert summed.of(pattern.id)[name] == whole.of(pattern.id)[name]


def test_remarks_name_inert_redundant_and_wrongly_rare_patterns():
    games = survey(decisions_in(first_moves(), SMALL_BOOK), SMALL_BOOK)
    said = {pattern.id: remark(pattern, games) for pattern in SMALL_BOOK.patterns}
    assert said["never"].startswith("inert: it never fires")
    assert said["centre-again"].startswith("inert: it fires, but")
    assert said["centre"].startswith("it decides, but the same moves")
    assert said["beside"] == said["not-beside"] == ""
    rare = line("beside", "attack", 300, "O*", flags="r")
    assert remark(rare, games).startswith("marked rare, yet")
    assert remark(line("never", "ko", 900, "OX*", flags="r"), games) == ""
    assert unreached(SMALL_BOOK, games) == ["ko"]


def test_the_run_fails_for_an_inert_pattern_and_for_a_silent_class_alone():
    games = survey(decisions_in(first_moves(), SMALL_BOOK), SMALL_BOOK)
    columns = {EXAMPLES: games, REAL: games, ROLES: Survey()}
    found = [fault.split(" ")[0] for fault in faults(SMALL_BOOK, columns)]
    assert found == ["never:", "centre-again", "never", "the"]
    assert "class ko" in faults(SMALL_BOOK, columns)[-1]
    assert faults(SMALL_BOOK, {**columns, EXAMPLES: Survey()})[0] == "centre: none of its examples matches"
    assert rows_about("never", report(SMALL_BOOK, columns, everything=False))
    assert not rows_about("beside", report(SMALL_BOOK, columns, everything=False))
    assert rows_about("beside", report(SMALL_BOOK, columns, everything=True))


def rows_about(pattern_id, lines):
    return [row for row in lines if row.startswith(pattern_id + " ")]


def test_a_verdict_needs_every_part_of_every_corpus():
    collected, other = Collected(), Collected()
    collected.record(EXAMPLES, 0, 1, Survey())
    collected.record(REAL, 1, 2, Survey())
    other.record(REAL, 0, 2, Survey(positions=3))
    assert not collected.is_complete()
    collected.add_text(other.as_text())
    assert not collected.is_complete()
    collected.record(ROLES, 0, 1, Survey())
    assert collected.is_complete() and collected.columns()[REAL].positions == 3


def test_positions_of_recorded_games_are_each_kept_once():
    games = recorded_games(REAL_GAMES)[:3]
    assert [len(game) for game in games] == [len(game) for game in recorded_games(REAL_GAMES)[:3]]
    assert len(different(games + games)) == len(different(games)) < sum(map(len, games))
    assert games[0][0].play(PASS).left == 23
