"""A game as the server holds it: its log, its position, its clock, and what the protocol says of each move.

Nothing here knows of connections; what time it is, it asks a function.
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

REFUSALS = {  # what why_illegal says, in the protocol's words
    "off the board": "Out of Bound",
    "there is a stone already": "Nonempty point",
    "it is suicide": "Suicide",
    **dict.fromkeys(REPEATS, "SuperKo"),
}


class Settings(NamedTuple):
    """How new games begin: by which rules, with how many milliseconds each; mercy as MatchLog has it."""

    ruleset: MatchRuleset
    milliseconds: int
    mercy: float = 0
    mercy_start: int = MERCY_START

    def new_log(self) -> MatchLog:
        """Return the log of a game that begins."""
        times = (self.milliseconds, self.milliseconds)
        return MatchLog(self.ruleset.opening(), times, mercy=self.mercy, mercy_start=self.mercy_start)


class ServedGame:
    """A game that is kept in a store, taken up from there if one is. trouble(text) is told where it cannot be kept.

    now: seconds of a steady clock.
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
        self._clock: Clock | None = None  # None while the game does not run
        left = list(log.remaining())
        left[self.mover - 1] += log.idle
        self._left = left  # milliseconds at the last move

    @property
    def mover(self) -> int:
        """The colour to move."""
        return self.position.colour

    @property
    def running(self) -> bool:
        """Whether a clock runs."""
        return self._clock is not None

    @property
    def begun(self) -> bool:
        """Whether it has moves, or time was taken, and is not over: a game to be resumed."""
        return self.log.ending is None and bool(self.log.moves or self.log.idle)

    @property
    def remaining(self) -> tuple[int, int]:
        """The milliseconds that Black and White have left now."""
        if self._clock is None:
            return self.log.remaining()
        black, white = (round(1000 * seconds) for seconds in self._clock.times())
        return black, white

    @property
    def scores(self) -> tuple[float, float]:
        """What Black and White would have, were the game to end here; komi included."""
        score = self.position.score()
        black, white = (sum(part[side] for part in score) for side in (0, 1))
        return black, white + self.position.ruleset.komi2 / 2

    def configuration(self) -> dict[str, Any]:
        """Return the configuration that START sends: the log so far."""
        return log_json(self.log)

    def renew(self, names: tuple[str, str] = ("", "")) -> None:
        """Begin another game."""
        self._take(self.settings.new_log()._replace(names=names))

    def begin(self, names: tuple[str, str]) -> None:
        """Let the time of the player to move run."""
        self.log = self.log._replace(names=names)
        black, white = self.log.remaining()
        self._keep()  # what the disk takes is nobody's time
        self._clock = Clock((black / 1000, white / 1000), self._now)
        self._clock.start(self.mover)

    def flag(self) -> bool:
        """End the game if the time of the player to move is up; return whether it was."""
        if self._clock is None or not self._clock.flagged():
            return False
        self._end("timeout", BLACK + WHITE - self.mover, self._left[self.mover - 1])
        return True

    def play(self, value: Any) -> Point:
        """Make the move that a JSON value spells, and return it; the game may be over with it.

        Both clocks stand afterwards: the next player's time is `let_run`'s, once that player has been told. Raise
        MatchLogError with the protocol's message where it cannot be made.
        """
        assert self._clock is not None
        received = self._now()  # what the rules take to judge a move is nobody's time
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
        """Let the time of the player to move run, unless the game has been stopped or is over."""
        if self._clock is not None:
            self._clock.start(self.mover)

    def _is_mercy(self) -> bool:
        black, white = self.scores
        least = self.log.mercy
        return bool(least) and len(self.log.moves) >= self.log.mercy_start and abs(black - white) >= least

    def pause(self) -> None:
        """Let both clocks stand; the time that the player to move has taken stays taken."""
        self.keep()
        self._clock = None

    def keep(self) -> None:
        """Keep the game with the time that the player to move has taken so far."""
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
            self._trouble(f"cannot keep the game, which goes on: {error.strerror or error}")

    def clear(self) -> Path | None:
        """Put the game aside and begin another; return where it is, if it was kept. Raise OSError."""
        kept = self.store.discard()
        self.renew()
        return kept
