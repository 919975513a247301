"""Tests of why-not: the answer is correct for every kind of decision."""

import json
import re

import pytest
from boards import position, swap_colours
from knowledge_files import book
from small_books import candidate_at, decision, pattern
from small_knowledge import CUT, cutting

from littlego.cli.terminal import MOST_COLUMNS
from littlego.engines.draw.decisions import MOST_LINES, MOST_NAMED
from littlego.judging import recorded
from littlego.knowledge.answers import contrast_with, played_out, reason_against, why_not, why_not_json, why_not_text
from littlego.knowledge.files import knowledge_of
from littlego.rules.engine import decide
from littlego.rules.position import BLACK, PASS, WHITE, margin2


def asked(drawn, move, **situation):
    return why_not(decide(position(drawn, **situation), book(), complete=True), move, book().patterns)


def asked_of_few(drawn, move, **situation):
    known = knowledge_of(cutting()[1], "patterns.yaml")
    return why_not(decide(position(drawn, **situation), known.book, complete=True), move, known.book.patterns)


def test_a_move_with_fewer_points():
    found = asked_of_few(CUT, 18, left=18)
    assert reason_against(found) == (
        "1,1 rather than 3,3: cut-across +50, give-atari +35; against 1,1: room-to-move -30."
    )
    text = why_not_text(found, 2, whole=False)
    assert "\nWhy not 3,3: 1,1 rather than 3,3: cut-across +50, " in text
    assert "\n  It is number 2 of 20 moves: priority 500, points 50, specificity 2; safe.\n" in text
    assert "the nearest first (2 of 3)" in text and len(re.findall(r"^  \S+, at ", text, re.M)) == 2
    assert "`in_atari(A)` is false: in_atari(A) is 0" in text


def test_the_whole_answer_has_all_points_side_by_side():
    found = asked_of_few(CUT, 18, left=18)
    short, whole = (why_not_text(found, 2, whole=whole) for whole in (False, True))
    assert "\n  cut-across                         +50       -\n" in whole
    assert "\n  room-to-move                       +20     +50\n" in whole
    assert "\n  points                             105      50\n" in whole
    assert "---" not in short and set(short.splitlines()) < set(whole.splitlines())


def test_the_gaps_add_up_to_the_difference():
    found = asked(CUT, 18, left=18)
    chosen = found.decision.chosen
    table = why_not_text(found, 1, whole=True).split("1,1     3,3\n")[1].split("\n\n")[0]
    rows = [line.split() for line in table.splitlines() if "---" not in line]
    gaps = [[0 if value == "-" else int(value) for value in row[1:]] for row in rows]
    totals = [chosen.points, found.candidate.points]
    assert [sum(column) for column in zip(*gaps[:-1], strict=True)] == gaps[-1] == totals


def test_the_move_that_is_played():
    found = asked_of_few(CUT, 6, left=18)
    assert reason_against(found) == "1,1 is the chosen move." and contrast_with(found) is None
    assert "+50" not in why_not_text(found, 1, whole=True)


ILLEGAL = [
    (CUT, 7, "1,2 is illegal: there is a stone already."),
    (". O . . .\nO . . . .\n. . . . .\n. . . . .\nX X . . .", 0, "0,0 is illegal: it is suicide."),
    (". . . . .\n. X O . .\nX k X O .\n. X O . .\n. . . . .", 11, "2,1 is illegal: it retakes a ko at once."),
]


@pytest.mark.parametrize(("drawn", "move", "answer"), ILLEGAL)
def test_a_move_that_is_illegal(drawn, move, answer):
    found = asked(drawn, move)
    assert reason_against(found) == answer
    assert why_not_text(found, 5, whole=True) == f"Why not {answer.split()[0]}: {answer}"
    assert found.candidate is None and found.misses == [] and contrast_with(found) is None


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
                assert f"is vetoed: the reply {reply} {candidate.veto}." in said
                seen += 1
    assert seen > 5


def test_near_the_end_the_result_is_known():
    one = next(one for one in recorded.read_decisions() if one.position.left == 2)
    decision = decide(one.position, book(), complete=True)
    worse = next(move for move in decision.candidates if move.result2 != decision.chosen.result2)
    results = [f"{candidate.result2 / 2:+g}" for candidate in (decision.chosen, worse)]
    said = reason_against(why_not(decision, worse.move, []))
    assert re.search(rf": exact results: {re.escape(results[0])} for \S+ and {re.escape(results[1])} for \S+\.$", said)


def test_every_move_of_many_positions_has_an_answer():
    for one in recorded.read_decisions()[::500]:
        decision = decide(one.position, book(), complete=True)
        for move in [*range(25), PASS]:
            found = why_not(decision, move, [])
            assert (found.candidate is None) == bool(found.illegal)
            assert reason_against(found).endswith(".") and json.dumps(why_not_json(found, 3))
            assert max(map(len, why_not_text(found, 3, whole=True).splitlines())) <= MOST_COLUMNS


