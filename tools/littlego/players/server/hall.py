"""The clients, the tables at which they play, and the effects of each message and each disconnection.

All code runs in the thread of the event loop, so the server handles each message completely before the next message.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from littlego.games.boards import move_text
from littlego.knowledge.problems import plural
from littlego.match.matchlog import LONGEST_NAME, MatchLogError
from littlego.match.referee import COLOURS
from littlego.players.server.game import ServedGame
from littlego.players.server.messages import (
    PAUSE,
    PROTOCOL,
    SEAT,
    BadMessage,
    Message,
    decode,
    end_message,
    invalid_message,
    move_message,
    shorten,
    start_message,
    valid_message,
)
from littlego.players.server.report import Report
from littlego.rules.position import BLACK, WHITE

MOST_WATCHERS = 100  # number of clients allowed in addition to the seats
KEPT_EVERY = 5.0  # seconds between two saves of a thinking player's time, in case the server is killed
RETURN = 10.0  # seconds to wait for the second player of an interrupted game after the first has returned


class Line(Protocol):
    """The connection to a client: `send` queues a message, `drop` ends the connection."""

    def send(self, message: Message) -> None: ...

    def drop(self) -> None: ...


class Client:
    """A connected client.

    number: identifies the client in the operator's commands. name: '' before the client's NAME message. secret: the
    secret with which the client returns to its seat, '' if the client has no secret yet, or None if the client does not
    support secrets. away: whether the operator has removed the client from its seat.
    """

    def __init__(self, number: int, address: str, line: Line) -> None:
        self.number = number
        self.address = address
        self.line = line
        self.name = ""
        self.secret: str | None = None
        self.table: Table | None = None
        self.colour = 0
        self.away = False

    @property
    def shown(self) -> str:
        """The client's number and name (or address) for printed lines."""
        return f"client {self.number} ({self.name or self.address})"


class Plan(NamedTuple):
    """The settings that determine when games start and how many games are played at each table.

    auto: whether a game starts as soon as both seats are taken. Otherwise, the operator starts each game. black: the
    name of Black's client in the first game, '' for the first client that connects. games: the number of games at each
    table, None for no limit.
    """

    auto: bool = False
    black: str = ""
    games: int | None = None


