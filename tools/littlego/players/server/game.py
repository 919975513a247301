"""A game on the server: its log, its position, its clocks, and the reasons for refusing moves.

This module has no network code; a function provides the current time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from littlego.games.clock import Clock
from littlego.games.game import why_illegal, winner_of
from littlego.games.match import MatchPosition, MatchRuleset
from littlego.match.matchlog import (
    MERCY_START,
    REPEATS,
    Ending,
    LoggedMove,
    MatchLog,
    MatchLogError,
    log_json,
    parse_protocol_move,
)
from littlego.players.server.store import Store
from littlego.rules.geometry import Point
from littlego.rules.position import BLACK, RESIGN, WHITE

REFUSALS = {  # result of why_illegal -> the protocol's message
    "off the board": "Out of Bound",
    "there is a stone already": "Nonempty point",
    "it is suicide": "Suicide",
    **dict.fromkeys(REPEATS, "SuperKo"),
}


class Settings(NamedTuple):
    """Parameters of new games: the ruleset and each player's time in milliseconds. mercy, mercy_start: see MatchLog."""

    ruleset: MatchRuleset
    milliseconds: int
    mercy: float = 0
    mercy_start: int = MERCY_START

    def new_log(self) -> MatchLog:
        """Return the log of a new game."""
        times = (self.milliseconds, self.milliseconds)
        return MatchLog(self.ruleset.opening(), times, mercy=self.mercy, mercy_start=self.mercy_start)


class ServedGame:
    """A game that is saved in a store, so that a restarted server can resume it.

    trouble(text): called if saving or archiving fails. now: returns the monotonic time in seconds.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        trouble: Callable[[str], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self.store = store
        self._trouble = trouble
        self._now = now
        self._take(store.load() or settings.new_log())

    def _take(self, log: MatchLog) -> None:
        self.log = log
        self.position: MatchPosition = log.positions()[-1]
        self._clock: Clock | None = None  # None while the game is paused
        left = list(log.remaining())
        left[self.mover - 1] += log.idle
        self._left = left  # milliseconds left after the last move

    @property
    def mover(self) -> int:
        """The colour to move."""
        return self.position.colour

    @property
    def running(self) -> bool:
        """Whether the game is in progress: begun, not paused and not over."""
        return self._clock is not None

    @property
    def begun(self) -> bool:
        """Whether the game can be resumed: it is not over, and a player has moved or used time."""
        return self.log.ending is None and bool(self.log.moves or self.log.idle)

    @property
    def remaining(self) -> tuple[int, int]:
        """The milliseconds that Black and White have left."""
        if self._clock is None:
            return self.log.remaining()
        black, white = (round(1000 * seconds) for seconds in self._clock.times())
        return black, white

    @property
    def scores(self) -> tuple[float, float]:
        """The scores of Black and White if the game ended now, komi included."""
        score = self.position.score()
        black, white = (sum(part[side] for part in score) for side in (0, 1))
        return black, white + self.position.ruleset.komi2 / 2

    def configuration(self) -> dict[str, Any]:
        """Return the value of `configuration` in a START message: the log of the game so far."""
        return log_json(self.log)

    def renew(self, names: tuple[str, str] = ("", "")) -> None:
        """Replace the game with a new game whose clocks are stopped."""
        self._take(self.settings.new_log()._replace(names=names))

    def begin(self, names: tuple[str, str]) -> None:
        """Record the players' names, save the game, and start the clock of the player to move."""
        self.log = self.log._replace(names=names)
        black, white = self.log.remaining()
        self._keep()  # save before the clock starts, so that saving uses no player's time
        self._clock = Clock((black / 1000, white / 1000), self._now)
        self._clock.start(self.mover)

    def secrets(self) -> tuple[str, str]:
        """Return (the secret of Black's seat, the secret of White's seat); '' for a seat that needs no secret."""
        return self.store.load_secrets() if any(self.log.names) else ("", "")

    def keep_secrets(self, secrets: tuple[str, str]) -> None:
        """Save the secrets of both seats, so that the secrets stay valid after a restart of the server."""
        try:
            self.store.save_secrets(secrets)
        except OSError as error:
            self._trouble(f"cannot save the secrets of the seats: {error.strerror or error}")

    def flag(self) -> bool:
        """End the game if the time of the player to move is up; return whether the time was up."""
        if self._clock is None or not self._clock.flagged():
            return False
        self._end("timeout", BLACK + WHITE - self.mover, self._left[self.mover - 1])
        return True

    def play(self, value: Any) -> Point:
        """Play the move that a JSON value describes, and return the move. The move may end the game.

        Both clocks stop. After the next player has received the move, call `let_run` to start that player's clock.
        Raise MatchLogError if the value is not a legal move; the INVALID message quotes this error's text.
        """
        assert self._clock is not None
        received = self._now()  # checking the move uses no player's time
        move = parse_protocol_move(value, self.position.ruleset.size)
        if why := why_illegal(self.position, move):
            raise MatchLogError(REFUSALS.get(why, why))
        before, mover = self.position, self.mover
        self._clock.stop(received)
        left = self.remaining[mover - 1]
        spent, self._left[mover - 1] = self._left[mover - 1] - left, left
        self.log = self.log._replace(moves=(*self.log.moves, LoggedMove(move, spent)), idle=0)
        if move == RESIGN:
            self._end("resign", BLACK + WHITE - mover)
            return move
        self.position = before.play(move)
        if before.ends_with(move):
            self._end("pass", winner_of(self.position))
        elif self._is_mercy():
            self._end("mercy", winner_of(self.position))
        else:
            self._keep()
        return move

    def let_run(self) -> None:
        """Start the clock of the player to move, unless the game is paused or over."""
        if self._clock is not None:
            self._clock.start(self.mover)

    def _is_mercy(self) -> bool:
        black, white = self.scores
        least = self.log.mercy
        return bool(least) and len(self.log.moves) >= self.log.mercy_start and abs(black - white) >= least

    def pause(self) -> None:
        """Stop both clocks and save the game. The saved game includes the time that the player to move has used."""
        self.keep()
        self._clock = None

    def keep(self) -> None:
        """Save the game with the time that the player to move has used so far."""
        idle = self._left[self.mover - 1] - self.remaining[self.mover - 1]
        self.log = self.log._replace(idle=idle)
        self._keep()

    def _end(self, reason: str, winner: int, spent: int = 0) -> None:
        self._clock = None
        self.log = self.log._replace(ending=Ending(reason, winner, self.scores, spent), idle=0)
        self._keep()
        try:
            self.store.archive()
        except OSError as error:
            self._trouble(f"cannot archive the game: {error.strerror or error}")

    def _keep(self) -> None:
        try:
            self.store.save(self.log)
        except OSError as error:
            self._trouble(f"cannot save the game, which continues: {error.strerror or error}")

    def clear(self) -> Path | None:
        """Rename the game's file, and prepare a new game.

        Return the file's new path, or None if there is no file. Raise OSError if the file cannot be renamed.
        """
        kept = self.store.discard()
        self.renew()
        return kept
