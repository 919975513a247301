"""Tests of analysis: visits follow the moves' points, and only known winrates and leads appear."""

from math import e

import brute_force
import pytest
from gtp_talk import Talk
from hypothesis import given, settings
from hypothesis import strategies as st
from small_books import decision, pattern

from littlego.games.match import match_rules
from littlego.players.gtp import analysis
from littlego.players.gtp.analysis import (
    LEAST,
    MOST,
    SPREAD,
    UNKNOWN,
    Value,
    analyse,
    decision_for,
    settled,
    solved_values,
    visits_of,
)
from littlego.players.gtp.protocol import GtpError
from littlego.players.ours import decide_at
from littlego.rules.position import BLACK, PASS, WHITE, opening
from littlego.rules.ruleset import LITTLE_GO

KOMI = LITTLE_GO.komi2 / 2
EMPTY = ". . . . .\n" * 5
CENTRE = "...../...../..*../...../....."


def some_positions(fewest, most, wanted):
    """Return `wanted` positions of random games with `fewest` to `most` moves left."""
    found, seed = [], 0
    while len(found) < wanted:
        game = [position for position in brute_force.playout(seed) if fewest <= position.left <= most]
        found += game[:: max(1, len(game) // 2)]
        seed += 1
    return found[:wanted]


def visits_by_move(made):
    return dict(zip((one.move for one in made.candidates), visits_of(made.candidates), strict=True))


def test_shares_are_a_softmax_of_points():
    made = decision(EMPTY, pattern("any", "*", points=str(SPREAD)), pattern("centre", CENTRE, points=str(2 * SPREAD)))
    visits, unvetoed = visits_by_move(made), [one.move for one in made.candidates if not one.veto]
    assert unvetoed[0] == 12 and len(unvetoed) == 21  # all moves but the corners and the pass, which would end the game
    shares = e**2 + 20  # 12 counts e**2, each of the other 20 moves 1
    assert visits[12] == round(MOST * e**2 / shares)
    assert {visits[move] for move in unvetoed[1:]} == {round(MOST / shares)}
    assert visits[0] == visits[PASS] == LEAST


def test_a_lower_priority_has_the_smaller_share_whatever_its_points():
    centre = pattern("centre", CENTRE, priority=600, points="1")
    made = decision(EMPTY, centre, pattern("any", "*", priority=500, points="900"))
    visits = visits_by_move(made)
    assert made.move == 12
    assert visits[12] == pytest.approx(e * visits[6], rel=0.05)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), ply=st.integers(0, 23))
def test_shares_of_any_decision_fall_with_the_rank_and_stay_in_bounds(seed, ply):
    game = list(brute_force.playout(seed))
    made = decide_at(game[min(ply, len(game) - 1)], complete=True)
    visits = visits_of(made.candidates)
    assert all(LEAST <= count <= MOST for count in visits)
    open_ones = [count for one, count in zip(made.candidates, visits, strict=True) if not one.veto]
    if not made.chosen.veto:
        assert open_ones[0] == max(visits)
    assert open_ones == sorted(open_ones, reverse=True)
    assert {count for one, count in zip(made.candidates, visits, strict=True) if one.veto} - {visits[0]} <= {LEAST}


def brute_value(position, move, komi, known):
    lead = brute_force.lead_after(position, move, known) - komi
    return settled(lead if position.colour == BLACK else -lead)


@pytest.mark.parametrize("komi", [2.5, 2, -1, 0.5, 300])
def test_solved_values_are_those_of_playing_everything_out(komi):
    known: dict = {}
    for position in some_positions(1, 4, 40):
        values = solved_values(position, komi)
        assert values == {move: brute_value(position, move, komi, known) for move in brute_force.moves(position)}


