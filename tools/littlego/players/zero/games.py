"""The games that search and learning support, looked up by name. This module runs on Python 3.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlego.games.game import ruleset_named
from littlego.players.zero.go import Go
from littlego.players.zero.tictactoe import TicTacToe

if TYPE_CHECKING:
    from littlego.players.zero.game import Game


def game_named(name: str) -> Game:
    """Return a game by name: `tic-tac-toe`, or a ruleset such as `little-go-7` or `match-9`.

    Raise UnknownRulesetError for an unknown name or a board larger than 10x10.
    """
    return TicTacToe() if name == TicTacToe.name else Go(ruleset_named(name))
