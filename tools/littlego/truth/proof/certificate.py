"""Certificates of walks.

A certificate contains the results of a walk, and digests of the player's sources, patterns and overrides.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from littlego.cache import digest
from littlego.cli.arguments import ArgumentError, read_file
from littlego.files import short_name
from littlego.games.boards import move_text
from littlego.knowledge.files import Knowledge
from littlego.knowledge.model import NO_PATTERN
from littlego.knowledge.overrides import EXACT, to_bytes
from littlego.knowledge.stale import PROOFS, Player, deciding_fields, player_with
from littlego.meaning import meaning_of
from littlego.paths import HOME
from littlego.records.positions import COLOURS
from littlego.rules.geometry import Point
from littlego.rules.patternfile import Book
from littlego.rules.positionkey import unpack
from littlego.rules.ruleset import LITTLE_GO

if TYPE_CHECKING:
    from littlego.truth.proof.walk import Layer

AN_OVERRIDE = "(override)"
FORMAT = 2  # since 2, the digest of the patterns omits their summaries and classes
KEYS = "format", "complete", "proved", "colour", "player", "openings", "layers"


def player_of(knowledge: Knowledge, overrides: Mapping[int, int]) -> Player:
    """Return the identity (three digests) of the player with these patterns and overrides."""
    return player_with(knowledge.lines, to_bytes(overrides))


def certificate_of(colour: str) -> Path:
    """Return the path of our player's certificate for a colour; the file need not exist."""
    return HOME / PROOFS / f"{colour}.json"


def decisions_name(knowledge: Knowledge) -> str:
    """Return the name of the folder that caches the decisions of these patterns."""
    deciding = "\n".join(map(deciding_fields, knowledge.lines))
    return digest(deciding, meaning_of("littlego.engines.compiled.engine"))[:16]


class Row(NamedTuple):
    """The counts and the digest of one layer.

    won: positions in which the player can force a win. overruled: positions where an override replaced the patterns'
    move. cut: settled positions, which the walk omits (not included in `positions`). digest: see Layer.
    """

    left: int
    positions: int
    won: int
    failures: int
    overruled: int
    cut: int
    digest: str


class Failure(NamedTuple):
    """A decision that gives a win away.

    move: the losing move. winning: the mask of the winning moves. repair: the winning move with which the walk
    continues. by: the patterns that decide or support the losing move, (AN_OVERRIDE,) if an override decides,
    or (NO_PATTERN,) if no pattern does.
    """

    code: int
    move: int
    winning: int
    repair: int
    by: tuple[str, ...]


def _only_stone(code: int) -> Point | None:
    """Return the point of the only stone on the board, or None if there is no stone or more than one."""
    position = unpack(code)
    stones = position.own | position.theirs
    return stones.bit_length() - 1 if stones and not stones & (stones - 1) else None


def _overruled(layer: Layer) -> Iterator[tuple[int, int]]:
    """Yield (code, override's move) for each overruled position of a layer.

    In an overruled position, an override replaced the patterns' move.
    """
    from littlego.truth.labels.decider import BY_OVERRIDE  # numba takes a second to load

    places = layer.deciders == BY_OVERRIDE
    yield from zip(layer.codes[places].tolist(), layer.moves[places].tolist(), strict=True)


def blame(failures: Iterable[Failure]) -> dict[str, int]:
    """Return {pattern: number of failures blamed on the pattern}, largest number first."""
    counts = Counter(name for failure in failures for name in failure.by)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


