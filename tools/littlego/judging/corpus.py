"""Corpora: named positions of Little-Go or of matches, optionally with recorded moves.

The name of a Little-Go position is the position as a text. The name of a match position consists of a digest of the
game and the number of the next move. A corpus computes a book's decisions, and the firings and roles of the book's
patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple, Protocol, TypeVar

from littlego.engines.choosing import engine_of
from littlego.engines.reasons.contrast import roles_of
from littlego.games.game import opening
from littlego.judging.coverage import VETOED, Survey, survey_decisions, survey_positions
from littlego.knowledge.files import book_with
from littlego.knowledge.model import Example
from littlego.knowledge.parts import indices_by_id
from littlego.records.packed_games import game_digest
from littlego.records.positions import position_text, read_position
from littlego.records.recorded_games import RecordedGame
from littlego.rules.geometry import Point
from littlego.rules.patternfile import Book
from littlego.rules.position import Position
from littlego.rules.ruleset import Ruleset
from littlego.truth.labels.verdicts import verdicts

GAME_NAME = re.compile(r"([0-9a-f]{12}):([1-9]\d{0,4})")
BATCH = 10  # match positions in one part of a corpus, the unit of work of a process
Value = TypeVar("Value")
Role = tuple[str, int, Point]  # role of a pattern, zero-based index of the position, move of the book
Moved = tuple[int, Point, Point]  # a differing decision: zero-based index of the position, move before, move after


class Corpus(Protocol):
    """Named positions, optionally with recorded moves. Every corpus can be pickled."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the positions. A name fully determines the position."""

    @property
    def moves(self) -> Sequence[Point]:
        """The recorded moves in the positions; empty if no moves are recorded."""

    @property
    def is_slow(self) -> bool:
        """Whether decisions are so slow that several processes share the work and the results are cached."""

    def key(self) -> Sequence[str]:
        """Return texts that identify the positions in a cache key."""

    def positions(self) -> Sequence[Position]:
        """Return the positions."""

    def only(self, numbers: Sequence[int]) -> Corpus:
        """Return the corpus of the positions at the zero-based indexes `numbers`."""

    def with_moves(self, moves: Sequence[Point]) -> Corpus:
        """Return the corpus with `moves` as its recorded moves."""

    def parts(self) -> Sequence[Corpus]:
        """Return the parts of the corpus, in order; a process works on one part at a time."""

    def decide(self, book: Book) -> list[Point]:
        """Return the book's move in each position."""

    def fires(self, book: Book) -> list[bool]:
        """Return, for each position, whether any pattern of the book fires for a legal move."""

    def survey(self, book: Book) -> Survey:
        """Return a survey of the roles that the book's patterns have in the positions."""

    def roles(self, book: Book, name: str) -> list[Role]:
        """Return (role, position index, book's move) for each position in which pattern `name` has a role."""

    def truth(self, moved: Sequence[Moved]) -> dict[int, str] | None:
        """Return {position index: verdict} for the changed decisions that have a verdict.

        For the verdicts, see littlego.truth.labels.verdicts. Return None for a corpus without verdicts.
        """


@dataclass(frozen=True)
class SpelledCorpus:
    """Little-Go positions, each named by the position's text. The compiled engine computes all moves in one call."""

    names: tuple[str, ...]
    moves: tuple[Point, ...] = ()
    is_slow = False

    def key(self) -> tuple[str, ...]:
        return self.names

    def positions(self) -> tuple[Position, ...]:
        return tuple(map(_position_of, self.names))

    def only(self, numbers: Sequence[int]) -> SpelledCorpus:
        return SpelledCorpus(_chosen(self.names, numbers), _chosen(self.moves, numbers))

    def with_moves(self, moves: Sequence[Point]) -> SpelledCorpus:
        return replace(self, moves=tuple(moves))

    def parts(self) -> list[SpelledCorpus]:
        return [self] if self.names else []

    def decide(self, book: Book) -> list[Point]:
        return engine_of(book.ruleset_name).decide_many(self.positions(), book)

    def fires(self, book: Book) -> list[bool]:
        from littlego.engines.compiled.engine import compile_book, fires_many  # lazy: numba takes a second to load

        return fires_many(_codes(self.names), compile_book(book))

    def survey(self, book: Book) -> Survey:
        return survey_positions(self.positions(), book)

    def roles(self, book: Book, name: str) -> list[Role]:
        from littlego.engines.compiled.engine import codes_of, compile_book
        from littlego.engines.compiled.reasons import reasons_many
        from littlego.engines.compiled.roles import ROLE, ROLE_NAMES
        from littlego.engines.compiled.roles import VETOED as VETOED_BIT
        from littlego.rules.positionkey import unpack_move

        fired = self.fires(book_with(book, frozenset([name])))
        numbers = [number for number, here in enumerate(fired) if here]
        codes = codes_of(self.only(numbers).positions())
        reasons = reasons_many(codes, compile_book(book), with_firings=False)
        column = reasons.of_pattern(indices_by_id(book)[name])
        rows = [(role, row) for role, bits in ROLE_NAMES.items() for row, at in enumerate(column) if at & ROLE == bits]
        rows += [(VETOED, row) for row, at in enumerate(column) if at & VETOED_BIT]
        return [(role, numbers[row], unpack_move(int(reasons.moves[row]))) for role, row in rows]

    def truth(self, moved: Sequence[Moved]) -> dict[int, str]:
        positions = self.positions()
        answers = verdicts([(positions[number], before, after) for number, before, after in moved]) if moved else []
        return {number: answer for (number, *_), answer in zip(moved, answers, strict=True) if answer}