class Table:
    """A game and its two seats."""

    def __init__(self, label: str, game: ServedGame, plan: Plan, report: Report, done: Callable[[], None]) -> None:
        self.label = label  # '' if there is only one table
        self.game = game
        self.plan = plan
        self.report = report
        self.seats: dict[int, Client | None] = {BLACK: None, WHITE: None}
        self.names = game.log.names
        self.secrets = game.secrets()
        self.played = 0
        self.held = False  # paused by the operator
        self._done = done
        self._timer: asyncio.TimerHandle | None = None

    @property
    def finished(self) -> bool:
        """Whether all games of the table have been played."""
        return self.plan.games is not None and self.played >= self.plan.games

    def say(self, text: str) -> None:
        """Report a line about this table."""
        self.report.say(f"{self.label}{text}")

    def free_seat(self, client: Client) -> int:
        """Return the colour of the seat that a client may take, or 0 if the client may take no seat."""
        free = [colour for colour in (BLACK, WHITE) if self.seats[colour] is None]
        if self.finished:
            return 0
        if any(self.names):
            return next((colour for colour in free if self._owns(client, colour)), 0)
        if self.plan.black:
            free = [colour for colour in free if (colour == BLACK) == (client.name == self.plan.black)]
        return free[0] if free else 0

    def _owns(self, client: Client, colour: int) -> bool:
        """Return whether a client sent the seat's player name and, if the seat has a secret, that secret."""
        secret = self.secrets[colour - 1]
        is_known = not secret or hmac.compare_digest(secret.encode(), (client.secret or "").encode("utf-8", "replace"))
        return is_known and self.names[colour - 1] == client.name

    def seat(self, client: Client, colour: int) -> None:
        """Give a seat to a client; any previous client loses the seat.

        If a game is running, also save the game and send START to the client.
        """
        self.unseat(self.seats[colour])
        if client.table:
            client.table.unseat(client)
        self.seats[colour] = client
        client.table, client.colour, client.away = self, colour, False
        self.say(f"{client.shown} is {COLOURS[colour]}")
        if self.game.running:
            self.game.keep()
            self._send_start(colour)

    def unseat(self, client: Client | None) -> None:
        """Free a client's seat if it is at this table."""
        if client is not None and client.table is self:
            self.seats[client.colour] = None
            client.table, client.colour = None, 0

    def swap(self) -> None:
        """Swap the players' colours."""
        black, white = self.seats[BLACK], self.seats[WHITE]
        self.seats = {BLACK: white, WHITE: black}
        self.names = (self.names[1], self.names[0])
        self.secrets = (self.secrets[1], self.secrets[0])
        for colour, client in self.seats.items():
            if client:
                client.colour = colour

    def begin_if_ready(self) -> None:
        """Start or resume a game if games start automatically and both seats are taken.

        If only one player of an unfinished game has returned, the game resumes after RETURN seconds.
        """
        if not self.plan.auto or self.held or self.finished or self.game.running:
            return
        if all(self.seats.values()):
            self.begin()
        elif self.game.begun and any(self.seats.values()):
            asyncio.get_running_loop().call_later(RETURN, self._begin_without_other)

    def _begin_without_other(self) -> None:
        """Resume a paused game without the missing player if at least one player is seated.

        Do nothing if the game is already running or over, if the operator has paused the game, or if all games of the
        table have been played. The clock of the player to move runs, even if that player is missing.
        """
        may_begin = not (self.held or self.finished or self.game.running)
        if may_begin and self.game.begun and any(self.seats.values()):
            self.begin()

    def begin(self) -> None:
        """Resume the paused game, or start a new game; a new game needs a client in each seat."""
        assert not self.game.running and (self.game.begun or all(self.seats.values()))
        black, white = ((self.seats[colour], self.names[colour - 1]) for colour in (BLACK, WHITE))
        self.names = (black[0].name if black[0] else black[1], white[0].name if white[0] else white[1])
        if self.game.log.ending is not None:
            self.game.renew()
        if not any(self.game.log.names):  # a new game
            self.secrets = (_secret_for(black[0]), _secret_for(white[0]))
            self.game.keep_secrets(self.secrets)
        for colour in (BLACK, WHITE):
            self._send_start(colour)
        made = len(self.game.log.moves)
        how = f"resumes after {plural(made, 'move')}" if self.game.begun else "begins"
        self.say(f"the game {how}: {self.names[0]} is Black, {self.names[1]} is White")
        self.game.begin(self.names)
        self._watch_clock()

    def _send_start(self, colour: int) -> None:
        """Send START with the game so far to the client in a seat, unless the seat is free."""
        if client := self.seats[colour]:
            secret = "" if client.secret is None else self.secrets[colour - 1]
            client.line.send(start_message(self.game.configuration(), colour, secret))

    def _watch_clock(self) -> None:
        """Schedule the next check of the clock; if no game is running, only cancel the scheduled check.

        The check ends the game after a timeout; before a timeout, the check saves the time used so far.
        """
        if self._timer:
            self._timer.cancel()
        self._timer = None
        if self.game.running:
            left = max(0.0, self.game.remaining[self.game.mover - 1] / 1000)
            self._timer = asyncio.get_running_loop().call_later(min(left, KEPT_EVERY), self._look_at_clock)

    def _look_at_clock(self) -> None:
        if self.game.flag():
            self._end()
            return
        self.game.keep()
        self._watch_clock()

    def move(self, client: Client, message: Message) -> None:
        """Answer a client's MOVE; if the move is legal, also send the move to the opponent.

        A MOVE out of turn is not answered, and a MOVE after a timeout ends the game.
        """
        game = self.game
        if not game.running or client.colour != game.mover:
            self.report.note(f"{self.label}{client.shown}: ignored a MOVE out of turn")
            return
        if game.flag():
            self._end()
            return
        try:
            move = game.play(message.get("move"))
        except MatchLogError as error:
            self.report.note(f"{self.label}{client.shown}: refused a move: {error}")
            client.line.send(invalid_message(str(error), game.remaining))
            return
        left, size = game.remaining, game.position.ruleset.size
        client.line.send(valid_message(left))
        other = self.seats[BLACK + WHITE - client.colour]
        if other:
            other.line.send(move_message(move, size, left))
        # the next clock starts after the connections' tasks have sent both messages
        asyncio.get_running_loop().call_soon(game.let_run)
        seconds = left[client.colour - 1] / 1000
        played = f"{COLOURS[client.colour]} {move_text(move, size)}, {seconds:.1f} s left"
        self.say(f"{len(game.log.moves)}. {played}")
        self._watch_clock()
        if game.log.ending is not None:
            self._end()

    def _end(self) -> None:
        """Send END to the seated players, and report the game's result.

        If games start automatically, swap the players' colours and, if possible, start the next game. If all games of
        the table have been played, call the function `done` that the constructor received.
        """
        ending = self.game.log.ending
        assert ending is not None
        self._tell_end(ending.reason, ending.winner, ending.scores)
        winner = f"{COLOURS[ending.winner]} ({self.names[ending.winner - 1]}) wins" if ending.winner else "a tie"
        black, white = ending.scores
        self.played += 1
        if not all(self.seats.values()):  # a player who has not returned has no seat in the next game
            self.names, self.secrets = ("", ""), ("", "")
        self.say(f"game {self.played} over, {ending.reason}: {winner}, Black {black:g}, White {white:g}")
        self._watch_clock()
        if self.plan.auto:
            self.swap()
        if self.finished:
            self._done()
        self.begin_if_ready()

    def _tell_end(self, reason: str, winner: int, scores: tuple[float, float]) -> None:
        for client in self.seats.values():
            if client:
                client.line.send(end_message(reason, winner, scores, self.game.remaining))

    def clear(self) -> Path | None:
        """Set the paused game aside; return the new path of the game's file, or None if there is no file.

        The seats are then no longer reserved for the paused game's players.

        Raise OSError if the file cannot be renamed.
        """
        self.names, self.secrets = ("", ""), ("", "")
        return self.game.clear()

    def stop(self) -> None:
        """Pause the game, stop both clocks and notify both players."""
        self.game.pause()
        self._watch_clock()
        self._tell_end(PAUSE, 0, self.game.scores)
        self.say(f"the game stopped after {plural(len(self.game.log.moves), 'move')} and can be resumed")