class Report:
    """The results of a walk. book: the player's patterns. complete: whether the walk reached its end."""

    def __init__(self, colour: str, player: Player, roots: list[int], book: Book, layers: list[Layer], complete: bool):
        self.colour = colour
        self.player = player
        self.roots = roots
        self.book = book
        self.complete = complete
        self.rows = [
            Row(
                layer.left,
                layer.codes.size,
                int(layer.won.sum()),
                layer.failing.size,
                layer.overruled,
                layer.cut,
                layer.digest,
            )
            for layer in layers
        ]
        self.failures = [failure for layer in layers for failure in self._failures(layer)]
        self._overruled = {code: move for layer in layers for code, move in _overruled(layer)}
        self.won_openings = layers[0].codes[layers[0].won].tolist() if layers else []

    def _failures(self, layer: Layer) -> Iterator[Failure]:
        if not layer.failing.size:
            return
        from littlego.engines.compiled.engine import compile_book  # numba takes a second to load
        from littlego.engines.compiled.reasons import reasons_many
        from littlego.engines.compiled.roles import speakers_of
        from littlego.truth.labels.decider import BY_OVERRIDE

        roles = reasons_many(layer.codes[layer.failing], compile_book(self.book), with_firings=False).roles
        for index, move, winning, row in zip(layer.failing, layer.thrown, layer.winning, roles, strict=True):
            names = tuple(self.book.patterns[number].id for number in speakers_of(row)) or (NO_PATTERN,)
            by = (AN_OVERRIDE,) if layer.deciders[index] == BY_OVERRIDE else names
            yield Failure(int(layer.codes[index]), int(move), int(winning), int(layer.moves[index]), by)

    @property
    def first_moves(self) -> list[dict[str, Any]]:
        """Black's first moves, one per symmetry class, and whether White can win after each move.

        The pass is omitted. The list is empty for Black's walk.
        """
        moves = {code: _only_stone(code) for code in self.roots}
        return [
            {"move": move_text(move, LITTLE_GO.size), "won": code in self.won_openings}
            for code, move in moves.items()
            if move is not None
        ]

    @property
    def positions(self) -> int:
        """The number of decisions in the walk."""
        return sum(row.positions for row in self.rows)

    @property
    def won(self) -> int:
        """The number of decisions in won positions."""
        return sum(row.won for row in self.rows)

    @property
    def blamed(self) -> dict[str, int]:
        """{pattern: number of failures blamed on the pattern}, largest number first."""
        return blame(self.failures)

    def certificate(self) -> dict[str, Any]:
        """Return the certificate as plain JSON values.

        The values are the same in every complete walk for the same player and colour.
        """
        return {
            "format": FORMAT,
            "claim": (
                f"as {self.colour.capitalize()}, from these positions on, the player never gives a win away, "
                "as long as it knows how many moves are left"
            ),
            "proved": self.complete and not self.failures,
            "complete": self.complete,
            "colour": self.colour,
            "player": self.player._asdict(),
            "openings": self.roots,
            "first_moves": self.first_moves,
            "exact_from": EXACT,
            "positions": self.positions,
            "won": self.won,
            "failures": len(self.failures),
            "blamed": self.blamed,
            "layers": [row._asdict() for row in self.rows],
        }

    def as_json(self) -> dict[str, Any]:
        """Return the certificate and all failures as plain JSON values."""
        return {**self.certificate(), "failed": [failure._asdict() for failure in self.failures]}

    def repairs(self) -> dict[int, int]:
        """Return the overrides that repair the failures, as {canonical code: move}."""
        return {failure.code: failure.repair for failure in self.failures}

    def needed(self, overrides: Mapping[int, int]) -> dict[int, int]:
        """Return the overrides needed after a complete walk, including an override for each failure.

        An override for the walk's colour is omitted if the walk does not reach its position, or if the patterns choose
        the same move.
        """
        of_others = {code: move for code, move in overrides.items() if unpack(code).colour != COLOURS[self.colour]}
        return {**of_others, **self._overruled, **self.repairs()}


def read_certificate(path: Path) -> dict[str, Any]:
    """Return the certificate in a file as plain JSON values. Raise ArgumentError for an unreadable or invalid file."""
    text = read_file(path)
    try:
        certificate: dict[str, Any] = json.loads(text)
        if certificate["format"] != FORMAT or not certificate["layers"]:
            raise ValueError(f"format {certificate['format']}; expected format {FORMAT} with at least one layer")
        for key in KEYS:
            certificate[key]
    except (ValueError, KeyError, TypeError) as error:
        raise ArgumentError(f"{short_name(path)} is not a certificate of a walk: {error}") from None
    return certificate
