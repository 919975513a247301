"""The studio's players (the open file's patterns, and named players), and the games between them."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from littlego.cli.arguments import ArgumentError
from littlego.cli.commandline import did_you_mean
from littlego.editor.deciders import decider_for
from littlego.editor.games import StudioGame, is_over, last_boards, moves_made, positions_of, with_move
from littlego.editor.methods import Refusal
from littlego.editor.session import Session
from littlego.engines.draw.decisions import reason_line
from littlego.games.game import opening, why_illegal
from littlego.match.protocol import Turn
from littlego.match.referee import COLOURS, Player, Reply, printable_reply
from littlego.match.series import PLIES
from littlego.printable import printable
from littlego.rules.position import BLACK, Position
from littlego.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from littlego.players.registry import Kind

THIS_FILE = "this file"  # the player that uses the open file's current patterns
COMMANDS = {"human", "my_player3", "file", "folder", "gtp", "gnugo"}  # kinds of players that are people or programs
LONGEST_NAME = 200  # characters


class OpenFile(Player):
    """The player that uses the open file's patterns."""

    name = THIS_FILE

    def __init__(self, session: Session) -> None:
        self.session = session

    def prepare(self, ruleset: Ruleset) -> None:
        """Prepare the engine for a ruleset, so that the first decision is fast."""
        decider_for(self.session, opening(ruleset)).prepare(ruleset)

    def choose(self, turn: Turn) -> Reply:
        """Return the move that the patterns choose, with its reason in one line."""
        began = time.process_time()
        decision = decider_for(self.session, turn.position).decide(turn.position)
        return Reply(decision.move, time.process_time() - began, reason=reason_line(decision))


def player_named(session: Session, name: str, seed: int, ruleset: Ruleset) -> Player:
    """Return the player for a name that the page sends.

    Raise Refusal for a name that a page may not use, and ArgumentError for a player that cannot play the ruleset.
    """
    if name == THIS_FILE:
        return OpenFile(session)
    from littlego.players.registry import make_player, refuse_ruleset  # lazy: loads the code that runs programs

    if not is_offered(name, session.snapshot.players):
        hint = did_you_mean(name, sorted(built_in())) or f" Start `littlego studio --player {quote(name[:60])}`."
        text = f"{name[:60]!r} is neither a player of this page nor named by --player, and a page cannot add players."
        raise Refusal("forbidden", printable(text + hint))
    refuse_ruleset([name], ruleset)
    return make_player(name, seed)


def built_in() -> dict[str, Kind]:
    """Return {name: kind} for the kinds of built-in players that the page may choose.

    A kind is absent if its players are people or programs, or need a Python package that is missing.
    """
    from littlego.players.registry import KINDS
    from littlego.players.zero import player as zero

    absent = COMMANDS if zero.is_available() else {*COMMANDS, zero.NAME}
    return {word: kind for word, kind in KINDS.items() if word not in absent}


def is_offered(name: str, players: Collection[str]) -> bool:
    """Return whether a page may choose a player.

    A page may choose any of `players`, and any built-in player (see `built_in`) without an argument. The perfect player
    may also have an argument. A page may add an error rate to each player that it may choose. Only the user who starts
    the studio may give other names, because other names can refer to files, revisions and programs.
    """
    from littlego.players import erring, perfect

    if name in players:
        return True
    kind, _, argument = name.partition(":")
    if kind == erring.NAME and len(name) <= LONGEST_NAME:
        return is_offered(argument.partition(":")[2], players)
    return kind in built_in() and (not argument or kind == perfect.NAME)


def ongoing_positions(game: StudioGame) -> list[Position]:
    """Return the positions of an unfinished game; raise ArgumentError for a finished game."""
    positions = positions_of(game)
    if is_over(game, positions):
        raise ArgumentError("the game is over; take a move back, or start another game")
    return positions


def turn_of(game: StudioGame, positions: list[Position]) -> Turn:
    """Return the Turn of the side to move, as in a game without clocks."""
    return Turn(positions[-1], last_boards(game, positions), None, moves_made(game))


def play_out(session: Session, game: StudioGame, names: tuple[str, str], seed: int) -> Iterator[StudioGame]:
    """Yield the game after each move of two players, until the game ends or has PLIES moves.

    names: the names of Black and White on the page. If `game` is at the initial position of its ruleset, the players
    make the same moves as with `littlego play --seed SEED`. Raise Refusal if a player fails or chooses an illegal move,
    and ArgumentError for a finished game.
    """
    positions, game = ongoing_positions(game), replace(game, players=names)
    ruleset = positions[-1].ruleset
    with ExitStack() as stack:
        players = []
        for name in names:
            players.append(player_named(session, name, seed, ruleset))
            stack.callback(players[-1].close)
        for player in players:
            player.prepare(ruleset)
        while not is_over(game, positions) and len(positions) <= PLIES:
            turn = turn_of(game, positions)
            reply = printable_reply(players[turn.position.colour != BLACK].choose(turn))
            game = with_move(game, _move_of(reply, turn.position, names), reply.reason)
            positions = positions_of(game)
            yield game


def _move_of(reply: Reply, position: Position, names: tuple[str, str]) -> int:
    if reply.move is None or reply.fault:
        fault = reply.fault or "it made no move"
    elif illegal := why_illegal(position, reply.move):
        fault = f"the move is illegal: {illegal}"
    else:
        return reply.move
    colour = position.colour
    raise Refusal("invalid", f"{COLOURS[colour]} ({printable(names[colour != BLACK])}) lost: {fault}")
