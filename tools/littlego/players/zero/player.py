"""The learning player, named `zero`, `zero:SIMULATIONS`, `zero:FILE` or `zero:SIMULATIONS:FILE`.

This module runs on Python 3.7.

numpy is imported only when a player is created or `ruleset_name` reads weights.
"""

from __future__ import annotations

import os
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from littlego.games.game import opening
from littlego.match.referee import Player, Reply
from littlego.paths import PACKAGE
from littlego.players.roles.table import rng_for
from littlego.rules.geometry import SYMMETRIES
from littlego.rules.ruleset import LITTLE_GO

if TYPE_CHECKING:
    from littlego.match.protocol import Turn
    from littlego.players.zero.position_search import Option
    from littlego.rules.position import Position

NAME = "zero"
SEARCH = "littlego.players.zero.position_search"  # the module that chooses the moves
WEIGHTS = str(PACKAGE / "players" / "zero" / "weights.npz")
SIMULATIONS, MOST_SIMULATIONS = 64, 100_000


def is_available() -> bool:
    """Return whether this Python has numpy, which the player needs; Python in a browser lacks numpy."""
    return find_spec("numpy") is not None


class UnavailableError(Exception):
    """Raised if the player is unavailable; the message gives the reason without the player's name."""


class ZeroName(NamedTuple):
    """The parts of a learning player's name: the number of simulations and the path of the weights."""

    simulations: int = SIMULATIONS
    path: str = WEIGHTS

    @property
    def text(self) -> str:
        """The player's name with an absolute path and without default values."""
        parts = [NAME, str(self.simulations) if self.simulations != SIMULATIONS else ""]
        parts += [os.path.abspath(self.path)] if self.path != WEIGHTS else []
        return ":".join(filter(None, parts))


def parse_zero(argument: str) -> ZeroName:
    """Return the parts of a learning player's name. argument: the text after `zero:`.

    Raise UnavailableError for too many simulations.
    """
    number, _, path = argument.partition(":")
    if not (number.isascii() and number.isdigit()):
        return ZeroName(path=argument or WEIGHTS)
    if len(number) > len(str(MOST_SIMULATIONS)) or int(number) > MOST_SIMULATIONS:
        raise UnavailableError(f"found {number} simulations; expected 0 to {MOST_SIMULATIONS}")
    return ZeroName(int(number), path or WEIGHTS)


def ruleset_name(path: str) -> str:
    """Return the name of the ruleset for which the weights in a file were trained.

    If numpy is missing or the weights are not usable, return the name of the course's game.
    """
    try:
        from littlego.players.zero.network import WeightsError, load_network
    except ImportError:
        return LITTLE_GO.name
    try:
        return str(load_network(path).about["game"])
    except (OSError, WeightsError):
        return LITTLE_GO.name


class ZeroPlayer(Player):
    """The learning player: a tree search with a network.

    parts: the number of simulations for each move, and the path of the weights; with 0 simulations, the player plays
    the move that the network prefers. seed: the seed that determines the symmetry under which the network sees each
    position. The constructor raises UnavailableError if numpy is missing or the weights are not usable. Creating the
    first player on a machine takes seconds, because the loops are compiled.
    """

    def __init__(self, parts: ZeroName, seed: int) -> None:
        self.name, self.simulations, self.seed = parts.text, parts.simulations, seed
        try:
            from littlego.players.zero.network import WeightsError
            from littlego.players.zero.position_search import PositionSearch
        except ImportError as error:
            raise UnavailableError(f"numpy is missing: run python3 -m pip install numpy ({error})") from None
        try:
            self._search = PositionSearch(parts.path)
        except WeightsError as error:
            raise UnavailableError(str(error)) from None
        except OSError as error:
            where = "the shipped weights are missing; " if parts.path == WEIGHTS else ""
            how = "`littlego zero train FILE` trains weights for zero:FILE"
            raise UnavailableError(f"{where}{parts.path}: {error.strerror}; {how}") from None
        self.options(opening(self._search.game.ruleset))  # compiles the loops before a clock runs

    def choose(self, turn: Turn) -> Reply:
        started = time.process_time()
        best = self.options(turn.position)[0]
        visits = f", {best.visits} of {self.simulations} simulations" if self.simulations else ""
        reason = f"winrate {50 + 50 * best.value:.0f}%{visits}"
        return Reply(best.move, time.process_time() - started, reason=reason)

    def options(self, position: Position) -> list[Option]:
        """Return an Option for each legal move of a position; the first Option is the player's move."""
        symmetry = rng_for(self.seed, position).randrange(SYMMETRIES)
        return self._search.options(position, self.simulations, symmetry)