def _secret_for(client: Client | None) -> str:
    """Return a new secret for a client's seat, or '' if the client is missing or does not support secrets."""
    return "" if client is None or client.secret is None else secrets.token_urlsafe(16)


class Hall:
    """All clients and tables of a server."""

    def __init__(self, tables: list[Table], report: Report) -> None:
        self.tables = tables
        self.report = report
        self.clients: dict[int, Client] = {}
        self._numbers = 0

    def enter(self, address: str, line: Line) -> Client | None:
        """Return a new client, or None if too many clients are connected."""
        if len(self.clients) >= MOST_WATCHERS + 2 * len(self.tables):
            self.report.note(
                f"refused a connection from {address}: the maximum of {len(self.clients)} clients are connected"
            )
            return None
        self._numbers += 1
        client = self.clients[self._numbers] = Client(self._numbers, address, line)
        return client

    def receive(self, client: Client, frame: str | bytes) -> None:
        """Handle a frame from a client; report a frame that is invalid or unexpected."""
        try:
            message = decode(frame)
        except BadMessage as error:
            self.report.note(f"{client.shown}: {error}")
            return
        kind = message["type"]
        if kind == "NAME" and not client.name:
            self._name(client, message)
        elif kind == "MOVE" and client.table:
            client.table.move(client, message)
        else:
            self.report.note(f"{client.shown}: ignored {shorten(kind)}, which is not expected now")

    def _name(self, client: Client, message: Message) -> None:
        name = message.get("name")
        if not isinstance(name, str):
            self.report.note(f"{client.shown}: ignored a NAME without a name")
            return
        secret = message.get(SEAT)
        client.secret = secret if isinstance(secret, str) else None
        client.name = shorten(name.strip(), LONGEST_NAME)[:LONGEST_NAME] or f"client-{client.number}"
        self.report.note(f"welcome, {client.shown}")
        if message.get("protocol", PROTOCOL) != PROTOCOL:
            self.report.note(f"{client.shown}: requested another protocol; the server uses {PROTOCOL}")
        self.seat_waiting()

    def seat_waiting(self) -> None:
        """Give free seats to waiting clients if games start automatically or a game can be resumed.

        Returning clients get their former seats. If games start automatically, games whose seats are taken then start
        or resume.
        """
        for client in list(self.clients.values()):
            if not client.name or client.table or client.away:
                continue
            for table in self.tables:
                colour = table.free_seat(client) if table.plan.auto or table.game.begun else 0
                if colour:
                    table.seat(client, colour)
                    table.begin_if_ready()
                    break

    def leave(self, client: Client) -> None:
        """Remove a disconnected client. The client's game continues: the clock of the player to move keeps running."""
        self.clients.pop(client.number, None)
        self.report.note(f"goodbye, {client.shown}")
        if client.table:
            client.table.unseat(client)
        self.seat_waiting()

    def close(self) -> None:
        """Pause all games, so that another server can resume them."""
        for table in self.tables:
            if table.game.running:
                table.stop()
