"""Series of games: planning and playing games, and totalling the results.

The commands `play`, `match`, `arena` and `grade` and the script build.sh play every game with `play_game`. This module
runs on Python 3.7.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Callable, NamedTuple

from littlego.games.clock import Clock
from littlego.games.game import opening, ruleset_named
from littlego.games.handicap import handicap_opening
from littlego.match.referee import CPU_LIMIT, Game, GameRecord, Move, Player, Watch
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, WHITE, captured_by
from littlego.rules.ruleset import LITTLE_GO, Ruleset

PLIES = 400  # default number of moves after which a game without a move limit is stopped and scored
SEEDS = 1_000_000  # number of game seeds for each series seed
_GENERAL = (  # variable parts of texts, and their replacements in a general text
    (re.compile(r"\b\d(\s*,\s*)\d\b"), r"i\1j"),
    (re.compile(r"used [\d.]+ s of CPU time; the limit is"), "used more CPU time than"),
)
_NUMBER = re.compile(r"(?<!signal )(?<!status )(?<!\d)\d+([.,]\d+)*")


class Pairing(NamedTuple):
    """The plan of one game."""

    number: int  # index in the series, from 0
    black: Any  # `black` and `white` are values that the Maker accepts, such as names or records
    white: Any
    seed: int  # determines all random choices of the game
    openings: int = 0  # plies of the random opening
    cpu_limit: float = CPU_LIMIT  # CPU seconds for each move
    ruleset: str = LITTLE_GO.name  # the ruleset's name
    minutes: float | None = None  # time on each player's clock; None without clocks
    # number of moves after which a game without a move limit is scored; None if only the rules end it
    plies: int | None = None
    handicap: int = 0  # Black's stones before White's first move; 0 in an even game


Maker = Callable[[Any, Pairing], Player]  # returns a Player for (`black` or `white` of a Pairing, the Pairing)


def pair_of_games(
    number: int, first: Any, second: Any, seed: int, openings: int = 0, cpu_limit: float = CPU_LIMIT, *rest: Any
) -> tuple[Pairing, Pairing]:
    """Return the plans of two games that have the same seed and opening but swapped colours.

    `first` is Black in the first game. number: the index of the pair, from 0. rest: the remaining fields of a Pairing,
    in order.
    """
    return (
        Pairing(2 * number, first, second, seed, openings, cpu_limit, *rest),
        Pairing(2 * number + 1, second, first, seed, openings, cpu_limit, *rest),
    )


def pairings(
    first: Any,
    second: Any,
    games: int,
    seed: int,
    openings: int,
    ruleset: str = LITTLE_GO.name,
    minutes: float | None = None,
    plies: int | None = None,
) -> list[Pairing]:
    """Return the plan of a series of `games` games. openings, ruleset, minutes, plies: see Pairing.

    Colours alternate; `first` is Black in game 0. Games 2k and 2k+1 have the seed 1,000,000 * seed + k, and therefore
    the same opening; the players swap colours. To replay a game, run `littlego play` with the seed of the game and the
    same --openings.
    """
    pairs = (
        pair_of_games(k, first, second, SEEDS * seed + k, openings, CPU_LIMIT, ruleset, minutes, plies)
        for k in range((games + 1) // 2)
    )
    return [game for pair in pairs for game in pair][:games]


def random_opening(ruleset: Ruleset, plies: int, seed: int) -> tuple[int, ...]:
    """Return the points of a random opening, determined by the arguments. Black plays first.

    The opening contains no pass and no capture, so that the number of stones determines the move number. The opening is
    shorter than `plies` if no further stone can be placed without a capture.
    """
    rng = random.Random(f"opening:{ruleset.name}:{plies}:{seed}")
    position = opening(ruleset)
    moves: list[int] = []
    while len(moves) < plies:
        quiet = [
            point
            for point in points_of(position.legal())
            if not captured_by(1 << point, position.own, position.theirs, position.grid)
        ]
        if not quiet:
            break
        moves.append(rng.choice(quiet))
        position = position.play(moves[-1])
    return tuple(moves)


def play_game(game: Pairing, make: Maker, watch: Watch | None = None) -> GameRecord:
    """Play one game from its opening, and return its record. The function creates and closes both players.

    `make(player, game)` returns a Player; the call for `game.black` precedes the call for `game.white`. For `watch`,
    see referee.Game.
    """
    players: list[Player] = []
    try:
        players += (make(player, game) for player in (game.black, game.white))
        ruleset = ruleset_named(game.ruleset)
        given = handicap_opening(ruleset.size, game.handicap, game.seed) if game.handicap else ()
        given = given or random_opening(ruleset, game.openings, game.seed)
        clock = None if game.minutes is None else Clock((60 * game.minutes, 60 * game.minutes))
        both = players[0], players[1]
        return Game(both, ruleset, given, game.seed, watch, game.cpu_limit, clock, game.plies).play()
    finally:
        for player in players:
            player.close()


def play_all(games: Iterable[Pairing], make: Maker, jobs: int = 1) -> Iterator[tuple[Pairing, GameRecord]]:
    """Yield (game, record) as each game ends: in the order of `games` with one job, else in any order.

    If jobs > 1, `make` must be importable by name.
    """
    if jobs == 1:
        yield from ((game, play_game(game, make)) for game in games)
        return
    from littlego.parallel import each  # build.sh, with one process, does not need this import

    yield from each(partial(play_game, make=make), games, jobs)


class Side(NamedTuple):
    """A player's cost in a game: moves chosen, total CPU seconds, CPU seconds of the slowest move."""

    chosen: int
    cpu: float
    slowest: float


