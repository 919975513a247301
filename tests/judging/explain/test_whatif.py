"""Tests of what-if, which compares two decisions in one position and shows only their differences."""

from knowledge_files import book

from littlego.cli.terminal import MOST_COLUMNS
from littlego.engines.reasons.contrast import DECIDES, roles_of
from littlego.games.boards import move_text
from littlego.judging import recorded
from littlego.knowledge.answers import WhatIf, book_without, changed_candidates, what_if_json, what_if_text
from littlego.rules.engine import decide


def compared(position, *ids):
    other = book_without(book(), ids)
    return WhatIf("Without", *(decide(position, one, complete=True) for one in (book(), other)))


def test_without_a_pattern_just_its_own_moves_change():
    for one in recorded.read_decisions()[::800]:
        decision = decide(one.position, book(), complete=True)
        pattern_id = decision.chosen.firings[0].pattern.id if decision.chosen.firings else book().patterns[0].id
        found = compared(one.position, pattern_id)
        proposed = {
            candidate.move
            for candidate in decision.candidates
            if pattern_id in {firing.pattern.id for firing in candidate.firings}
        }
        assert {now.move for now, _ in changed_candidates(found)} == proposed
        assert found.moved == (found.then.move != decision.move)
        text = what_if_text(found, 99)
        assert text.count(f"    {pattern_id} ") == len(proposed)
        assert max(map(len, text.splitlines())) <= MOST_COLUMNS


def test_without_a_pattern_that_decides_another_move_is_played_and_its_reason_given():
    position = next(
        one.position for one in recorded.read_decisions()[::7] if DECIDES in roles_at(one.position).values()
    )
    found = compared(position, next(name for name, role in roles_at(position).items() if role == DECIDES))
    now, then = (move_text(side.move, 5) for side in (found.now, found.then))
    text, told = what_if_text(found, 3), what_if_json(found)
    assert f"Chosen: {now} rather than " in text
    assert f"Without: {then} is played instead of {now}." in text and f"Then:   {then} rather than " in text
    assert told["moved"] and told["then"]["move"] == then and now in told["changed"]


def roles_at(position):
    return roles_of(decide(position, book()))


def test_without_a_pattern_that_is_silent_nothing_changes():
    one = next(one for one in recorded.read_decisions() if one.position.number == 1)
    found = compared(one.position, "pass-to-win")
    assert not found.moved and "No move's score changes." in what_if_text(found, 3)
    assert what_if_json(found)["changed"] == []
