"""Tests of decisions with an unknown number of moves left, for which the maximum is often assumed."""

from __future__ import annotations

import random

import pytest
from boards import position as position_of
from hypothesis import given, settings
from hypothesis import strategies as st
from override_files import Asked, override
from random_boards import SEEDS, boards, games
from small_books import book, pattern
from small_knowledge import CUT

from littlego.rules.engine import decide
from littlego.rules.geometry import image_of, points_of, symmetry_tables
from littlego.rules.overrides import Overrides
from littlego.rules.patternfile import Book, empty_book
from littlego.rules.position import BLACK, PASS, WHITE, Position, margin2
from littlego.rules.ruleset import LITTLE_GO, little_go
from littlego.rules.turn import moves_made
from littlego.rules.uncounted import EXACT, LAST, REFUSED, Uncounted, decide_uncounted

FEW = settings(max_examples=30, deadline=None)
CENTRE = book(pattern("centre", "*", "@* line"))  # a book that always prefers the centre


def at_left(position: Position, left: int) -> Position:
    """Return the position with another number of moves left."""
    return Position(
        position.ruleset, position.black, position.white, position.colour, position.ko, position.passed, left
    )


def with_lefts(position: Position) -> list[Position]:
    """Return the position with its number of moves left, and with each smaller number for the same mover."""
    return [at_left(position, left) for left in range(position.left, 0, -2)]


def asked(board: str, colour=BLACK, left=10, book=CENTRE, **rest) -> Uncounted:
    """Return the decision on a drawn board with at most this many moves left."""
    return decide_uncounted(with_lefts(position_of(board, colour, left)), book, **rest)


def same(found: Uncounted, position: Position, book: Book, overrides: Overrides | None = None) -> bool:
    """Return whether the decision equals the decision with the known number of moves left in `position`."""
    known = decide(position, book, overrides=overrides)
    shown = [(one.move, one.points, one.veto) for one in known.candidates]
    return (
        found.refused is None
        and found.move == known.move
        and found.decision.position.left == position.left
        and [(one.move, one.points, one.veto) for one in found.decision.candidates] == shown
    )


# -- positions without an alternative move ---------------------------------------------------------------------


@pytest.mark.parametrize("left", [18, 6, 4, 2])
def test_a_number_that_is_known_is_simply_decided(left):
    position = position_of(CUT, left=left)
    assert same(decide_uncounted([position], CENTRE), position, CENTRE)
    for overrides in [on_record(), on_record((18, 0))]:
        assert same(decide_uncounted([position], CENTRE, overrides=overrides), position, CENTRE, overrides)


@pytest.mark.parametrize("left", [8, 12, 18])
def test_before_the_last_moves_the_most_is_believed(left):
    """If eight or more moves may be left, this is hardly our last move, so the maximum is assumed.

    With six moves left, this may be our last move, so the patterns' move is refused.
    """
    assert asked(SIX, left=6).refused is not None
    assert last_results(SIX, BLACK, left)[decide(position_of(SIX, left=left), CENTRE).move] < 0
    assert same(asked(SIX, left=left), position_of(SIX, left=left), CENTRE)


def test_where_the_last_move_cannot_be_this_one_the_most_is_believed():
    """The possible numbers of moves left here are six and four, for which no result is exact."""
    lefts = with_lefts(position_of(SIX, left=6))
    assert asked(SIX, left=6).refused is not None
    assert same(decide_uncounted(lefts[:-1], CENTRE), lefts[0], CENTRE)


# -- recorded positions ----------------------------------------------------------------------------------------


def on_record(*lefts_and_moves: tuple[int, int]) -> Overrides:
    """Return overrides for CUT, one for each (number of moves left, move)."""
    return Asked(dict(override(position_of(CUT, left=left), move) for left, move in lefts_and_moves)).overrides


@pytest.mark.parametrize(
    ("record", "left", "move"),
    [
        ([(12, 0)], 12, 0),
        ([(12, 0), (8, 4)], 12, 0),  # the likeliest number of moves left
        ([(18, 4), (12, 0)], 18, 4),
        ([(4, PASS)], 4, PASS),
    ],
)
@pytest.mark.parametrize("complete", [False, True])
def test_a_position_on_record_is_taken_to_be_that_one(record, left, move, complete):
    found = asked(CUT, left=18, overrides=on_record(*record), complete=complete)
    assert (found.move, found.decision.position.left, found.refused) == (move, left, None)
    assert found.decision.overruled is not None and found.decision.complete == complete
    assert found.lefts == [18, 16, 14, 12, 10, 8, 6, 4, 2]


