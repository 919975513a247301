"""Our player in this process: the decisions of each ruleset's engine, with reasons.

The module runs on Python 3.7 if the ruleset's engine is littlego.engines.small.
"""

from __future__ import annotations

import time

from littlego.engines.books import book_at, book_in, overrides_beside, own_file
from littlego.engines.choosing import engine_for
from littlego.engines.large.deadline import Deadline
from littlego.match.protocol import Turn
from littlego.match.referee import Player, Reply
from littlego.players.timed import deadline_of, reason_in_time
from littlego.rules.engine import Decision
from littlego.rules.overrides import Overrides
from littlego.rules.patternfile import Book
from littlego.rules.position import RESIGN, Position
from littlego.rules.ruleset import LITTLE_GO, Ruleset
from littlego.rules.turn import positions_seen
from littlego.rules.uncounted import decide_uncounted

OURS, WITHOUT_OVERRIDES, UNCOUNTED = "ours", "ours-without-overrides", "ours-uncounted"
KINDS = (OURS, WITHOUT_OVERRIDES, UNCOUNTED)  # kinds of players that play by a patterns file


def decide_at(position: Position, path: str | None = None, complete: bool = False) -> Decision:
    """Return our player's decision in a position.

    path: a patterns.txt with overrides in the same folder, or None for our own files.
    """
    ruleset = position.ruleset
    path = path or own_file(ruleset)
    book, overrides = book_at(path, ruleset), overrides_beside(path, ruleset)
    return engine_for(ruleset, book, path).decide(position, book, complete, overrides)


class OursPlayer(Player):
    """Our player in this process.

    Every reply includes a reason unless `with_reasons` is false. path: the patterns.txt for all boards, or None for our
    own files, which differ between Little-Go and the match. with_overrides: whether the player also follows the
    overrides in the file's folder. The constructor raises PatternFileError if the player's file for Little-Go is
    missing or damaged.
    """

    kind = OURS
    with_reasons = True  # computing a reason takes as long as choosing a move
    may_resign = True

    def __init__(self, path: str | None = None, with_overrides: bool = True):
        kind = self.kind if with_overrides else WITHOUT_OVERRIDES
        self.name = kind if path is None else f"{kind}:{path}"
        self.path = path
        self._own_files: dict[Ruleset, str] = {}
        book_in(self.path_for(LITTLE_GO))  # a missing or damaged file is reported before the game
        self.with_overrides = with_overrides

    def choose(self, turn: Turn) -> Reply:
        self.overrides(turn.position.ruleset)  # load before the clock starts
        started = time.process_time()
        decision = self.decide_turn(turn)
        resigns = engine_for(turn.position.ruleset).why_resign(decision) if self.may_resign else ""
        spent = time.process_time() - started
        if resigns:
            return Reply(RESIGN, spent, reason=resigns)
        return Reply(decision.move, spent, reason=reason_in_time(decision) if self.with_reasons else "")

    def prepare(self, ruleset: Ruleset) -> None:
        self.overrides(ruleset)
        book = self.book_for(ruleset)
        engine_for(ruleset, book, self.path_for(ruleset)).prepare(book, ruleset.size)

    def book_for(self, ruleset: Ruleset) -> Book:
        """Return the compiled patterns for a ruleset.

        Raise PatternFileError if the file is missing or damaged.
        """
        return book_in(self.path_for(ruleset))

    def path_for(self, ruleset: Ruleset) -> str:
        """Return the path of the player's patterns.txt for a ruleset."""
        if self.path:
            return self.path
        if ruleset not in self._own_files:  # chosen once, so that a new file does not change a game in progress
            self._own_files[ruleset] = own_file(ruleset)
        return self._own_files[ruleset]

    def decide_turn(self, turn: Turn) -> Decision:
        """Return the decision for a turn, made within the turn's deadline (see timed.deadline_of)."""
        return self._decide(turn.position, deadline=deadline_of(turn))

    def decide(self, position: Position, complete: bool = False) -> Decision:
        """Return the player's decision in a position, made without a deadline."""
        return self._decide(position, complete)

    def _decide(self, position: Position, complete: bool = False, deadline: Deadline | None = None) -> Decision:
        ruleset = position.ruleset
        book, overrides = self.book_for(ruleset), self.overrides(ruleset)
        engine = engine_for(ruleset, book, self.path_for(ruleset))
        return engine.decide(position, book, complete, overrides, deadline)

    def overrides(self, ruleset: Ruleset) -> Overrides | None:
        """Return the overrides that the player follows, or None if it follows none."""
        return overrides_beside(self.path_for(ruleset), ruleset) if self.with_overrides else None


class UncountedPlayer(OursPlayer):
    """Our player without a move count: it sees the last two boards, but not the number of moves left."""

    kind = UNCOUNTED

    def decide_turn(self, turn: Turn) -> Decision:
        """Return a decision for a turn, allowing for every possible number of moves left."""
        if not turn.position.ruleset.length:
            return super().decide_turn(turn)  # the ruleset has no move limit
        ruleset = turn.position.ruleset
        book, overrides = self.book_for(ruleset), self.overrides(ruleset)
        return decide_uncounted(_positions_seen(turn), book, overrides=overrides).decision


def _positions_seen(turn: Turn) -> list[Position]:
    now = turn.position
    return positions_seen(now.ruleset, now.colour, turn.previous, (now.black, now.white), {})


def ours_by(kind: str, path: str | None = None) -> OursPlayer:
    """Return our player of a given kind: with overrides, without overrides, or without a move count.

    kind: one of KINDS. path: the player's patterns.txt, or None for our own files. Raise PatternFileError if the
    player's file for Little-Go is missing or damaged.
    """
    return UncountedPlayer(path) if kind == UNCOUNTED else OursPlayer(path, kind == OURS)