class _OneByOne:
    """The base class of corpora without verdicts (see Corpus.truth).

    The methods examine one position at a time, except `decide`, which passes all positions to the engine.
    """

    is_slow = True

    def positions(self) -> Sequence[Position]:
        raise NotImplementedError

    def decide(self, book: Book) -> list[Point]:
        return engine_of(book.ruleset_name).decide_many(self.positions(), book)

    def fires(self, book: Book) -> list[bool]:
        engine = engine_of(book.ruleset_name)
        return [bool(engine.firings(position, book)) for position in self.positions()]

    def survey(self, book: Book) -> Survey:
        engine = engine_of(book.ruleset_name)
        return survey_decisions((engine.decide(position, book) for position in self.positions()), book)

    def roles(self, book: Book, name: str) -> list[Role]:
        engine = engine_of(book.ruleset_name)
        decisions = [engine.decide(position, book) for position in self.positions()]
        found = ((roles_of(decision).get(name), number, decision.move) for number, decision in enumerate(decisions))
        return [(role, number, move) for role, number, move in found if role]

    def truth(self, moved: Sequence[Moved]) -> None:
        return None


class Game(NamedTuple):
    """The rules and moves of a game, in which Black moves first.

    A move is a point, PASS or RESIGN. In a recorded game, the last entry may also be -9, which stands for an entry that
    is not a move.
    """

    ruleset: Ruleset
    moves: tuple[int, ...]


@dataclass(frozen=True)
class GameCorpus(_OneByOne):
    """Positions of games under any rules.

    The name of a position consists of a digest of the game and the number of the next move. places: (game, ply) pairs,
    where ply is the zero-based index of the next move.
    """

    places: tuple[tuple[Game, int], ...]
    moves: tuple[Point, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        digests = {game: game_digest(game)[:12] for game, _ in dict(self.places).items()}
        return tuple(f"{digests[game]}:{ply + 1}" for game, ply in self.places)

    def key(self) -> tuple[str, ...]:
        return self.names

    def positions(self) -> list[Position]:
        plies: dict[Game, set[int]] = {}
        for game, ply in self.places:
            plies.setdefault(game, set()).add(ply)
        found = {(game, ply): position for game, some in plies.items() for ply, position in _replayed(game, some)}
        return [found[place] for place in self.places]

    def only(self, numbers: Sequence[int]) -> GameCorpus:
        return GameCorpus(_chosen(self.places, numbers), _chosen(self.moves, numbers))

    def with_moves(self, moves: Sequence[Point]) -> GameCorpus:
        return replace(self, moves=tuple(moves))

    def parts(self) -> list[GameCorpus]:
        of_games = (list(some) for _, some in groupby(range(len(self.places)), lambda number: self.places[number][0]))
        return [self.only(some[at : at + BATCH]) for some in of_games for at in range(0, len(some), BATCH)]


@dataclass(frozen=True)
class ExampleCorpus(_OneByOne):
    """Positions of examples. The name of a position is the complete content of the example."""

    examples: tuple[Example, ...]
    moves: tuple[Point, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(repr(example.asked) for example in self.examples)

    def key(self) -> tuple[str, ...]:
        return self.names

    def positions(self) -> list[Position]:
        return [example.position() for example in self.examples]

    def only(self, numbers: Sequence[int]) -> ExampleCorpus:
        return ExampleCorpus(_chosen(self.examples, numbers), _chosen(self.moves, numbers))

    def with_moves(self, moves: Sequence[Point]) -> ExampleCorpus:
        return replace(self, moves=tuple(moves))

    def parts(self) -> list[ExampleCorpus]:
        numbers = range(len(self.examples))
        return [self.only(numbers[at : at + BATCH]) for at in range(0, len(numbers), BATCH)]


def spelled(positions: Iterable[Position], moves: Iterable[Point] = ()) -> SpelledCorpus:
    """Return a corpus of the given Little-Go positions. moves: the recorded moves, if any."""
    return SpelledCorpus(tuple(map(position_text, positions)), tuple(moves))


def games_corpus(games: Iterable[RecordedGame]) -> GameCorpus:
    """Return the corpus of all positions of recorded games."""
    replayed = [
        (Game(game.positions[0].ruleset, tuple(-9 if move is None else move for move in game.moves)), game)
        for game in games
        if game.positions
    ]
    return GameCorpus(tuple((moves, ply) for moves, game in replayed for ply in range(len(game.positions))))


def _chosen(values: Sequence[Value], numbers: Sequence[int]) -> tuple[Value, ...]:
    return tuple(values[number] for number in numbers) if values else ()


def _replayed(game: Game, plies: set[int]) -> Iterator[tuple[int, Position]]:
    """Yield (ply, position before the move of this ply) for each ply of a game in `plies`."""
    position = opening(game.ruleset)
    for ply in range(max(plies, default=-1) + 1):
        if ply in plies:
            yield ply, position
        if ply < max(plies):
            position = position.play(game.moves[ply])


_position_of = lru_cache(maxsize=20_000)(read_position)


@lru_cache(maxsize=2)
def _codes(names: tuple[str, ...]) -> Any:
    """Return the compiled engine's codes of positions.

    The codes are cached, because they do not depend on patterns. names: the names of the positions.
    """
    from littlego.engines.compiled.engine import codes_of

    return codes_of(map(_position_of, names))