def test_a_record_that_agrees_with_the_patterns_is_believed_too():
    plain = decide(position_of(CUT, left=12), CENTRE).move
    found = asked(CUT, left=18, overrides=on_record((12, plain)))
    assert (found.move, found.decision.position.left, found.decision.overruled) == (plain, 12, None)


@pytest.mark.parametrize("record", [[], [(20, 0)]], ids=["nothing", "more than can be"])
def test_other_records_change_nothing(record):
    assert same(asked(CUT, left=18, overrides=on_record(*record)), position_of(CUT, left=18), CENTRE)


def test_a_position_on_record_does_not_give_way():
    lost = decide(position_of(SIX, left=6), CENTRE).move
    overrides = Asked(dict([override(position_of(SIX, left=6), lost)])).overrides
    assert asked(SIX, left=6).move != lost == asked(SIX, left=6, overrides=overrides).move


# -- the last moves of games played without a count ------------------------------------------------------------

SIX = """
    O O O X a
    b X X X .
    O X X X O
    O X X O O
    O . . . ."""
FOUR = """
    O . . . O
    O X X X .
    X X X X b
    a X X O O
    X O O O O"""
WHITE_FIVE = """
    . X . X X
    . X O O .
    X a O O O
    . X X O X
    X X . . b"""
WHITE_THREE = """
    X X X X b
    X X X O X
    X . O O O
    X . a X O
    . . O . O"""
GIVES_WAY = [(SIX, BLACK, 6), (FOUR, BLACK, 4), (WHITE_FIVE, WHITE, 5), (WHITE_THREE, WHITE, 3)]


def marked(board: str, mark: str) -> int:
    """Return the point of a mark."""
    return "".join(board.split()).index(mark)


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize(("board", "colour", "left"), GIVES_WAY)
def test_a_move_that_loses_if_it_is_the_last_gives_way(board, colour, left, complete):
    """a is the patterns' move, and b is the best move among those that also win if the game ends at once."""
    assert decide(position_of(board, colour, left), CENTRE).move == marked(board, "a")
    found = asked(board, colour, left, complete=complete)
    assert (found.refused.move, found.move) == (marked(board, "a"), marked(board, "b"))
    assert found.refused.veto == REFUSED and found.decision.position.left == left


@pytest.mark.parametrize(("board", "colour", "left"), GIVES_WAY)
def test_what_gives_way_is_vetoed_and_the_rest_keeps_its_order(board, colour, left):
    found = asked(board, colour, left)
    before = decide(position_of(board, colour, left), CENTRE, complete=True)
    wins = {move for move, value in last_results(board, colour, left).items() if value > 0}
    moves = [one.move for one in before.candidates if not one.veto and one.move in wins]
    assert found.decision.candidates[0] is found.decision.chosen
    assert [one.move for one in found.decision.candidates if not one.veto] == moves
    refused = {one.move for one in found.decision.candidates if one.veto == REFUSED}
    assert refused == {one.move for one in before.candidates if not one.veto} - wins


def last_results(board: str, colour: int, left: int) -> dict[int, int]:
    """Return {move: result in half points for the mover if the move is the mover's last move}."""
    soonest = with_lefts(position_of(board, colour, left))[-1]
    return {move: value2(soonest, move) for move in [*points_of(soonest.legal()), PASS]}


def value2(before: Position, move: int) -> int:
    """Return the mover's final lead in half points after a move, with best play by both sides."""
    after = before.play(move)
    if before.ends_with(move):
        return margin2(after) if before.colour == BLACK else -margin2(after)
    return -max(value2(after, reply) for reply in [PASS, *points_of(after.legal())])


@pytest.mark.parametrize(("board", "colour", "left"), GIVES_WAY)
def test_a_move_that_also_wins_at_once_stays(board, colour, left):
    """The player keeps the patterns' move, since this move also wins if the game ends at once."""
    nothing = empty_book(LITTLE_GO)
    plain = decide(position_of(board, colour, left), nothing).move
    assert last_results(board, colour, left)[plain] > 0
    assert same(asked(board, colour, left, nothing), position_of(board, colour, left), nothing)