@pytest.mark.parametrize("komi", [2.5, 2, -1, 300, -300])
def test_far_from_the_end_who_wins_is_told_without_the_lead(komi, monkeypatch):
    """Without an exact lead, two win-or-loss searches give the same winrate.

    The analysis uses these searches if an exact lead is too expensive.
    """
    some = some_positions(3, 6, 12)
    by_lead = [solved_values(position, komi) for position in some]
    analysis._solved_value.cache_clear()
    monkeypatch.setattr("littlego.truth.solver.leads.LEADS", 0)
    by_questions = [solved_values(position, komi) for position in some]
    analysis._solved_value.cache_clear()
    for known, told in zip(by_lead, by_questions, strict=True):
        assert told == {move: Value(value.winrate) for move, value in known.items()}


def test_nothing_is_solved_elsewhere():
    assert solved_values(opening(LITTLE_GO), KOMI) == {}
    assert solved_values(match_rules(5).opening(), 6.5) == {}
    position = some_positions(5, 5, 1)[0]
    assert solved_values(position, KOMI, most=4) == {}
    assert solved_values(position, KOMI, is_wanted=lambda: False) == {}
    asked = []
    assert solved_values(position, KOMI, is_wanted=lambda: asked.append(1) or len(asked) < 3) == {}
    assert len(asked) == 3
    assert solved_values(position, KOMI)


def test_far_from_the_end_no_winrate_is_made_up():
    found = analyse(decide_at(opening(LITTLE_GO)), KOMI, {})
    assert {one.value for one in found.outlooks} == {Value(UNKNOWN), Value(0.0, -2.5)}  # the pass ends the game
    assert not found.is_solved and "unknown winrates" in found.note
    assert found.outlooks[0].move == 12


def test_a_move_that_ends_the_game_is_known_by_any_rules():
    position = match_rules(7).opening().play(24).play(PASS)
    (passed,) = [one for one in analyse(decide_at(position), 6.5, {}).outlooks if one.move == PASS]
    score = 1 + 48 - 6.5 + (1 - 1)  # Black has the whole board, and each side has handed over one stone
    assert passed.value == Value(1.0, score)
    other = [one for one in analyse(decide_at(position), 6.5, {}).outlooks if one.move != PASS]
    assert {one.value for one in other} == {Value(UNKNOWN)}


@pytest.mark.parametrize("komi", [2.5, 3, -4.5])
def test_the_engines_own_exact_results_count_by_the_komi_that_was_told(komi):
    known: dict = {}
    for position in some_positions(1, 2, 10):
        found = analyse(decide_at(position, complete=True), komi, {})
        assert found.is_solved
        for one in found.outlooks:
            lead = brute_force.lead_after(position, one.move, known) - komi
            assert one.value == settled(lead if position.colour == BLACK else -lead)


def test_solved_moves_come_in_the_order_of_their_results():
    for position in some_positions(3, 5, 8):
        made = decide_at(position, complete=True)
        found = analyse(made, KOMI, solved_values(position, KOMI))
        ranks = [(one.value.winrate, one.value.lead) for one in found.outlooks]
        assert found.is_solved and "exact" in found.note
        assert ranks == sorted(ranks, reverse=True) and len(ranks) == len(made.candidates)


def test_a_refuted_move_carries_its_refutation():
    talk = Talk(player="ours")
    talk.ask("gogui-play_sequence b C3 w C4 b B4 w D4 b D3")
    found = analyse(decision_for(talk.session, WHITE), KOMI, {})
    lines = {one.move: one.line for one in found.outlooks}
    assert lines[20] == (20, 15)  # A1, since Black at A2 would put this stone beyond rescue
    assert lines[found.outlooks[0].move] == (found.outlooks[0].move,)


def test_a_position_is_decided_once():
    talk = Talk(player="ours")
    first = decision_for(talk.session, BLACK)
    assert decision_for(talk.session, BLACK) is first
    talk.ask("play b C3")
    assert decision_for(talk.session, WHITE) is not first
    talk.ask("undo")
    assert decision_for(talk.session, BLACK) is first


def test_who_has_no_patterns_has_no_reasons():
    with pytest.raises(GtpError, match="random does not play by patterns; start the engine with --player ours"):
        decision_for(Talk().session, BLACK)
