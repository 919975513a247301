"""Tests of coverage counts, places and images in small games, compared with the engine's decisions."""

from __future__ import annotations

from collections import Counter

import pytest
from coverage_books import SMALL_BOOK, first_moves, line
from effects_files import book_without
from knowledge_files import book
from pattern_coverage import unreached
from small_books import pattern

from littlego.engines.reasons.contrast import DECIDES, PRESENT, SUPPORTS
from littlego.games.boards import turn_rows
from littlego.judging.coverage import (
    COUNTS,
    VETOED,
    Survey,
    active_share,
    class_rows,
    fires,
    image_numbers,
    possible_places,
    remark,
    remarks_on,
    survey_positions,
    total_survey,
)
from littlego.judging.coverage_report import letters_of
from littlego.judging.recorded import read_decisions
from littlego.knowledge.model import NO_PATTERN
from littlego.rules.engine import decide
from littlego.rules.matching import parse_shape, placements
from littlego.rules.patternfile import book_of
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO


def test_survey_counts_what_each_pattern_did():
    found = survey_positions(first_moves(), SMALL_BOOK)
    assert found.positions == 4
    assert found.of("centre") == Counter({SUPPORTS: 1})  # without it `centre-again` plays the move
    assert found.of("centre-again") == Counter({SUPPORTS: 1})  # without it `centre` plays the move
    assert found.of("beside") == Counter({DECIDES: 1, SUPPORTS: 1, PRESENT: 1, VETOED: 1})
    assert found.of("anywhere") == Counter({SUPPORTS: 2, PRESENT: 2})
    assert found.of("not-beside")[VETOED] == found.of("not-beside")[DECIDES] == 1
    assert not found.of("never")
    assert found.classes["opening"] == 1 and found.classes["attack"] == 2 and found.classes["avoid"] == 1
    assert found.kinds == {"priority": 3, "veto": 1}


def test_what_decides_is_what_deciding_anew_would_miss():
    positions = [one.position for one in read_decisions()[::480]]
    index = {pattern.id: index for index, pattern in enumerate(book().patterns)}
    decided = 0
    for position in positions:
        move = decide(position, book()).move
        for pattern_id, counts in survey_positions([position], book()).counts.items():
            other = decide(position, book_without(book(), index[pattern_id])).move
            assert counts[DECIDES] == (other != move), pattern_id
            assert fires(counts) == 1
            decided += counts[DECIDES]
    assert len(positions) > 10 and decided > 5


def test_a_move_that_no_pattern_proposes_is_counted_as_such():
    empty = book_of("little-go", 5, [])
    assert survey_positions([opening(LITTLE_GO)], empty).classes == {NO_PATTERN: 1}


def test_book_without_a_pattern_is_the_book_of_the_others():
    for index in range(len(SMALL_BOOK.patterns)):
        rest = SMALL_BOOK.patterns[:index] + SMALL_BOOK.patterns[index + 1 :]
        made, expected = book_without(SMALL_BOOK, index), book_of("little-go", 5, rest)
        for name in ("patterns", "starts", "cares", "values", "cells"):
            assert list(getattr(made, name)) == list(getattr(expected, name)), name


def test_surveys_add_up_and_come_back_from_json():
    whole = survey_positions(first_moves(), SMALL_BOOK)
    parts = [survey_positions([position], SMALL_BOOK) for position in first_moves()]
    summed = total_survey(Survey.from_json(part.as_json()) for part in parts)
    assert summed.positions == whole.positions and summed.classes == whole.classes
    for one in SMALL_BOOK.patterns:
        for name in COUNTS:
            assert summed.of(one.id)[name] == whole.of(one.id)[name]
    assert (summed.images, summed.places) == (whole.images, whole.places)


def test_remarks_name_inert_redundant_and_wrongly_rare_patterns():
    games = survey_positions(first_moves(), SMALL_BOOK)
    said = {pattern.id: remark(pattern, games) for pattern in SMALL_BOOK.patterns}
    assert said["never"].startswith("inert: it never fires")
    assert said["centre"] == said["centre-again"] == "it supports moves, but never decides a move alone"
    assert said["beside"] == said["not-beside"] == ""
    idle = Survey(3, counts={"beside": Counter({PRESENT: 3})})
    assert remark(SMALL_BOOK.patterns[3], idle).startswith("inert: it never fires")
    assert remark(line("beside", "attack", 300, "O*"), idle).startswith("inert: it fires, but")
    rare = line("beside", "attack", 300, "O*", flags="r")
    assert remark(rare, games).startswith("marked rare, yet")
    assert remark(line("never", "ko", 900, "OX*", flags="r"), games) == ""
    assert unreached(SMALL_BOOK, games) == ["ko"]


