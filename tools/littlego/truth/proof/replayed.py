"""The player's moves, recomputed with rules/ alone for the independent checker of certificates."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from littlego.rules.engine import canonical, decide
from littlego.rules.geometry import count, points_of
from littlego.rules.overrides import Overrides
from littlego.rules.patternfile import Book, load
from littlego.rules.position import PASS, Position, chains, liberties, opening, winner_of
from littlego.rules.positionkey import PASS_POINT, pack_state, unpack
from littlego.rules.ruleset import LITTLE_GO


class Files(NamedTuple):
    """The paths of the player's files. overrides: None if the player has no overrides."""

    patterns: Path
    overrides: Path | None


class Replayed(NamedTuple):
    """A position and a given move in it, evaluated by rules/.

    image: the code of the position's canonical image. move: the player's decision, 25 for a pass. after: the code of
    the canonical position after the given move, or None if this move ends the game. won: whether this move ends the
    game with a win for the mover. replies: the codes of the canonical positions after each reply that does not end the
    game.
    """

    code: int
    image: int
    move: int
    after: int | None
    won: bool
    replies: list[int]


def replay(task: tuple[Files, tuple[tuple[int, int], ...]]) -> list[Replayed]:
    """Return a Replayed for each position. task: (the player's files, the pairs (position's code, given move))."""
    files, pairs = task
    return [_replay_one(code, played, *_read_player(files)) for code, played in pairs]


@lru_cache(maxsize=1)
def _read_player(files: Files) -> tuple[Book, Overrides | None]:
    book = load(str(files.patterns), LITTLE_GO)
    if files.overrides is None:
        return book, None
    return book, Overrides(open(files.overrides, "rb"), "overrides.txt", _complain)  # noqa: SIM115 - stays open


def _complain(line: str) -> None:
    raise ValueError(line)


def _replay_one(code: int, played: int, book: Book, overrides: Overrides | None) -> Replayed:
    position = unpack(code)
    decided = decide(position, book, overrides=overrides).move
    move = PASS if played == PASS_POINT else played
    after = position.play(move)
    over = position.ends_with(move)
    won = over and winner_of(after) == position.colour
    return Replayed(
        code,
        image_of(position),
        PASS_POINT if decided == PASS else decided,
        None if over else image_of(after),
        won,
        [] if over else sorted(_images_after(after)),
    )


def _images_after(position: Position) -> set[int]:
    """Return the codes of the canonical positions after every move that does not end the game."""
    moves = [*points_of(position.legal()), PASS]
    return {image_of(position.play(move)) for move in moves if not position.ends_with(move)}


def image_of(position: Position) -> int:
    """Return the code of a position's canonical image."""
    return pack_state(canonical(position)[1])


def openings_of(colour: str) -> set[int]:
    """Return the codes of the positions in which a player makes its first move. colour: `black` or `white`."""
    start = opening(LITTLE_GO)
    return {image_of(start)} if colour == "black" else _images_after(start)


def is_settled(code: int) -> bool:
    """Return whether a position is settled. This implementation is independent of lemmas.py."""
    position = unpack(code)
    his, own, theirs = position.left // 2, position.own, position.theirs
    lost = _margin2(position) + 2 * (position.left - his + _count_mortal(theirs, position, position.left)) < 0
    if position.left > 4:
        return lost or _margin2(position) - 2 * (his + _count_mortal(own, position, position.left - 1)) > 0
    moves = [*points_of(position.legal()), PASS]
    return lost or all(_won_by_passing_on(position.play(move), position.ends_with(move), his) for move in moves)


def _margin2(position: Position) -> int:
    """Return the mover's lead in half points, with komi."""
    return 2 * position.lead() + (-1 if position.left % 2 == 0 else 1) * position.ruleset.komi2


def _won_by_passing_on(position: Position, over: bool, his: int) -> bool:
    """Return whether the side that has just moved provably wins even by passing until the end of the game.

    over: whether the game is over. his: the number of moves that the other side has left.
    """
    reach = 0 if over else his + _count_mortal(position.theirs, position, his)
    return -_margin2(position) - 2 * reach > 0


def _count_mortal(stones: int, position: Position, moves: int) -> int:
    """Return the number of `stones` in chains with at most `moves` liberties."""
    occupied = position.own | position.theirs
    return sum(
        count(chain)
        for chain in chains(stones, position.grid)
        if count(liberties(chain, occupied, position.grid)) <= moves
    )
