"""The client's side of the match protocol: the position, the clocks and the next action.

docs/server.md describes the protocol. This module has no network code. The client tolerates servers that deviate from
the protocol: times may be strings, and some keys may be missing. Messages that do not fit the current state are
ignored.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from littlego.games.clock import Clock, Times
from littlego.games.game import why_illegal
from littlego.games.match import MatchPosition
from littlego.match.matchlog import (
    COLOURS,
    REPEATS,
    MatchLogError,
    parse_protocol_move,
    parse_time,
    read_configuration,
)
from littlego.match.protocol import Turn
from littlego.players.server.messages import SEAT, Message, move_message, name_message, shorten
from littlego.rules.geometry import Point
from littlego.rules.position import BLACK, RESIGN


class State(Enum):
    """The possible states of a client, with the names that the protocol uses."""

    INIT = "not known to the server"
    READY = "waiting for a game"
    IDLE = "waiting for the opponent"
    THINKING = "to move"
    AWAITING_MOVE_RESPONSE = "waiting for the server's answer to the player's move"


class FollowError(ValueError):
    """Raised if the client cannot follow the server's game; the message gives the reason in one line."""


class Result(NamedTuple):
    """The content of an END message.

    winner: BLACK or WHITE, or 0 if the message names no winner. scores: Black's and White's points. seconds: the time
    that Black and White have left. A missing score or time is None.
    """

    reason: str
    winner: int
    scores: tuple[float | None, float | None]
    seconds: tuple[float | None, float | None]

    @property
    def is_over(self) -> bool:
        """Whether the game is over, not merely paused."""
        return self.reason not in ("pause", "error")


class Follower:
    """The protocol state of a client. name: the client's name. now: returns the monotonic time in seconds."""

    def __init__(self, name: str, now: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self.state = State.INIT
        self.colour = 0
        self.position: MatchPosition | None = None  # None before the first START
        self.result: Result | None = None  # result of the last finished game
        self.theirs: Point | None = None  # the opponent's last move
        self.refused = ""  # the server's reason for refusing the last move
        self.resumed = 0  # number of moves in the last START
        self.other_rules: tuple[str, ...] = ()
        self._previous = (0, 0)
        # all moves since the empty board; None if the game began on another board
        self._moves: tuple[Point, ...] | None = None
        self._now = now
        self._clock = Clock((0.0, 0.0), now)
        self._sent: Point = 0
        self._secret = ""  # secret of this client's seat, from the last START

    def receive(self, message: Message) -> Message | None:
        """Process a server message; return the answer, or None if no answer is needed.

        Raise FollowError for a game that the client cannot follow.
        """
        match message.get("type"):
            case "NAME":
                self.state = State.READY
                return name_message(self.name, self._secret)
            case "START":
                self._start(message)
            case "END":
                self._end(message)
            case "MOVE" if self.state is State.IDLE:
                self._opponent_moved(message)
            case "VALID" if self.state is State.AWAITING_MOVE_RESPONSE:
                self._make(self._sent, message)
                self.state = State.IDLE
            case "INVALID" if self.state is State.AWAITING_MOVE_RESPONSE:
                self.refused = shorten(str(message.get("message", ""))) or "no reason given"
                self._set_clock(message)
                self.state = State.THINKING
        return None

    def lost(self) -> None:
        """Record a lost connection. After a reconnection, the server sends the game's state in a new START."""
        self.state = State.INIT

    def turn(self) -> Turn:
        """Return the Turn for the next move; the client must be the player to move."""
        assert self.position is not None
        return Turn(self.position, self._previous, self.times(), self._moves)

    def times(self) -> Times:
        """Return the seconds left on both clocks."""
        return self._clock.times()

    def move(self, move: Point) -> Message:
        """Return the MOVE message for a move, and record the move as sent. The server's answer is VALID or INVALID."""
        assert self.position is not None
        self.state, self._sent = State.AWAITING_MOVE_RESPONSE, move
        return move_message(move, self.position.ruleset.size)

    def _start(self, message: Message) -> None:
        secret = message.get(SEAT)
        self._secret = secret if isinstance(secret, str) else ""
        try:
            log = read_configuration(message.get("configuration"))
        except MatchLogError as error:
            raise FollowError(f"the server began a game that cannot be read: {error}") from None
        colour = message.get("color")
        if colour not in ("B", "W"):
            raise FollowError(f"the server began a game for the colour {shorten(repr(colour), 20)}; expected B or W")
        positions = log.positions()
        before = positions[-2] if len(positions) > 1 else positions[-1]
        self.colour = COLOURS[colour]
        self.position, self._previous = positions[-1], (before.black, before.white)
        is_whole = not (log.start.black | log.start.white) and log.start.colour == BLACK
        self._moves = tuple(logged.move for logged in log.moves) if is_whole else None
        self.resumed, self.other_rules, self.refused, self.result = len(log.moves), log.other_rules, "", None
        black, white = log.remaining()
        self._run_clock(black / 1000, white / 1000)
        self.state = State.THINKING if self.position.colour == self.colour else State.IDLE

    def _opponent_moved(self, message: Message) -> None:
        assert self.position is not None
        size = self.position.ruleset.size
        try:
            move = parse_protocol_move(message.get("move"), size)
        except MatchLogError as error:
            raise FollowError(f"the server sent a move that cannot be read: {error}") from None
        why = why_illegal(self.position, move)
        if why and why not in REPEATS:  # the server may have a different ko rule
            row, column = divmod(move, size)
            raise FollowError(f"the server sent a move to row {row} and column {column}: {why}")
        self.theirs = move
        is_over = self.position.ends_with(move)  # the server sends END next
        self._make(move, message)
        self.state = State.IDLE if is_over else State.THINKING

    def _make(self, move: Point, message: Message) -> None:
        assert self.position is not None
        if move != RESIGN:
            self._previous = (self.position.black, self.position.white)
            self.position = self.position.play(move)
            self._moves = None if self._moves is None else (*self._moves, move)
        self.refused = ""
        self._set_clock(message)

    def _set_clock(self, message: Message) -> None:
        """Set both clocks from a message. If the message has no valid time for a clock, that clock does not change."""
        times, left = message.get("remainingTime"), self._clock.times()
        black, white = (_milliseconds(times, letter) for letter in "BW")
        self._run_clock(left.black if black is None else black / 1000, left.white if white is None else white / 1000)

    def _run_clock(self, black: float, white: float) -> None:
        assert self.position is not None
        self._clock = Clock((black, white), self._now)
        self._clock.start(self.position.colour)

    def _end(self, message: Message) -> None:
        players = message.get("players")
        sides = [players.get(letter) if isinstance(players, dict) else None for letter in "BW"]
        black, white = (_number(side, "score") for side in sides)
        times = [_milliseconds(side, "remainingTime") for side in sides]
        seconds = [None if milliseconds is None else milliseconds / 1000 for milliseconds in times]
        winner = message.get("winner")
        self.result = Result(
            shorten(str(message.get("reason", "")), 20) or "no reason given",
            COLOURS.get(winner, 0) if isinstance(winner, str) else 0,
            (black, white),
            (seconds[0], seconds[1]),
        )
        self._clock.stop()
        if self.state is not State.INIT:
            self.state = State.READY


def _milliseconds(values: Any, key: str) -> int | None:
    try:
        return parse_time(values.get(key)) if isinstance(values, dict) else None
    except MatchLogError:
        return None


def _number(values: Any, key: str) -> float | None:
    number = values.get(key) if isinstance(values, dict) else None
    return number if isinstance(number, int | float) and not isinstance(number, bool) else None