class Tally(NamedTuple):
    """A player's total results in a set of games."""

    games: int = 0
    wins: int = 0
    ties: int = 0
    faults: int = 0  # games that the player lost by a fault
    lead2: int = 0  # sum of the player's leads after komi, in half points, over the games without a fault
    counted: int = 0  # number of games without a fault
    chosen: int = 0  # number of moves that the player chose
    cpu: float = 0.0  # CPU seconds of all chosen moves
    slowest: float = 0.0  # CPU seconds of the slowest chosen move

    def plus(self, other: Tally) -> Tally:
        """Return the sum of two tallies."""
        sums = (mine + another for mine, another in zip(self[:-1], other[:-1]))
        return Tally._make([*sums, max(self.slowest, other.slowest)])

    @property
    def points(self) -> float:
        """The number of games won plus half the number of ties."""
        return self.wins + self.ties / 2

    @property
    def lead(self) -> float | None:
        """The mean lead in points over the games without a fault, or None if there are no such games."""
        return self.lead2 / 2 / self.counted if self.counted else None

    @property
    def cpu_a_move(self) -> float | None:
        """The mean CPU seconds of a move, or None if the player chose no move."""
        return self.cpu / self.chosen if self.chosen else None


def own_moves(record: GameRecord, colour: int) -> list[Move]:
    """Return the moves that a player chose, excluding the given opening."""
    return [move for move in record.moves[record.opening :] if move.colour == colour]


def side_of(record: GameRecord, colour: int) -> Side:
    """Return the cost of the moves that a player chose in a game."""
    seconds = [move.cpu for move in own_moves(record, colour)]
    return Side(len(seconds), sum(seconds), max(seconds, default=0.0))


def tally_of(colour: int, winner: int, fault: int, lead2: int, side: Side) -> Tally:
    """Return a player's Tally for one game, from fields of the game's record."""
    lead = 0 if fault else lead2 if colour == BLACK else -lead2
    return Tally(1, winner == colour, not winner, fault == colour, lead, not fault, *side)


def colour_of(game: Pairing, first: bool) -> int:
    """Return a player's colour in a game. first: whether the player is the first player of the series."""
    return BLACK if first == (game.number % 2 == 0) else WHITE


def tally(results: Iterable[tuple[Pairing, GameRecord]], first: bool) -> dict[int, Tally]:
    """Return {colour: totals of a player in a series}. first: whether the player is the first player."""
    sums = {BLACK: Tally(), WHITE: Tally()}
    for game, record in results:
        colour = colour_of(game, first)
        part = tally_of(colour, record.winner, record.fault, record.lead2, side_of(record, colour))
        sums[colour] = sums[colour].plus(part)
    return sums


def count_kinds(texts: Iterable[str]) -> list[tuple[str, int]]:
    """Return (text, count) for each kind of fault or warning, in order of first occurrence.

    Texts that differ only in numbers belong to the same kind, unless the numbers are exit statuses or signals. If the
    texts of a kind differ, `text` is the first text with the replacements of _GENERAL applied.
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(_NUMBER.sub("0", _generalise(text)), []).append(text)
    return [(group[0] if len(set(group)) == 1 else _generalise(group[0]), len(group)) for group in groups.values()]


def _generalise(text: str) -> str:
    for pattern, replacement in _GENERAL:
        text = pattern.sub(replacement, text)
    return text
