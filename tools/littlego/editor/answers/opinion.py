"""The answer with the learning player's opinion of a position, for the board view."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from littlego.editor.games import word
from littlego.editor.methods import SLOW, Refusal, ask, only_installed
from littlego.editor.positions import read_position
from littlego.editor.session import Session

if TYPE_CHECKING:
    from littlego.players.zero.player import ZeroPlayer
    from littlego.players.zero.position_search import Option

MOST_MOVES = 5  # maximum number of moves in an answer


@ask("opinion", lane=SLOW)
def opinion(session: Session, *, position: str) -> dict[str, Any]:
    """Return the learning player's opinion of a position.

    `known` is true if the player has an opinion. Otherwise, `why` is the reason, `chosen` is '', `winrate` is null, and
    `moves` is empty. `player` is the player's name, and `simulations` is the number of simulations per move. `chosen`
    is the player's move, and `winrate` is the estimated chance, from 0 to 1, that the side to move wins with this move.
    `moves` lists at most MOST_MOVES moves: the chosen move, then the other moves with the most visits. Each move has
    the keys move, probability, visits (the number of simulations that began with the move) and winrate. The command
    `lz-analyze` of `littlego gtp --player zero` reports the same values.
    """
    from littlego.players.zero import player as zero

    board = read_position(position, session.entries.ruleset.name)
    rules, player = board.ruleset, {"player": zero.NAME, "simulations": zero.SIMULATIONS}
    trained = _trained()
    if rules.name != trained:
        why = f"the shipped weights are for the game {trained}, not for {rules.name}"
        return {"known": False, "why": why, **player, "chosen": "", "winrate": None, "moves": []}
    if not zero.is_available():
        raise only_installed(f"littlego gtp --player {zero.NAME}")
    moves = [_move_json(option, rules.size) for option in _player().options(board)[:MOST_MOVES]]
    best = moves[0]
    return {"known": True, "why": "", **player, "chosen": best["move"], "winrate": best["winrate"], "moves": moves}


def _move_json(option: Option, size: int) -> dict[str, Any]:
    winrate = (1 + option.value) / 2
    return {"move": word(option.move, size), "probability": option.share, "visits": option.visits, "winrate": winrate}


@lru_cache(maxsize=1)
def _trained() -> str:
    """Return the name of the ruleset for which the shipped weights were trained.

    The name is cached, because reading the weights is slow.
    """
    from littlego.players.zero.player import WEIGHTS, ruleset_name

    return ruleset_name(WEIGHTS)


@lru_cache(maxsize=1)
def _player() -> ZeroPlayer:
    from littlego.players.zero.player import UnavailableError, ZeroName, ZeroPlayer

    try:
        return ZeroPlayer(ZeroName(), seed=0)
    except UnavailableError as error:
        raise Refusal("lacking", f"the learning player cannot play: {error}") from None
