"""Tests of rulesets by name, of the interface of all Go games, and of pickled positions and plans."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from boards import position as little_go_position
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS, games
from random_matches import random_match

from littlego.games import game
from littlego.games.game import opening, ruleset_named, why_illegal, winner_of
from littlego.games.kinds import GameRuleset, UnknownRulesetError
from littlego.games.little_go import little_go_of
from littlego.games.match import KOMI2, LARGEST_KOMI, MatchPosition, MatchRuleset, match_named, match_rules
from littlego.match.series import Pairing
from littlego.rules import position as stones
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE
from littlego.rules.ruleset import LITTLE_GO, SUPERKO, Ruleset, little_go

ROOT = Path(__file__).resolve().parents[2]
MATCHES = st.builds(
    match_rules, st.integers(5, 19), st.integers(-2 * LARGEST_KOMI, 2 * LARGEST_KOMI), pass_stones=st.booleans()
)


@pytest.mark.parametrize("size", range(5, 20))
@pytest.mark.parametrize("pass_stones", [True, False])
@pytest.mark.parametrize("komi2", [KOMI2, 0, 1, 15, -1, -7, 2 * LARGEST_KOMI, -2 * LARGEST_KOMI - 1])
def test_the_name_of_a_match_means_the_same_object(size, pass_stones, komi2):
    match = match_rules(size, komi2, pass_stones)
    assert ruleset_named(match.name) is match
    assert (match.size, match.komi2, match.pass_stones) == (size, komi2, pass_stones)


@given(MATCHES, MATCHES)
def test_two_matches_are_one_where_their_names_are(one, other):
    assert (one is other) is (one.name == other.name)
    assert ruleset_named(one.name) is one


def test_however_it_is_asked_for_it_is_the_same_object():
    asked = [match_rules(size=9), match_rules(9, KOMI2), match_rules(9, pass_stones=True), match_named("match-9")]
    assert all(match is match_rules(9) for match in asked)


@pytest.mark.parametrize("size", range(2, 20))
def test_the_name_of_the_courses_game_means_the_same_object(size):
    ruleset = little_go_of(size)
    assert ruleset_named(ruleset.name) is ruleset
    assert (ruleset.size, ruleset.komi2, ruleset.length) == (size, size, size * size - 1)


NAMES = {
    "match": match_rules(19),
    "match-19": match_rules(19),
    "match-9": match_rules(9),
    "match-9-komi7": match_rules(9, 14),
    "match-komi0.5": match_rules(19, 1),
    "match-5-no-pass-stones": match_rules(5, KOMI2, False),
    "match-no-pass-stones-komi-3.5": match_rules(19, -7, False),
    "little-go": LITTLE_GO,
    "little-go-5": LITTLE_GO,
}


@pytest.mark.parametrize(("name", "ruleset"), NAMES.items(), ids=NAMES)
def test_names(name, ruleset):
    assert ruleset_named(name) is ruleset


NO_NAMES = """
    go Match match- match-4 match-20 match-99 match-05x match-9- match-9-komi match-9-komi6.25 match-9-komi6.
    match-9-komi99999 match-komi7-no-pass-stones match-no-pass-stones-5
    little-go- little-go-1 little-go-20 little-go-123 little-go-x
    """


@pytest.mark.parametrize(
    "name",
    ["", " match", "match-9\n", "little-go-9\n", "match-\u0669", "little-go-\u0669", *NO_NAMES.split()],
    ids=ascii,
)
def test_anything_else_is_no_name(name):
    with pytest.raises(UnknownRulesetError):
        ruleset_named(name)


@settings(max_examples=50)
@given(st.from_regex(r"(match|little-go)[-0-9.a-z]{0,12}"))
def test_a_name_means_rules_or_none(name):
    try:
        ruleset = ruleset_named(name)
    except UnknownRulesetError:
        return
    assert ruleset_named(ruleset.name) is ruleset


def test_the_constants_of_a_match():
    match = match_rules()
    assert isinstance(match, GameRuleset)
    assert (match.name, match.size, match.komi2, match.length, match.ko) == ("match", 19, 13, 0, SUPERKO)
    assert match.pass_stones and not match.opening_pass_ends


@settings(max_examples=25)
@given(games(longest=24))
def test_the_courses_game_is_answered_for_by_the_engine(played):
    ruleset, _, positions = played
    assert game.opening(ruleset).left == stones.opening(ruleset).left
    for position in positions:
        assert game.margin2(position) == stones.margin2(position)
        assert winner_of(position) == stones.winner_of(position)


def test_a_tie_has_no_winner():
    even = Ruleset("even", 3, komi2=0, length=8)
    assert winner_of(opening(even)) == 0
    assert [winner_of(opening(match_rules(5, komi2))) for komi2 in (1, 0, -1)] == [WHITE, 0, BLACK]


ILLEGAL = """
    . X O . .
    X k X O .
    . X O . .
    X X . . .
    . X . . O
    """


def test_why_a_move_is_illegal():
    position = little_go_position(ILLEGAL, colour=WHITE)
    assert {point: why_illegal(position, point) for point in (PASS, RESIGN, 4, 1, 6, 20, 25, -3)} == {
        PASS: "",
        RESIGN: "",
        4: "",
        1: "there is a stone already",
        6: "it retakes a ko at once",
        20: "it is suicide",
        25: "off the board",
        -3: "off the board",
    }


def test_the_reasons_of_superko():
    match = match_rules(5)
    board = little_go_position(ILLEGAL.replace("X k X O .", "X O k O ."))
    retaking = match.start((board.black, board.white), BLACK).play(7)
    assert why_illegal(retaking, 6) == "it retakes a ko at once"
    later = retaking.play(PASS).play(4)
    assert why_illegal(later, 6) == ""
    assert later.play(6).prisoners == (2, 1)


KEPT = "black", "white", "colour", "ko", "passed", "left", "grid", "prisoners", "seen", "plies", "number"


@settings(max_examples=30)
@given(SEEDS, MATCHES.filter(lambda match: match.size < 10))
def test_positions_are_the_same_after_pickling(seed, match):
    options = {"komi2": match.komi2, "pass_stones": match.pass_stones}
    for position in random_match(seed, match.size, 30, **options)[::10]:
        again = pickle.loads(pickle.dumps(position))
        assert isinstance(again, MatchPosition) and again.ruleset is match
        for name in KEPT:
            assert getattr(again, name) == getattr(position, name), name
        assert again.legal() == position.legal() and again.score() == position.score()
        assert again.play(PASS).seen == position.play(PASS).seen


@given(MATCHES)
def test_a_ruleset_is_the_same_object_after_pickling(match):
    again = pickle.loads(pickle.dumps(match))
    assert again is match and isinstance(again, MatchRuleset)


def test_a_plan_of_a_game_reaches_another_process_with_its_ruleset():
    pairing = Pairing(3, "random", "greedy", 7, ruleset=match_rules(7, 1, False).name, minutes=0.5)
    assert pickle.loads(pickle.dumps(pairing)) == pairing
    code = (
        "import pickle, sys\nfrom littlego.games.game import ruleset_named\n"
        "from littlego.games.match import match_rules\n"
        "pairing = pickle.load(sys.stdin.buffer); print(ruleset_named(pairing.ruleset) is match_rules(7, 1, False))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(pairing), cwd=ROOT, capture_output=True)
    assert (done.stdout.strip(), done.stderr) == (b"True", b"")


def test_little_go_on_other_boards_is_not_the_courses_own():
    assert little_go_of(5) is LITTLE_GO
    assert little_go_of(9) is little_go_of(9) and little_go_of(9).name == little_go(9).name == "little-go-9"
