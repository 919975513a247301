"""Tests of points fitted to games: fits recover the true points, and are reproducible and resumable."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pytest
from fitted_games import SIZE, YAML, base, drawn_game

from littlego.cache import Cache
from littlego.cli.arguments import ArgumentError
from littlego.engines.large.book import LargeBook
from littlego.engines.large.search import decide_large
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.expressions import parse
from littlego.knowledge.model import SCALE, USUAL
from littlego.knowledge.textfile import pattern_line
from littlego.learning.fitting import fitting
from littlego.learning.fitting.fitting import Settings, best_of, fit_points, games_of, read_options
from littlego.learning.fitting.options import options_of, pack_options, unpack_options
from littlego.learning.fitting.points import Belief, coefficients, prior_of, scale_text, weights_of
from littlego.learning.fitting.samples import FOLDS, HELD_OUT, fold_of, sampled, weight_of
from littlego.learning.fitting.softmax import typical_values
from littlego.learning.fitting.table import agreement
from littlego.rules.engine import BUILT_IN
from littlego.rules.patternfile import Pattern
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE

TRUE = {"anywhere": 0.0, "touch": 24.0, "link": 9.0, "room": 1.5, "not-so-low": -18.0, "never": 9.0}
SETTINGS = Settings(most=20, loser=0.5, deviation=100, from_present=False)


@lru_cache(maxsize=1)
def games():
    return [drawn_game(seed, TRUE) for seed in range(30)]


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    """Make the tests of this module use a cache in a temporary folder."""
    patch = pytest.MonkeyPatch()
    patch.setattr(fitting, "Cache", partial(Cache, folder=tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@lru_cache(maxsize=1)
def fitted():
    return fit_points(base(), games(), SETTINGS, 1)


def test_points_that_made_the_games_are_found_again():
    changes = {change.entry: change for change in fitted().changes}
    for name in ("touch", "link", "not-so-low"):
        one = changes[name]
        level = SCALE * changes["anywhere"].fitted  # a fit may shift all points by the value of `anywhere`
        assert abs(SCALE * one.fitted - TRUE[name]) < 4 * one.error + abs(level), one
        assert int(one.new) == round(SCALE * one.fitted), one
    room = changes["room"]
    assert abs(room.fitted - TRUE["room"]) < 4 * room.error
    assert room.new == f"{round(4 * room.fitted)} * own_liberties(*)"


def test_what_is_never_met_stays_as_it_is_and_is_named():
    found = fitted()
    [never] = [change for change in found.changes if change.entry == "never"]
    assert found.idle == ["never"] and not never.differs and (never.moves, never.played) == (0, 0)


def test_agreement_with_games_that_are_held_out_rises():
    found = fitted()
    before, after = found.agreements(found.table.held)
    assert 0 < before.moves < found.table.held.size and before.moves == after.moves
    assert after.surprise < before.surprise - 0.1
    assert after.first > before.first and after.five > before.five
    assert before.proposed == after.proposed == before.moves


def test_true_points_surprise_as_little_as_those_that_are_fitted():
    found = fitted()
    true = np.array([TRUE[one.entry] / (1 if one.entry == "room" else SCALE) for one in found.changes])
    held = found.table.held
    best = agreement(found.table, true, held).surprise
    assert agreement(found.table, found.after, held).surprise < best + 0.05


def test_the_same_games_give_the_same_points_in_any_order():
    found, other = fitted(), fit_points(base(), games()[::-1], SETTINGS, 1)
    assert [one.new for one in found.changes] == [one.new for one in other.changes]
    assert found.as_json() == fit_points(base(), games(), SETTINGS, 1).as_json()


def test_held_out_games_stay_held_out_whatever_else_is_there():
    held = {game.seed for game in games() if fold_of(game) == HELD_OUT}
    assert 2 <= len(held) <= 12
    assert {fold_of(game) for game in games()} == {HELD_OUT, *range(FOLDS)}
    assert {game.seed for game in games()[:20] if fold_of(game) == HELD_OUT} == {seed for seed in held if seed < 20}
    assert all(fold_of(game._replace(seed=99, winner=0)) == fold_of(game) for game in games())


def test_what_was_looked_at_is_not_looked_at_again(monkeypatch, tmp_path):
    monkeypatch.setattr(fitting, "Cache", partial(Cache, folder=tmp_path))
    asked, real = [], fitting.options_in

    def stopping(lines, sample):
        asked.append(sample.game.seed)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return real(lines, sample)

    samples = sampled(games()[:6], 3, 0.5)
    monkeypatch.setattr(fitting, "options_in", stopping)
    with pytest.raises(KeyboardInterrupt):
        list(read_options(base(), samples, 1))
    options = list(read_options(base(), samples, 1))
    assert asked == [0, 1, 2, 2, 3, 4, 5]
    assert options == list(read_options(base(), samples, 1)) and len(asked) == 7


def test_a_strong_prior_keeps_points_at_0_or_as_they_are():
    none = fit_points(base(), games(), Settings(20, 0.5, 0.01, from_present=False), 1)
    assert [one.new for one in none.changes if one.entry in ("touch", "link")] == ["0", "0"]
    assert set(none.weightless) >= {"touch", "link"}
    same = fit_points(base(), games(), Settings(20, 0.5, 0.01, from_present=True), 1)
    assert [one.entry for one in same.changes if one.differs] in ([], ["room"])


def test_cross_validation_finds_which_belief_games_bear_out(monkeypatch):
    """The true points are far from 0 and from the current points, so the larger deviation is better."""
    monkeypatch.setattr(fitting, "DEVIATIONS", (2.0, 20.0))
    assert fit_points(base(), games(), Settings(20, 0.5), 1).belief.deviation == 20
    weights, _ = weights_of(base())
    right = [replace(one, points=round(TRUE[one.entry])) if one.points is not None else one for one in weights]
    assert best_belief(right) == Belief(2.0, True)  # the points are already right, so they should stay


def best_belief(weights):
    """Return the belief that cross-validation chooses if `weights` contain the current points."""
    found = fitted()
    table = found.table
    wanted = table.decided & ~table.held
    known = table.choices.only(wanted)
    start = np.array([TRUE["room"] if one.points is None else one.start for one in weights])
    priors = {
        belief: replace(prior_of(weights, typical_values(known), belief), centre=start * belief.from_present)
        for belief in Settings(20, 0.5).beliefs
    }
    return best_of(priors, known, table.fold[wanted], start)


def test_without_games_or_moves_there_is_nothing_to_fit():
    with pytest.raises(ArgumentError, match="no game has a move"):
        fit_points(base(), [], SETTINGS, 1)
    with pytest.raises(
        ArgumentError, match="^a.jsonl, b.sgf: no game has a requested board size; these files have 7x7"
    ):
        games_of([Path("a.jsonl"), Path("b.sgf")], games(), [9])
    assert games_of([], games(), [SIZE, 9]) == games()


# -- moves ---------------------------------------------------------------------------------------------------


def test_moves_of_the_winner_count_more_and_those_of_our_own_player_only_where_it_won():
    game = games()[0]._replace(winner=BLACK)
    assert [weight_of(game, ply, 0.5) for ply in (0, 1)] == [1, 0.5]
    ours = game._replace(players=("ours", "gnugo"))
    assert [weight_of(ours, ply, 0.5) for ply in (0, 1)] == [1, 0.5]
    ours = ours._replace(winner=WHITE)
    assert [weight_of(ours, ply, 0.5) for ply in (0, 1)] == [0, 1]
    ours = ours._replace(winner=0)
    assert [weight_of(ours, ply, 0.5) for ply in (0, 1)] == [0, 1]
    gone = game._replace(players=("no-such-player", "gnugo"), winner=WHITE)
    assert weight_of(gone, 0, 0.5) == 0


def test_given_moves_and_resignations_are_no_examples_and_a_game_is_taken_once():
    game = games()[0]._replace(opening=4)
    game = game._replace(moves=(*game.moves[:9], RESIGN))
    [sample] = sampled([game, game._replace(seed=77)], 100, 0.5)
    assert sample.plies == (4, 5, 6, 7, 8)
    [fewer] = sampled([game], 3, 0.5)
    assert len(fewer.plies) == 3 and set(fewer.plies) < set(sample.plies)
    assert sampled([game._replace(players=("ours", "ours"), winner=0)], 100, 0.5) == []


# -- options -------------------------------------------------------------------------------------------------


def test_options_are_what_the_engine_puts_first():
    book = LargeBook("match", SIZE, [Pattern(pattern_line(pattern)) for pattern in base().ranked()])
    for position in games()[0].positions()[::3]:
        options = options_of(position, book)
        candidates = decide_large(position, book, complete=True).candidates
        expected = {
            one.move: sorted(firing.points for firing in one.firings) for one in candidates if one.priority >= USUAL
        }
        assert {one.move: sorted(points for _, points in one.firings) for one in options} == expected
        assert PASS not in expected and all(one.priority > BUILT_IN for one in options)
        assert unpack_options(pack_options([options, []])) == [options, []]


# -- points --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "factor", "scaled"),
    [
        ("40", 0.5, "20"),
        ("-40", 1.26, "-50"),
        ("12 * size(A)", 1.5, "18 * size(A)"),
        ("size(A) * 12", 1.5, "size(A) * 18"),
        ("9 * size(A) + 11 * size(B) - 4", 2, "18 * size(A) + 22 * size(B) - 8"),
        ("33 * (captures(*) - size(A))", 2, "66 * (captures(*) - size(A))"),
        ("007 * size(A)", 2, "14 * size(A)"),
        ("10 * (line(*) > 3)", 0.04, "0 * (line(*) > 3)"),
    ],
)
def test_an_expression_is_scaled_where_each_term_has_a_number(text, factor, scaled):
    assert scale_text(text, factor) == scaled


@pytest.mark.parametrize("text", ["size(A)", "40 + size(A)", "size(A) > 3", "3 * size(A) + line(*) * line(*)"])
def test_an_expression_with_a_bare_term_has_no_factor(text):
    assert coefficients(parse(text)) is None


def test_what_can_be_fitted():
    weights, columns = weights_of(base())
    assert [(one.entry, one.points, one.warns) for one in weights] == [
        ("anywhere", 0, False),
        ("link", -6, False),
        ("never", 9, False),
        ("room", None, False),
        ("touch", 12, False),
        ("not-so-low", -10, True),
    ]
    assert columns == list(range(6))


def test_what_is_zero_times_something_has_no_factor():
    """Points such as `0 * size(A)` have no factor that a fit can change, so a fit leaves them unchanged."""
    _, problems, read = compile_text(YAML.replace("'4 * own", "'0 * own"), "patterns.match.yaml")
    assert not problems
    weights, _ = weights_of(read)
    assert "room" not in {one.entry for one in weights}
    fit_points(read, games()[:3], SETTINGS, 1)
