"""Why not that move: the answer is true of the decision, whatever decided it."""

import json
import re

import pytest
from boards import position
from knowledge_files import book, compiled
from small_knowledge import CUT, cutting

from rules.engine import decide
from rules.position import PASS, WHITE
from tools.draw.terminal import MOST_COLUMNS
from tools.effects import recorded
from tools.effects.books import knowledge_of
from tools.explain.answers import reason_against, why_not, why_not_json, why_not_text


def asked(drawn, move, **situation):
    return why_not(decide(position(drawn, **situation), book(), complete=True), move, compiled().base.patterns)


def asked_of_few(drawn, move, **situation):
    known = knowledge_of(cutting()[1], "patterns.yaml")
    return why_not(decide(position(drawn, **situation), known.book, complete=True), move, known.known.values())


def test_a_move_with_fewer_points():
    found = asked_of_few(CUT, 18, left=18)
    assert reason_against(found) == "1,1 has points 105, 3,3 50."
    text = why_not_text(found, 2)
    assert "It is number 2 of 20 moves: priority 500, points 50, specificity 2; safe." in text
    assert "\n  cut-across                         +50       -\n" in text
    assert "\n  room-to-move                       +20     +50\n" in text
    assert "\n  points                             105      50\n" in text
    assert "the nearest first (2 of 3)" in text and len(re.findall(r"^  \S+, at ", text, re.M)) == 2
    assert "`in_atari(A)` is false: in_atari(A) is 0" in text


def test_the_gaps_add_up_to_the_difference():
    found = asked(CUT, 18, left=18)
    chosen = found.decision.chosen
    table = why_not_text(found, 1).split("1,1     3,3\n")[1].split("\n\n")[0]
    rows = [line.split() for line in table.splitlines() if "---" not in line]
    gaps = [[0 if value == "-" else int(value) for value in row[1:]] for row in rows]
    totals = [chosen.points, found.candidate.points]
    assert [sum(column) for column in zip(*gaps[:-1], strict=True)] == gaps[-1] == totals


def test_the_move_that_is_played():
    found = asked_of_few(CUT, 6, left=18)
    assert reason_against(found) == "1,1 is the move that is played."
    assert "+50" not in why_not_text(found, 1)


ILLEGAL = [
    (CUT, 7, "1,2 is illegal: there is a stone already."),
    (". O . . .\nO . . . .\n. . . . .\n. . . . .\nX X . . .", 0, "0,0 is illegal: it is suicide."),
    (". . . . .\n. X O . .\nX k X O .\n. X O . .\n. . . . .", 11, "2,1 is illegal: it retakes a ko at once."),
]


@pytest.mark.parametrize(("drawn", "move", "answer"), ILLEGAL)
def test_a_move_that_is_illegal(drawn, move, answer):
    found = asked(drawn, move)
    assert reason_against(found) == answer
    assert why_not_text(found, 5) == f"Why not {answer.split()[0]}: {answer}"
    assert found.candidate is None and found.misses == []


def test_a_vetoed_move_names_the_reply_that_refutes_it():
    everything = recorded.read_decisions()
    seen = 0
    for one in everything[100:2000:150]:
        decision = decide(one.position, book(), complete=True)
        for candidate in decision.candidates if not decision.chosen.veto else ():
            if candidate.veto and candidate.verdict.reply is not None and candidate.verdict.reason == candidate.veto:
                said = reason_against(why_not(decision, candidate.move, []))
                row, column = divmod(candidate.verdict.reply, 5)
                reply = "PASS" if candidate.verdict.reply == PASS else f"{row},{column}"
                assert f"is vetoed: {reply} {candidate.veto}." in said
                seen += 1
    assert seen > 5


def test_near_the_end_the_result_is_known():
    one = next(one for one in recorded.read_decisions() if one.position.left == 2)
    decision = decide(one.position, book(), complete=True)
    worse = next(move for move in decision.candidates if move.result2 != decision.chosen.result2)
    assert "The result is known exactly: " in reason_against(why_not(decision, worse.move, []))


def test_every_move_of_many_positions_has_an_answer():
    for one in recorded.read_decisions()[::500]:
        decision = decide(one.position, book(), complete=True)
        for move in [*range(25), PASS]:
            found = why_not(decision, move, [])
            assert (found.candidate is None) == bool(found.illegal)
            assert reason_against(found).endswith(".") and json.dumps(why_not_json(found, 3))
            assert max(map(len, why_not_text(found, 3).splitlines())) <= MOST_COLUMNS


def test_the_nearest_misses_come_first_and_none_of_them_fires():
    found = asked(CUT, 18, left=18)
    fails = [len(miss.cells) + len(miss.conditions) for _, miss in found.misses]
    assert fails == sorted(fails) and fails[0] == 1
    firing = {one.pattern.id for one in found.candidate.firings}
    assert firing and not firing & {pattern.id for pattern, _ in found.misses}


def test_white_is_told_whose_stones_the_patterns_mean():
    text = why_not_text(asked(CUT, 18, colour=WHITE, left=19), 2)
    assert "their X are White's stones" in text
    assert "their X are" not in why_not_text(asked(CUT, 18, left=18), 2)


def test_a_pass_is_asked_about_like_a_move():
    found = asked(CUT, PASS, left=18)
    assert "PASS" in reason_against(found)
    assert any(pattern.passes for pattern, _ in found.misses)
    assert "pass-to-win (priority 1000" in why_not_text(found, 9)


def test_the_json_tells_the_first_thing_that_fails():
    told = why_not_json(asked(CUT, 0, left=18), 200)
    by_id = {one["pattern"]: one for one in told["near_misses"]}
    cells = [one for one in by_id.values() if one["cells"]]
    assert cells and all(one["failed"].startswith(f"cell {one['cells'][0]['point']} wants") for one in cells)
