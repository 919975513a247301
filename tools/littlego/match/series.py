"""Many games: their plan, how one is played from its plan, the stream of results, what they add up to.

`match`, `arena`, `grade` and build.sh all play through `play_game`. Runs on Python 3.7.
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

PLIES = 400  # after which a game without a limit of moves is scored as it stands where nobody says otherwise
SEEDS = 1_000_000  # games that one series seed can number
_GENERAL = (  # what makes texts of the same kind differ, and what replaces it
    (re.compile(r"\b\d(\s*,\s*)\d\b"), r"i\1j"),
    (re.compile(r"used [\d.]+ s of CPU time, the limit is"), "used more CPU time than"),
)
_NUMBER = re.compile(r"(?<!signal )(?<!status )(?<!\d)\d+([.,]\d+)*")


class Pairing(NamedTuple):
    """One game before it is played.

    number: in the plan. black, white: the players, as whoever makes them understands it: a name, a record.
    seed: what all random choices of the game depend on. openings: plies of its random opening. cpu_limit: seconds a
    move. ruleset: its name. minutes: on the clock of each player; None without clocks. plies: after which a game
    without a limit of moves is scored as it stands; None where the rules alone end it. handicap: stones that Black
    has on the board before White moves first; 0 in an even game.
    """

    number: int
    black: Any
    white: Any
    seed: int
    openings: int = 0
    cpu_limit: float = CPU_LIMIT
    ruleset: str = LITTLE_GO.name
    minutes: float | None = None
    plies: int | None = None
    handicap: int = 0


Maker = Callable[[Any, Pairing], Player]  # makes a Pairing's black or white, for that game


def pair_of_games(
    number: int, first: Any, second: Any, seed: int, openings: int = 0, cpu_limit: float = CPU_LIMIT, *rest: Any
) -> tuple[Pairing, Pairing]:
    """Return pair `number`: two games with the same seed and opening and swapped colours, `first` first as Black.

    rest: what else a Pairing has, in its order.
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
    """Return the games of a series. ruleset, minutes, plies: as in Pairing.

    Colours alternate, `first` begins as Black. Games 2k and 2k+1 have the seed 1,000,000 * seed + k, and so the same
    opening with colours swapped. `littlego play --seed` with a game's seed and the same openings replays it.
    """
    pairs = (
        pair_of_games(k, first, second, SEEDS * seed + k, openings, CPU_LIMIT, ruleset, minutes, plies)
        for k in range((games + 1) // 2)
    )
    return [game for pair in pairs for game in pair][:games]


def random_opening(ruleset: Ruleset, plies: int, seed: int) -> tuple[int, ...]:
    """Return the points of a random opening, a function of its three arguments; Black plays the first of them.

    Neither a pass nor a capture is among them: the stones on the board then tell the number of the move. Fewer
    plies are returned where no such placement is left.
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
    """Play one game: make both players, play from the opening, close the players.

    make(player, game) returns the Player for `game.black`, then for `game.white`. watch: as Game has it.
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
    """Yield (game, its record) as each game ends: in order with one job, else in any order.

    `make` must be importable by name where jobs > 1.
    """
    if jobs == 1:
        yield from ((game, play_game(game, make)) for game in games)
        return
    from littlego.parallel import each  # one process, as build.sh has it, does without

    yield from each(partial(play_game, make=make), games, jobs)


class Side(NamedTuple):
    """What one player's own choices cost in a game: how many, their CPU seconds, the slowest one's."""

    chosen: int
    cpu: float
    slowest: float


class Tally(NamedTuple):
    """A player's part of some games.

    faults: games that it lost by one. lead2: the sum of its leads after komi, in half points, over the `counted` games
    that nobody lost by a fault. chosen, cpu, slowest: moves that it chose, their CPU seconds, the slowest one's.
    """

    games: int = 0
    wins: int = 0
    ties: int = 0
    faults: int = 0
    lead2: int = 0
    counted: int = 0
    chosen: int = 0
    cpu: float = 0.0
    slowest: float = 0.0

    def plus(self, other: Tally) -> Tally:
        """Return both parts added up."""
        sums = (one + another for one, another in zip(self[:-1], other[:-1]))
        return Tally._make([*sums, max(self.slowest, other.slowest)])

    @property
    def points(self) -> float:
        """Games won, and half of those tied."""
        return self.wins + self.ties / 2

    @property
    def lead(self) -> float | None:
        """The mean lead in points, None without games that were counted out."""
        return self.lead2 / 2 / self.counted if self.counted else None

    @property
    def cpu_a_move(self) -> float | None:
        """Mean CPU seconds of a move, None where it chose none."""
        return self.cpu / self.chosen if self.chosen else None


def own_moves(record: GameRecord, colour: int) -> list[Move]:
    """Return the moves that a player chose, the given opening left out."""
    return [move for move in record.moves[record.opening :] if move.colour == colour]


def side_of(record: GameRecord, colour: int) -> Side:
    """Return what a player's own choices cost in a game."""
    seconds = [move.cpu for move in own_moves(record, colour)]
    return Side(len(seconds), sum(seconds), max(seconds, default=0.0))


def tally_of(colour: int, winner: int, fault: int, lead2: int, side: Side) -> Tally:
    """Return a player's part of one game; the arguments are those of the game's record."""
    lead = 0 if fault else lead2 if colour == BLACK else -lead2
    return Tally(1, winner == colour, not winner, fault == colour, lead, not fault, *side)


def colour_of(game: Pairing, first: bool) -> int:
    """Return the colour that the first player of a series, or the second, has in a game."""
    return BLACK if first == (game.number % 2 == 0) else WHITE


def tally(results: Iterable[tuple[Pairing, GameRecord]], first: bool) -> dict[int, Tally]:
    """Add up the games of a series, by colour, for its first player or for its second."""
    sums = {BLACK: Tally(), WHITE: Tally()}
    for game, record in results:
        colour = colour_of(game, first)
        part = tally_of(colour, record.winner, record.fault, record.lead2, side_of(record, colour))
        sums[colour] = sums[colour].plus(part)
    return sums


def count_kinds(texts: Iterable[str]) -> list[tuple[str, int]]:
    """Return (text, how many there are) of each kind of fault or warning, in the order of the first ones.

    Texts that differ in their numbers alone are of one kind. A kind whose texts differ shows the first one, made
    general where possible.
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(_NUMBER.sub("0", _generalise(text)), []).append(text)
    return [(group[0] if len(set(group)) == 1 else _generalise(group[0]), len(group)) for group in groups.values()]


def _generalise(text: str) -> str:
    for pattern, replacement in _GENERAL:
        text = pattern.sub(replacement, text)
    return text
