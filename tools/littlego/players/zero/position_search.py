"""The search for a move in a position, with a network from a weights file. This module runs on Python 3.7."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from littlego.players.zero.game import turned_columns
from littlego.players.zero.games import game_named
from littlego.players.zero.go import Go
from littlego.players.zero.network import load_network
from littlego.players.zero.search import line_of, search
from littlego.rules.position import PASS

if TYPE_CHECKING:
    from littlego.players.zero.network import Network
    from littlego.rules.position import Position


class Option(NamedTuple):
    """A legal move of a searched position.

    move: a point or PASS. visits: the number of simulations that began with the move. value: from -1 (a loss) to 1 (a
    win) for the player to move; an estimate if the move has no visits. share: the move's probability in the improved
    policy. line: the move, followed by the most visited move at each later node.
    """

    move: int
    visits: int
    value: float
    share: float
    line: tuple[int, ...]


class PositionSearch:
    """A search with a network from a weights file.

    The constructor raises OSError or WeightsError for an unusable file.
    """

    def __init__(self, path: str) -> None:
        self.network = load_network(path)
        self.game = _go_of(self.network)
        self._networks: dict[int, Network] = {0: self.network}

    def options(self, position: Position, simulations: int, symmetry: int = 0) -> list[Option]:
        """Return an Option for each legal move, the chosen move first.

        The other moves are sorted by visits, then by share (largest numbers first), then by move (smallest number
        first; a pass is -1). symmetry: the index, 0 to 7, of the board symmetry under which the network sees the
        position.
        """
        state, noise = self.game.state_of(position), np.zeros((1, self.game.actions), np.int64)
        found = search(self.game, self._turned(symmetry), state, noise, simulations)
        actions = np.flatnonzero(self.game.legal(state)[0]).tolist()
        options = {
            action: Option(
                self._move(action),
                int(found.visits[0, action]),
                float(found.values[0, action]),
                float(found.policy[0, action]),
                tuple(map(self._move, line_of(found.trees, 0, action))),
            )
            for action in actions
        }
        chosen = options.pop(int(found.actions[0]))
        return [chosen, *sorted(options.values(), key=lambda option: (-option.visits, -option.share, option.move))]

    def _move(self, action: int) -> int:
        return PASS if action == self.game.points else action

    def _turned(self, symmetry: int) -> Network:
        """Return the network, cached, with inputs and actions permuted by a symmetry of the board."""
        if symmetry not in self._networks:
            inputs, actions = (
                turned_columns(self.game, width)[symmetry] for width in (self.game.inputs, self.game.actions)
            )
            self._networks[symmetry] = self.network.permuted(inputs, actions)
        return self._networks[symmetry]


def _go_of(network: Network) -> Go:
    from littlego.games.kinds import UnknownRulesetError
    from littlego.players.zero.network import WeightsError

    try:
        game = game_named(network.about["game"])
    except UnknownRulesetError as error:
        raise WeightsError(str(error)) from None
    if not isinstance(game, Go) or (game.inputs, game.actions) != (network.inputs, network.actions):
        raise WeightsError(f"the network does not fit the game {game.name}")
    return game
