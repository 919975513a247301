"""Tests of the move count at a turn's start, from the boards or the side file: it is never too high."""

from __future__ import annotations

import contextlib
import os
import random
import tempfile
from types import SimpleNamespace

import pytest
from boards import stones
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS, games
from turn_folder import SIZE, Board

from littlego.match.series import random_opening
from littlego.rules import engine, patternfile, turn, uncounted
from littlego.rules.position import BLACK, PASS, WHITE, opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import least_moves_made, moves_made, read_counts

LENGTH = LITTLE_GO.length
FEW = settings(max_examples=12, deadline=None)


def boards_of(positions, index: int) -> Board:
    """Return the host's boards for the turn in positions[index]."""
    now, before = positions[index], positions[max(index - 1, 0)]
    return Board(now.colour, (before.black, before.white), (now.black, now.white))


# -- evidence from the stones alone ----------------------------------------------------------------------------


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_least_number_by_its_definition(colour):
    for black in range(26):
        for white in range(26 - black):
            numbers = range(0 if colour == BLACK else 1, 99, 2)
            expected = next(n for n in numbers if (n + 1) // 2 >= black and n // 2 >= white)
            found = least_moves_made((1 << black) - 1, (1 << white) - 1 << black, colour)
            assert found == expected, (black, white)


@FEW
@given(games(longest=LENGTH))
def test_without_a_side_file_the_number_is_never_too_large_and_of_the_right_parity(game):
    _, _, positions = game
    for index, position in enumerate(positions[:LENGTH]):
        numbers = moves_made(*boards_of(positions, index), {}, LENGTH)
        assert 0 <= numbers[0] <= index < LENGTH and index in numbers
        assert all(made % 2 == (0 if position.colour == BLACK else 1) for made in numbers)
        assert numbers == [numbers[0]] or numbers == [*range(numbers[0], LENGTH, 2)]


def test_stones_that_the_last_move_took_are_counted():
    """Black had 5 stones, so White's move was at least the 10th; the 4 + 2 stones left prove only 8 moves."""
    before = stones("X X X . .\nO O O . .\n. . . . .\n. . X X .\n. . . . .")
    after = stones(". . . O .\nO O O . .\n. . . . .\n. . X X .\n. . . . .")
    assert least_moves_made(*after, BLACK) == 8
    assert moves_made(BLACK, before, after, {}, LENGTH) == [*range(10, LENGTH, 2)]


@FEW
@given(game=games(longest=LENGTH))
def test_captures_that_the_two_boards_show_are_counted(game):
    """The count includes the stones on the earlier board that the last move captured."""
    _, _, positions = game
    for index in range(1, min(len(positions), LENGTH)):
        before = positions[index - 1]
        least = least_moves_made(before.black, before.white, before.colour) + 1
        assert moves_made(*boards_of(positions, index), {}, LENGTH)[0] >= least


MASKS = st.integers(0, 2**25 - 1)


@FEW
@given(
    colour=st.sampled_from([BLACK, WHITE]),
    boards=st.lists(MASKS, min_size=4, max_size=4),
    made=st.integers(-50, 50),
    known=st.booleans(),
    fits=st.booleans(),
)
def test_boards_and_counts_that_no_game_has_still_leave_a_move(colour, boards, made, known, fits):
    previous, current = tuple(boards[:2]), tuple(boards[2:])
    counts = {colour: (made, previous if fits else current, known)}
    numbers = moves_made(colour, previous, current, counts, LENGTH)
    assert numbers and all(0 <= number < LENGTH for number in numbers)
    assert {number % 2 for number in numbers} == {0 if colour == BLACK else 1}


@FEW
@given(st.integers(0, 20), SEEDS)
def test_an_opening_without_captures_and_passes_is_counted(plies, seed):
    moves = random_opening(LITTLE_GO, plies, seed)
    position, positions = opening(LITTLE_GO), [opening(LITTLE_GO)]
    for move in moves:
        position = position.play(move)
        positions.append(position)
    assert moves_made(*boards_of(positions, len(moves)), {}, LENGTH)[0] == len(moves)


@pytest.mark.parametrize(("black", "white"), [(25, 0), (0, 25), (13, 12), (24, 1), (12, 13)])
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_too_many_stones_still_leave_a_move(black, white, colour):
    current = (1 << black) - 1, (1 << white) - 1 << black
    [made] = moves_made(colour, (1, 2), current, {}, LENGTH)
    assert made in (LENGTH - 1, LENGTH - 2) and made % 2 == (0 if colour == BLACK else 1)


# -- first turns -----------------------------------------------------------------------------------------------

ONE = stones(". . . . .\n. . . . .\n. . X . .\n. . . . .\n. . . . .")
EMPTY = (0, 0)
STALE = {
    BLACK: (15, EMPTY, True),
    WHITE: (16, EMPTY, True),
}  # simulates a side file left by an older game, with an empty board


@pytest.mark.parametrize(
    ("colour", "previous", "current", "made"),
    [(BLACK, EMPTY, EMPTY, 0), (WHITE, EMPTY, ONE, 1), (WHITE, EMPTY, EMPTY, 1)],
)
def test_a_first_turn_inherits_nothing(colour, previous, current, made):
    assert moves_made(colour, previous, current, STALE, LENGTH) == [made]


def test_a_count_is_used_only_for_the_board_it_saw():
    previous = ONE
    current = ONE[0], 1
    assert moves_made(BLACK, previous, current, {BLACK: (9, ONE, True)}, LENGTH) == [10]
    assert moves_made(BLACK, previous, current, {BLACK: (9, (ONE[0], 2), True)}, LENGTH) == [*range(2, LENGTH, 2)]
    assert moves_made(BLACK, previous, current, {WHITE: (9, ONE, True)}, LENGTH) == [*range(2, LENGTH, 2)]


def test_a_number_that_is_the_least_only_bounds_the_others():
    assert moves_made(BLACK, ONE, (ONE[0], 1), {BLACK: (9, ONE, False)}, LENGTH) == [*range(10, LENGTH, 2)]


@pytest.mark.parametrize("known", [True, False])
def test_a_late_number_is_not_believed_in_the_opening(known):
    """The player ignores counts from 11 on for a board of two stones: no real game loses so many stones."""
    for made in (11, 13, 21):
        assert moves_made(BLACK, ONE, (ONE[0], 1), {BLACK: (made, ONE, known)}, LENGTH) == [*range(2, LENGTH, 2)]


@pytest.mark.parametrize("made", [-3, 0, 2, 10, 23, 24, 99])
def test_an_impossible_count_is_not_used(made):
    assert moves_made(BLACK, ONE, (ONE[0], 1), {BLACK: (made, ONE, True)}, LENGTH)[0] == 2


# -- whole games over the files --------------------------------------------------------------------------------


class Scripted:
    """Our player with a fake engine that plays given moves. left: the moves left that each turn assumed."""

    def __init__(self, monkeypatch):
        self.move = None
        self.left = []
        monkeypatch.setattr(engine, "decide", self.decide)
        monkeypatch.setattr(uncounted, "decide_uncounted", lambda positions, *rest, **more: self.decide(positions[0]))
        monkeypatch.setattr(patternfile, "read_bytes", lambda path: b"")
        monkeypatch.setattr(patternfile, "load_bytes", lambda *_: None)

    def decide(self, position, book=None, overrides=None):
        self.left.append(position.left)
        assert self.move == PASS or position.legal() >> self.move & 1
        return SimpleNamespace(move=self.move)

    def turn(self, board: Board, move: int) -> int:
        """Play one turn; return the player's assumed number of earlier moves."""
        self.move = move
        with open(turn.INPUT, "wb") as file:
            file.write(board.text())
        assert turn.play_turn("patterns.txt") == 0
        with open(turn.OUTPUT, encoding="ascii") as file:
            assert file.read() == ("PASS\n" if move == PASS else f"{move // SIZE},{move % SIZE}\n")
        return LENGTH - self.left[-1]


@contextlib.contextmanager
def fresh_folder():
    """Change to a new, empty folder during the `with` block."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield folder


@pytest.fixture(scope="module")
def scripted():
    """Return the scripted player. The fixture has module scope, since Hypothesis runs many examples for each test."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield Scripted(monkeypatch)


def play_on(scripted, moves, positions, colours, start=0, end=None) -> list:
    """Play the turns of `colours` from move `start` on; return [(player's count of moves, true count)]."""
    seen = []
    for index, move in list(enumerate(moves))[start:end]:
        if positions[index].colour in colours:
            seen.append((scripted.turn(boards_of(positions, index), move), index))
    return seen


@pytest.mark.parametrize("colours", [{BLACK}, {WHITE}, {BLACK, WHITE}], ids=["Black", "White", "both in one folder"])
@FEW
@given(game=games(longest=LENGTH))
def test_a_whole_game_is_counted_exactly(scripted, colours, game):
    _, moves, positions = game
    with fresh_folder():
        assert all(found == true for found, true in play_on(scripted, moves, positions, colours))


@FEW
@given(game=games(longest=LENGTH), old=games(longest=LENGTH), cut=st.integers(0, LENGTH), both=st.booleans())
def test_a_new_game_in_the_same_folder_starts_its_own_count(scripted, game, old, cut, both):
    colours = {BLACK, WHITE} if both else {BLACK if cut % 2 else WHITE}
    with fresh_folder():
        play_on(scripted, old[1], old[2], {BLACK, WHITE}, 0, cut)  # broken off anywhere
        assert all(found == true for found, true in play_on(scripted, game[1], game[2], colours))


@FEW
@given(game=games(longest=LENGTH), cut=st.integers(0, LENGTH))
def test_the_other_program_of_a_shared_folder_may_also_play_alone(scripted, game, cut):
    """Our program stops playing White at some turn; White's later moves must not count as moves of ours."""
    _, moves, positions = game
    with fresh_folder():
        seen = play_on(scripted, moves, positions, {BLACK, WHITE}, 0, cut)
        seen += play_on(scripted, moves, positions, {BLACK}, cut)
        assert all(found == true for found, true in seen)


@FEW
@given(game=games(longest=LENGTH), cut=st.integers(0, LENGTH))
def test_joining_late_is_legal_and_never_counts_too_much(scripted, game, cut):
    """Before `cut` there is no side file, so the count may be too low, but it never falls further behind."""
    _, moves, positions = game
    with fresh_folder():
        seen = play_on(scripted, moves, positions, {BLACK, WHITE}, cut)
    assert all(found <= true and (true - found) % 2 == 0 for found, true in seen)
    lag = {index % 2: [true - found for found, true in seen if true % 2 == index] for index in (0, 1)}
    assert all(late <= early for lags in lag.values() for early, late in zip(lags, lags[1:], strict=False))


@FEW
@given(game=games(longest=LENGTH), every=st.integers(1, 5))
def test_losing_the_side_file_again_and_again_is_legal(scripted, game, every):
    _, moves, positions = game
    with fresh_folder():
        for index in range(len(moves)):
            if index % every == 0 and os.path.exists(turn.COUNTS):
                os.unlink(turn.COUNTS)
            for found, true in play_on(scripted, moves, positions, {BLACK, WHITE}, index, index + 1):
                assert 0 <= found <= true < LENGTH


@FEW
@given(plies=st.integers(0, 12), seed=SEEDS, old=games(longest=LENGTH))
def test_a_given_opening_is_counted_also_where_a_game_was_played_before(scripted, plies, seed, old):
    rng = random.Random(seed)
    moves = list(random_opening(LITTLE_GO, plies, seed))
    given_moves, positions = len(moves), [opening(LITTLE_GO)]
    for move in moves:
        positions.append(positions[-1].play(move))
    while len(moves) < LENGTH:
        legal = [point for point in range(SIZE * SIZE) if positions[-1].legal() >> point & 1]
        moves.append(rng.choice(legal) if legal else PASS)
        if positions[-1].ends_with(moves[-1]):
            break
        positions.append(positions[-1].play(moves[-1]))
    with fresh_folder():
        play_on(scripted, old[1], old[2], {BLACK, WHITE})
        seen = play_on(scripted, moves, positions, {BLACK, WHITE}, given_moves)
    assert all(found == true for found, true in seen)


def test_a_game_that_our_pass_ended_leaves_no_count(scripted):
    """Black plays, White and Black pass: a new game with the same first stone must not start at move 5."""
    start = opening(LITTLE_GO)
    first = start.play(12)
    positions = [start, first, first.play(PASS)]
    with fresh_folder():
        play_on(scripted, [12, PASS, PASS], positions, {BLACK})
        assert read_counts(turn.COUNTS) == {}
        again = [start, first, first.play(7)]
        assert scripted.turn(boards_of(again, 2), 8) == 2


def test_the_last_move_of_a_game_leaves_no_count(scripted):
    rng = random.Random(1)
    positions, moves = [opening(LITTLE_GO)], []
    while positions[-1].left:
        legal = [point for point in range(SIZE * SIZE) if positions[-1].legal() >> point & 1]
        moves.append(rng.choice(legal) if legal else PASS)
        positions.append(positions[-1].play(moves[-1]))
    with fresh_folder():
        play_on(scripted, moves[:-1], positions, {BLACK, WHITE})
        assert set(read_counts(turn.COUNTS)) == {BLACK, WHITE}
        play_on(scripted, moves, positions, {WHITE}, LENGTH - 1)
        assert read_counts(turn.COUNTS) == {}