def test_a_rare_pattern_may_decide_one_move_in_a_thousand():
    rare = line("beside", "attack", 300, "O*", flags="r")
    once, more = (Survey(3000, counts={"beside": Counter({SUPPORTS: 9, DECIDES: deeds})}) for deeds in (3, 4))
    assert remark(rare, once) == ""
    assert remark(rare, more) == "marked rare, yet it decides more than one move in 1,000: remove `rare`"


def test_images_and_places_are_those_of_the_board_as_it_lies():
    position = opening(LITTLE_GO).play(7).play(12)  # X at 1,2, O below it, and X to move
    found = survey_positions([position], SMALL_BOOK)
    assert found.places["beside"] == {11, 12}  # `O*` lies at 2,2, or its mirrored box begins at 2,1
    turned = survey_positions([opening(LITTLE_GO).play(12).play(7)], SMALL_BOOK)
    assert turned.places["beside"] == {2, 6, 7}  # the points above, to the left and to the right of the O at 1,2


def test_nothing_is_seen_where_it_cannot_be():
    found = survey_positions([one.position for one in read_decisions()[::80]], book())
    for one in book().patterns:
        assert found.images.get(one.id, set()) <= set(image_numbers(one)), one.id
        assert found.places.get(one.id, set()) <= possible_places(one, 5), one.id
        assert bool(found.places.get(one.id)) == bool(fires(found.of(one.id)) and one.rows), one.id


def test_the_share_that_is_active_and_the_rows_of_classes():
    games = survey_positions(first_moves(), SMALL_BOOK)
    assert active_share(SMALL_BOOK, games) == 5 / 6
    assert active_share(SMALL_BOOK, Survey()) == 0
    rows = {row.kind: row for row in class_rows(SMALL_BOOK, games)}
    assert rows["attack"] == ("attack", 1, 1, 2, 50.0)
    assert rows["opening"][1:4] == (2, 2, 1) and rows[NO_PATTERN].moves == 0
    assert set(remarks_on(SMALL_BOOK, games)) == {"centre", "centre-again", "never"} | (
        {"anywhere"} if remark(SMALL_BOOK.patterns[3], games) else set()
    )


@pytest.mark.parametrize(
    "name, rows, labels, count, fitting",
    [
        ("all alike", "*", "", 1, 25),
        ("a line", "O*O", "", 2, 3 * 5 + 5 * 3 - 9),
        ("a corner", "+-/|*", "", 4, 4),
        ("labelled", "O*O", "A.B", 4, 21),
        ("eight", "XO/.*", "", 8, 16),
        ("none", "", "", 1, 0),
        ("an edge", "---/O*O", "", 4, 11),
    ],
)
def test_images_and_places_of(name, rows, labels, count, fitting):
    one = pattern("p", rows, labels=labels)
    assert len(set(image_numbers(one))) == count
    assert len(possible_places(one, 5)) == fitting


def test_a_drawing_turned_fits_where_the_engine_places_its_image():
    for one in book().patterns:
        if not one.rows:
            continue
        expected = {placed[:2] for placed in placements(parse_shape(one.rows), 5)}
        found = set()
        for symmetry in set(image_numbers(one)):
            # Parse the rotated drawing separately: symmetry 0 is then the drawing as given.
            for care, value, cells in placements(parse_shape(turn_rows(one.rows, symmetry)), 5):
                if cells & 7 == 0:
                    found.add((care, value))
                    assert cells >> 3 & 31 in possible_places(one, 5), one.id
        assert found == expected, one.id


def test_every_corpus_of_a_match_has_its_own_letter():
    names = ["examples", "games of engines, 9x9", "games of engines, 13x13", "games of engines, 19x19"]
    assert letters_of(names) == dict(zip(names, "egam", strict=True))