def test_the_reason_is_about_the_move_that_is_asked_about():
    for one in recorded.read_decisions()[::700]:
        decision = decide(one.position, book(), complete=True)
        for candidate in decision.candidates[1:]:
            reason = contrast_with(why_not(decision, candidate.move, []))
            assert reason.asked and (reason.chosen, reason.rival.move) == (decision.chosen, candidate.move)
            gap = (
                0 if not decision.chosen.firings or not candidate.firings else decision.chosen.points - candidate.points
            )
            assert gap in (0, reason.lead)


def test_the_answer_fits_a_terminal():
    for one in recorded.read_decisions()[7::900]:
        decision = decide(one.position, book(), complete=True)
        answers = [why_not(decision, candidate.move, []) for candidate in decision.candidates]
        longest = max(answers, key=lambda answer: len(reason_against(answer)))
        lines = why_not_text(why_not(decision, longest.move, book().patterns), 2, whole=False).splitlines()
        assert len(lines) <= MOST_LINES and max(map(len, lines)) <= MOST_COLUMNS


MANY_BETTER = """
    . . . X .
    X . . X X
    . . O O .
    . X . O .
    . . . . ."""  # O to move: 4,4, in the corner, lacks a dozen properties that 2,1 has


def test_of_many_patterns_that_make_the_difference_a_few_are_named_and_the_rest_summed():
    found = asked(MANY_BETTER, 24, colour=WHITE, left=15)
    reason = contrast_with(found)
    assert len(reason.named) > MOST_NAMED
    listed = re.findall(r"[a-z-]+ ([+]\d+)", reason_against(found))
    rest = re.search(r", (\d+) more ([+]\d+)\.$", reason_against(found))
    assert len(listed) == MOST_NAMED + 1 and int(rest[1]) == len(reason.gains) - MOST_NAMED
    assert sum(map(int, listed)) == reason.lead


def test_the_nearest_misses_come_first_and_none_of_them_fires():
    found = asked(CUT, 18, left=18)
    fails = [len(miss.cells) + len(miss.conditions) for _, miss in found.misses]
    assert fails == sorted(fails) and fails[0] == 1
    firing = {one.pattern.id for one in found.candidate.firings}
    assert firing and not firing & {pattern.id for pattern, _ in found.misses}


def test_white_is_told_whose_stones_the_patterns_mean():
    text = why_not_text(asked(CUT, 18, colour=WHITE, left=19), 2, whole=False)
    assert "X stands for White" in text and max(map(len, text.splitlines())) <= MOST_COLUMNS
    assert "X stands for" not in why_not_text(asked(CUT, 18, left=18), 2, whole=False)


def test_a_pass_is_asked_about_like_a_move():
    found = asked(CUT, PASS, left=18)
    assert "PASS" in reason_against(found)
    assert any(pattern.passes for pattern, _ in found.misses)
    assert "pass-to-win (priority 1000" in why_not_text(found, 9, whole=False)


def test_the_json_tells_the_first_thing_that_fails():
    told = why_not_json(asked(CUT, 0, left=18), 200)
    by_id = {one["pattern"]: one for one in told["near_misses"]}
    cells = [one for one in by_id.values() if one["cells"]]
    assert cells and all(one["failed"].startswith(f"cell {one['cells'][0]['point']} is ") for one in cells)


SHORT_OF_TIME = """
    . . . . .
    O . . . .
    . O . . X
    X O . . .
    . O . . ."""


@pytest.mark.parametrize(("colour", "left", "side"), [(BLACK, 6, "X"), (WHITE, 5, "O")])
def test_near_the_end_it_plays_the_game_out(colour, left, side):
    drawn = SHORT_OF_TIME if colour == BLACK else swap_colours(SHORT_OF_TIME)
    made = decision(drawn, pattern("any", "*"), left=left, colour=colour)
    text = " ".join(why_not_text(why_not(made, 10, []), 3, whole=False).split())
    line, after = played_out(candidate_at(made, 10), made), made.position
    for move in line:
        assert move == PASS or after.legal() >> move & 1
        after = after.play(move)
    assert len(line) == left
    assert f"Played out: {side} 2,0 " in text
    assert f" wins by {abs(margin2(after)) / 2:g} point" in text and (margin2(after) > 0) == (colour == WHITE)


def test_a_move_that_is_safe_is_not_played_out():
    made = decision(SHORT_OF_TIME, pattern("any", "*"), left=12)
    assert played_out(candidate_at(made, 0), made) == []


FALLING = """
    . . . . .
    . X X X O
    . . X O O
    . X . . .
    O O . . ."""


def test_the_lines_that_the_move_would_start_are_shown():
    found = asked(FALLING, 22, left=14)
    short, whole = (why_not_text(found, 2, whole=whole) for whole in (False, True))
    assert "\n  Read: capture-in-four, ladder-several: after X 4,2 the 2 stones at 4,0 fall:\n" in short
    assert len(short.splitlines()) <= MOST_LINES
    told = why_not_json(found, 2)["lines"]
    assert {fact for line in told for fact in line["facts"]} >= {"takes_in_3", "ladder", "played_out"}
    assert all(line["text"] in " ".join(whole.split()) for line in told)
    assert why_not_json(asked(FALLING, 6, left=14), 2)["lines"] == []
