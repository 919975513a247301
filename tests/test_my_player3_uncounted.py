"""Tests of the program's moves in a folder without a side file or with a wrong side file."""

from __future__ import annotations

import pytest
from turn_folder import PATTERNS, Board, play_in_folder  # noqa: F401 - the fixture `play`

from littlego.match.host import FilePlayer, our_player
from littlego.match.protocol import Turn
from littlego.match.referee import Game, GameRecord, Player, Reply
from littlego.players.ours import UncountedPlayer, decide_at
from littlego.players.registry import make_player
from littlego.rules import turn
from littlego.rules.position import BLACK, PASS, WHITE, opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import COUNTS, read_counts, write_counts
from littlego.sandbox.interpreters import interpreters
from littlego.sandbox.workfolder import empty

LENGTH = LITTLE_GO.length
pytestmark = pytest.mark.untraced  # slow when traced; the shorter tests of turns are traced


# -- real processes --------------------------------------------------------------------------------------------


class FreshFolder(Player):
    """Our program as a player, run in a folder that is emptied before each turn.

    The program's moves must equal the moves of the in-process player.
    """

    def __init__(self, program: FilePlayer):
        self.program = program
        self.in_process = UncountedPlayer()
        self.unlike_known: list[int] = []  # numbers of the moves that differ from the moves with a known count

    def choose(self, turn: Turn) -> Reply:
        with self.program.work.open() as folder:
            empty(folder)
        reply = self.program.choose(turn)
        assert not reply.note and reply.move == self.in_process.choose(turn).move, turn.position.number
        if reply.move != decide_at(turn.position).move:
            self.unlike_known.append(turn.position.number)
        return reply

    def close(self) -> None:
        self.program.close()


@pytest.mark.parametrize("python", interpreters(), ids=lambda python: python.version)
@pytest.mark.parametrize(
    ("colour", "rival", "seed", "unlike_known"),
    [(BLACK, "erring:0.2:greedy", 1_000_000, [19]), (WHITE, "greedy", 1, None)],
)
def test_the_player_in_process_plays_as_the_program_in_a_fresh_folder(python, colour, rival, seed, unlike_known):
    fresh, other = FreshFolder(our_player(python=python.path)), make_player(rival, seed)
    record = Game((fresh, other) if colour == BLACK else (other, fresh), LITTLE_GO, seed=seed).play()
    fresh.close()
    assert not record.fault, record.why
    assert len(record.moves) > 20
    assert unlike_known is None or fresh.unlike_known == unlike_known


# -- wrong side files ------------------------------------------------------------------------------------------


def turns_of(record: GameRecord, colour: int) -> list[Board]:
    """Return input.txt for each turn of one side."""
    before = position = opening(record.ruleset)
    turns = []
    for move in record.moves:
        if position.colour == colour:
            turns.append(Board(colour, (before.black, before.white), (position.black, position.white)))
        before, position = position, position.play(move.move)
    return turns


@pytest.fixture(scope="module")
def turns():
    """Return input.txt for each turn of both sides in two games."""
    records = [
        Game((make_player("ours", seed), make_player("erring:0.2:greedy", seed)), LITTLE_GO).play() for seed in (14, 18)
    ]
    return [given for record in records for colour in (BLACK, WHITE) for given in turns_of(record, colour)]


ELSEWHERE = 1 << 3 | 1 << 20, 1 << 7
WRONG = {
    "two moves left": lambda given: {given.colour: (LENGTH - 3 + (given.colour == WHITE), given.previous, True)},
    "a rival's": lambda given: {BLACK + WHITE - given.colour: (given.colour + 9, given.previous, True)},
    "of another game": lambda given: {given.colour: (6 + given.colour, ELSEWHERE, True)},
    "of both colours": lambda given: {
        BLACK: (LENGTH - 3, given.previous, True),
        WHITE: (LENGTH - 2, given.previous, False),
    },
    "nonsense": lambda given: {given.colour: (-(10**30), given.previous, True)},
}


def move_with(play, given: Board, counts: turn.Counts | None) -> bytes:
    """Return output.txt (a legal move) after a turn with these counts; None removes the side file."""
    path = play.folder / COUNTS
    path.unlink(missing_ok=True)
    if counts is not None:
        write_counts(str(path), counts)
        assert read_counts(str(path)) == counts
    found = play(given.text())
    assert (found.status, found.errors, found.files) == (0, "", set())
    legal = {b"%d,%d\n" % divmod(point, LITTLE_GO.size) for point in given.legal()} | {b"PASS\n"}
    assert found.output in legal
    return found.output


@pytest.fixture(scope="module")
def played() -> dict[Board, bytes]:
    return {}


@pytest.fixture
def without_counts(play, played):
    """Return a function from a turn to its move without a side file; each turn is played only once."""

    def move(given: Board) -> bytes:
        if given not in played:
            played[given] = move_with(play, given, None)
        return played[given]

    return move


@pytest.mark.parametrize("wrong", WRONG)
def test_a_side_file_that_is_wrong_costs_no_legality_and_nothing_in_the_opening(play, turns, without_counts, wrong):
    openings = 0
    for number, given in enumerate(turns):
        is_opening = sum(mask.bit_count() for mask in given.current) <= 8
        # each late turn is played with only one of the wrong side files
        if is_opening or number % len(WRONG) == list(WRONG).index(wrong):
            found = move_with(play, given, WRONG[wrong](given))
        if is_opening:
            openings += 1
            assert found == without_counts(given)
    assert openings >= 8


def test_a_late_number_is_believed_where_it_can_be_true(play, turns, without_counts):
    """The side file must change some moves: the tests above would pass even if the file were ignored."""
    late = [given for given in turns if sum(mask.bit_count() for mask in given.current) > 8]
    assert any(move_with(play, given, WRONG["two moves left"](given)) != without_counts(given) for given in late)


def test_a_turn_in_a_fresh_folder_is_that_of_the_player_in_process(play, turns):
    player = UncountedPlayer(str(PATTERNS), with_overrides=False)
    for given in turns[::3]:
        point = player.choose(Turn(given.position(), given.previous)).move
        assert move_with(play, given, None) == (
            b"PASS\n" if point == PASS else b"%d,%d\n" % divmod(point, LITTLE_GO.size)
        )