LOST = """
    O O . O O
    O . O O .
    O O O X X
    . O X X .
    O O X . ."""


@pytest.mark.parametrize("left", [4, 6])
def test_where_nothing_wins_the_most_is_believed(left):
    assert max(last_results(LOST, BLACK, left).values()) < 0
    assert same(asked(LOST, left=left), position_of(LOST, left=left), CENTRE)


REFUTED = """
    X O . X .
    . O X O .
    O X . O O
    X . X . X
    . . X X X"""


def test_a_move_that_is_refuted_later_is_not_played_for_it():
    plain, results = decide(position_of(REFUTED, WHITE, 5), CENTRE, complete=True), last_results(REFUTED, WHITE, 5)
    winners = [one for one in plain.candidates if results[one.move] > 0]
    assert winners and all(one.veto for one in winners) and plain.chosen not in winners
    assert same(asked(REFUTED, WHITE, 5), position_of(REFUTED, WHITE, 5), CENTRE)


# -- random boards ---------------------------------------------------------------------------------------------


@st.composite
def uncounted(draw, smallest=5, largest=5) -> list[Position]:
    """Draw a position of either colour, mostly near the end, with each possible number of moves left."""
    grid, own, theirs = draw(boards(smallest, largest))
    rng = random.Random(draw(SEEDS))
    colour, ruleset = rng.choice([BLACK, WHITE]), little_go(grid[0])
    left = min(rng.choice([2, 4, 4, 6, 6, 8, 14]), ruleset.length) - (colour == WHITE)
    black, white = (own, theirs) if colour == BLACK else (theirs, own)
    return with_lefts(Position(ruleset, black, white, colour, 0, rng.random() < 0.2, left))


@FEW
@given(positions=uncounted())
def test_what_is_played_by_its_definition(positions):
    plain = decide(positions[0], CENTRE, complete=True)
    expected = plain.move
    if EXACT < positions[0].left <= LAST:
        soonest = positions[-1]
        wins = [move for move in [*points_of(soonest.legal()), PASS] if value2(soonest, move) > 0]
        open_moves = [one.move for one in plain.candidates if not one.veto and one.move in wins]
        if plain.move not in wins and open_moves:
            expected = open_moves[0]
    found = decide_uncounted(positions, CENTRE)
    assert found.move == expected
    assert (found.refused is None) == (expected == plain.move)


@FEW
@given(positions=uncounted(2, 7))
def test_on_boards_of_all_sizes_it_is_legal(positions):
    move = decide_uncounted(positions, empty_book(positions[0].ruleset)).move
    assert move == PASS or positions[0].legal() >> move & 1


@pytest.mark.untraced
@FEW
@given(game=games(sizes=(5, 5, 9), longest=100), where=st.floats(0, 1, exclude_max=True))
def test_in_games_kos_and_passes_included_it_is_legal(game, where):
    ruleset, _, positions = game
    index = int(where * len(positions))
    now, before = positions[index], positions[max(index - 1, 0)]
    if now.left == 0:
        return
    numbers = moves_made(now.colour, (before.black, before.white), (now.black, now.white), {}, ruleset.length)
    seen = [at_left(now, ruleset.length - made) for made in numbers]
    move = decide_uncounted(seen, empty_book(ruleset)).move
    assert move == PASS or now.legal() >> move & 1


@FEW
@given(positions=uncounted(), number=st.integers(0, 7))
def test_turned_boards_get_turned_moves(positions, number):
    table = symmetry_tables(5)[number]
    turned = [_turned(position, table) for position in positions]
    plain, other = decide_uncounted(positions, CENTRE), decide_uncounted(turned, CENTRE)
    image = PASS if plain.move == PASS else table[plain.move]
    # on a symmetric board several moves are equivalent
    own_images = {move for one in symmetry_tables(5) if _same(turned[0], one) for move in [_image(image, one)]}
    assert other.move in own_images and (plain.refused is None) == (other.refused is None)


def _turned(position: Position, table: tuple) -> Position:
    black, white = image_of(position.black, table), image_of(position.white, table)
    return Position(LITTLE_GO, black, white, position.colour, 0, position.passed, position.left)


def _same(position: Position, table: tuple) -> bool:
    return all(image_of(mask, table) == mask for mask in (position.black, position.white))


def _image(move: int, table: tuple) -> int:
    return PASS if move == PASS else table[move]
