"""Tests of the reasons for a move on large boards when a forbidden move would cost less."""

from littlego.engines.draw.decisions import reason_line
from littlego.engines.large.book import LargeBook
from littlego.engines.large.search import decide_large
from littlego.engines.reasons.contrast import VETO, contrast
from littlego.games.match import match_rules
from littlego.rules.patternfile import Pattern
from littlego.rules.position import PASS, WHITE

NOWHERE = Pattern("nowhere\tavoid\t-100\t1\tf\t*\t\t0\t\t\tNo move at all.")
ANYWHERE = Pattern("anywhere\topening\t500\t1\t\t*\t\t10 @* line *\t\t\tHigh is good.")


def pass_behind():
    """Return a decision of White, who is behind and whose moves are all forbidden."""
    position = match_rules(9).opening().play(40).play(PASS).play(38).play(PASS).play(42)
    assert position.colour == WHITE
    return decide_large(position, LargeBook("match", 9, [ANYWHERE, NOWHERE]), complete=True)


def test_a_pass_that_loses_is_played_where_patterns_forbid_all_else():
    decision = pass_behind()
    assert decision.move == PASS and decision.chosen.verdict.loss > 0
    assert all(one.barred for one in decision.candidates[1:])


def test_the_reason_names_what_forbids_the_others():
    decision = pass_behind()
    reason = contrast(decision)
    assert reason.by == VETO and reason.rival is not None and reason.rival.barred
    said = reason_line(decision)
    assert said.startswith("PASS rather than") and "forbidden by nowhere" in said


def test_a_move_that_was_asked_about_is_said_to_be_forbidden():
    decision = pass_behind()
    other = decision.candidates[-1]
    reason = contrast(decision, other)
    assert reason.by == VETO and reason.rival.move == other.move
