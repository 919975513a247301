"""The games of a pair. A process plays one pair at a time, on this machine or on a worker of a cluster."""

from __future__ import annotations

from socket import gethostname
from typing import NamedTuple

from littlego.arena.plan import Entrant, Pair
from littlego.arena.players import find_changed, is_unknown
from littlego.arena.results import Result
from littlego.cli.arguments import ArgumentError
from littlego.games.game import opening
from littlego.match.host import FilePlayer
from littlego.match.referee import GameRecord, Player
from littlego.match.series import Pairing, pair_of_games, play_game, side_of
from littlego.players.erring import ErringPlayer
from littlego.players.gtp_player import GtpPlayer
from littlego.players.named_books import unpack_book
from littlego.players.ours import ours_by
from littlego.players.registry import parse
from littlego.players.show import reason_of
from littlego.rules.position import BLACK, RESIGN, WHITE
from littlego.sandbox import sandbox
from littlego.sandbox.limited import BACKSTOP


class Played(NamedTuple):
    """A finished game: its row for statistics, and its full record."""

    result: Result
    record: GameRecord


class PlayedPair(NamedTuple):
    """A finished pair. worker: the address of the cluster's worker that played the pair, or '' for this machine."""

    number: int
    games: tuple[Played, Played]
    worker: str = ""


def play_pair(pair: Pair) -> PlayedPair:
    """Play both games of a pair. If is_repeatable(pair) is true, the moves depend only on the pair."""
    return PlayedPair(pair.number, (play_half(pair, 0), play_half(pair, 1)))


def play_pair_far(pair: Pair, mode: str = sandbox.AUTO) -> PlayedPair:
    """Play a pair on a cluster's worker.

    mode: the caller's sandbox mode. Raise ArgumentError if a player's files are missing or differ on the worker, or if
    the worker does not have the requested sandbox.
    """
    sandbox.use(mode)
    try:
        sandbox.is_used()
    except sandbox.SandboxError as error:
        raise ArgumentError(f"on {gethostname()}: {error}") from None
    if names := find_changed((pair.first, pair.second)):
        raise ArgumentError(
            f"{' and '.join(names)}: on {gethostname()}, files are missing or differ; "
            "a worker needs the same files at the same paths"
        )
    from littlego.cluster import worker_here

    return play_pair(pair)._replace(worker=worker_here())


def is_repeatable(pair: Pair) -> bool:
    """Return whether every replay of a pair has the same moves.

    The result is True if the pair has no clock and no player is an unknown program.
    """
    return pair.minutes is None and not (is_unknown(pair.first) or is_unknown(pair.second))


def are_same(pair: PlayedPair, other: PlayedPair) -> bool:
    """Return whether a pair and its replay have the same moves, winners and faults."""
    mine, theirs = (
        [(game.record.key, game.record.winner, game.record.fault) for game in one.games] for one in (pair, other)
    )
    return mine == theirs


def play_half(pair: Pair, half: int) -> Played:
    """Play one game of a pair. half: 0 for the first game, or 1 for the game with swapped colours."""
    game = pair_of_games(*pair)[half]
    record = with_reasons(play_game(game, player_of))._replace(players=(game.black.name, game.white.name))
    return Played(result_of(record, pair, half), record)


def player_of(entrant: Entrant, game: Pairing) -> Player:
    """Return a new player for a game. The caller must close the player."""
    name = parse(entrant.spec)
    if name.whom:
        return ErringPlayer(player_of(entrant._replace(spec=name.whom.text), game), name.rate, game.seed)
    if entrant.patterns:
        return ours_by(entrant.spec, unpack_book(entrant.patterns, entrant.overrides))
    player = name.make(game.seed, None)
    if isinstance(player, FilePlayer):
        player.cpu_limit = game.cpu_limit
    if isinstance(player, FilePlayer | GtpPlayer):
        player.wall_limit = max(player.wall_limit, BACKSTOP * game.cpu_limit)
    return player


def with_reasons(record: GameRecord) -> GameRecord:
    """Return the record with the reasons for our program's moves added.

    The program itself sends no reasons. The moves of the random opening stay unchanged.
    """
    position, moves = opening(record.ruleset), []
    for move in record.moves:
        given = move.number <= record.opening
        reason = move.reason if given else reason_of(position, move, record.players[move.colour - 1])
        moves.append(move._replace(reason=reason))
        position = position if move.move == RESIGN else position.play(move.move)
    return record._replace(moves=tuple(moves))


def result_of(record: GameRecord, pair: Pair, half: int) -> Result:
    """Return one game's row for statistics. half: see play_half."""
    return result_in(
        record, (2 * pair.number + half, pair.number, half), (pair.first.name, pair.second.name), pair.seed
    )


def result_in(record: GameRecord, place: tuple[int, int, int], players: tuple[str, str], seed: int) -> Result:
    """Return a game's row for statistics. place: (game number, pair number, half); for half, see play_half."""
    return Result(
        *place,
        *players,
        seed,
        record.opening,
        record.winner,
        record.fault,
        record.lead2,
        len(record.moves),
        record.why,
        (side_of(record, BLACK), side_of(record, WHITE)),
    )
