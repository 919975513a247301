"""Our rule engine in this process, and its reasons.

The engine of rules/ decides the course's game up to 7x7, that of tools.large larger boards and every match. Runs on
Python 3.7, whose part is the course's game.
"""

from __future__ import annotations

import os
import sys
import time
from functools import lru_cache
from hashlib import sha256
from io import BytesIO

from rules.engine import Decision, decide
from rules.overrides import Overrides
from rules.patternfile import Book, PatternFileError, empty_book, load
from rules.position import RESIGN, Position
from rules.ruleset import LITTLE_GO, Ruleset
from rules.turn import OVERRIDES, positions_seen
from rules.uncounted import decide_uncounted
from tools.data import MATCH_TXT, PATTERNS_TXT
from tools.files import LARGEST_SERIES, read_limited, short_name
from tools.games.kinds import GameRuleset
from tools.match.protocol import Turn
from tools.match.referee import Player, Reply
from tools.opponents.hurried import deadline_of, decide_by, reason_in_time, sized

PATTERNS = str(PATTERNS_TXT)
MATCH = "match"  # the ruleset in the header of patterns for large boards
LARGEST_BY_TABLE = 7  # lines of the largest board of the course's game on which the engine of rules/ decides
OURS, WITHOUT_OVERRIDES, UNCOUNTED = "ours", "ours-without-overrides", "ours-uncounted"
KINDS = (OURS, WITHOUT_OVERRIDES, UNCOUNTED)  # of players that play by a patterns file


def describe_stale(path: str) -> str:
    """Return what to say where the YAML file beside a patterns.txt has changed since it was compiled, or ''."""
    stem, ending = os.path.splitext(path)
    if ending != ".txt":
        return ""
    source = stem + ".yaml"
    try:
        with open(path, "rb") as compiled, open(source, "rb") as written:
            made_from, now = compiled.readline().split(b" ")[4:5], sha256(written.read()).hexdigest().encode()
    except OSError:
        return ""
    changed = f"{short_name(source)} has changed since {short_name(path)} was made: run `littlego compile`"
    return "" if made_from == [now] else changed


def tell_if_stale(path: str) -> None:
    """Say on standard error where a patterns.txt is stale; worker processes repeat nothing."""
    text = describe_stale(path)
    if text and _is_main_process():
        print(f"littlego: {text}", file=sys.stderr)


def _is_main_process() -> bool:
    from multiprocessing import current_process  # a page in a browser has no processes

    return current_process().name == "MainProcess"


def is_large(ruleset: Ruleset) -> bool:
    """Return whether the engine of large boards decides."""
    return isinstance(ruleset, GameRuleset) or ruleset.size > LARGEST_BY_TABLE


@lru_cache(maxsize=8)
def load_book(path: str) -> Book:
    """Return the book in a patterns.txt, that of a match without placements; raise PatternFileError."""
    tell_if_stale(path)
    if _ruleset_in(path) != MATCH:
        return load(path)
    from tools.large.book import load_large  # what the course's game does without

    return load_large(path)


def _ruleset_in(path: str) -> str:
    """Return the name of the ruleset in the header of a patterns.txt, '' where there is none to be read."""
    try:
        with open(path, "rb") as file:
            fields = file.readline(1000).split(b" ")
    except OSError:
        return ""
    return fields[2].decode("ascii", "replace") if len(fields) > 2 else ""


def book_for(ruleset: Ruleset, path: str | None, otherwise: Book) -> Book:
    """Return the book to decide with by a ruleset: a file's, and of our own that of the match where there is one.

    path: of a file that was named, None for our own. otherwise: that file's book, or our patterns.txt's. Raise
    PatternFileError where the course's game would be played by patterns of the match.
    """
    if is_large(ruleset):
        own = path is None and isinstance(ruleset, GameRuleset) and os.path.isfile(MATCH_TXT)
        return load_book(str(MATCH_TXT)) if own else otherwise
    if otherwise.ruleset_name == MATCH:
        raise PatternFileError(f"{path}: made for {MATCH}; {ruleset.name} needs patterns made for it")
    return otherwise


@lru_cache(maxsize=8)
def book_at(path: str, ruleset: Ruleset) -> Book:
    """Return the book in a patterns.txt, or the empty one with a line on standard error, as our player does."""
    try:
        return load_book(path)
    except PatternFileError as error:
        print(f"{error}; playing without patterns", file=sys.stderr)
        return empty_book(ruleset)


@lru_cache(maxsize=8)
def overrides_beside(path: str, ruleset: Ruleset) -> Overrides | None:
    """Return the overrides that our player takes with a patterns.txt: those in the same folder; None without any.

    They are read into memory at once: processes that share an open file would disturb each other.
    """
    beside = os.path.join(os.path.dirname(path), OVERRIDES)
    if ruleset is not LITTLE_GO or not os.path.isfile(beside):
        return None
    try:
        return Overrides(BytesIO(read_limited(beside, LARGEST_SERIES)), short_name(beside), tell_once)
    except OSError as error:
        tell_once(f"cannot read {short_name(beside)}: {error.strerror}; playing without it")
        return None


@lru_cache(maxsize=100)
def tell_once(text: str) -> None:
    """Say it on standard error, once; worker processes repeat nothing."""
    if _is_main_process():
        print(f"littlego: {text}", file=sys.stderr)


def decide_at(position: Position, path: str | None = None, complete: bool = False) -> Decision:
    """Return the engine's Decision with the patterns of a file, None for our own, and the overrides beside it."""
    ruleset = position.ruleset
    book = book_for(ruleset, path, book_at(path or PATTERNS, ruleset))
    return decide_by_book(position, book, complete, overrides_beside(path or PATTERNS, ruleset))


def decide_by_book(
    position: Position, book: Book, complete: bool = False, overrides: Overrides | None = None
) -> Decision:
    """Return the Decision of the engine that decides by the position's ruleset."""
    if not is_large(position.ruleset):
        return decide(position, sized(book, position.ruleset.size), complete, overrides)
    from tools.large.engine import decide_large  # what the course's game does without

    return decide_large(position, book, complete)


class OursPlayer(Player):
    """The engine as a player; every reply carries its reason, unless `with_reasons` is taken away.

    path: its patterns.txt, by which it plays on all boards; None for our own files, of which the match has one more.
    with_overrides: whether it also follows the overrides beside that. Raise PatternFileError.
    """

    kind = OURS
    with_reasons = True  # they cost as much as the move
    may_resign = True

    def __init__(self, path: str | None = None, with_overrides: bool = True):
        kind = self.kind if with_overrides else WITHOUT_OVERRIDES
        self.name = kind if path is None else f"{kind}:{path}"
        self.named_path = path
        self.path = path or PATTERNS
        self.book = load_book(self.path)
        self.with_overrides = with_overrides

    def choose(self, turn: Turn) -> Reply:
        overrides_beside(self.path, turn.position.ruleset)  # loading is not thinking
        started = time.process_time()
        decision = self.decide_turn(turn)
        resigns = self._why_resign(turn.position.ruleset, decision)
        spent = time.process_time() - started
        if resigns:
            return Reply(RESIGN, spent, reason=resigns)
        return Reply(decision.move, spent, reason=reason_in_time(decision) if self.with_reasons else "")

    def _why_resign(self, ruleset: Ruleset, decision: Decision) -> str:
        """Return why it gives up, or ''; it never does in the course's game."""
        if not self.may_resign or not isinstance(ruleset, GameRuleset):
            return ""
        from tools.large.sense import why_resign  # what the course's game does without

        return why_resign(decision)

    def prepare(self, ruleset: Ruleset) -> None:
        overrides_beside(self.path, ruleset)
        book = self.book_for(ruleset)
        if not is_large(ruleset):
            sized(book, ruleset.size)
            return
        from tools.large.engine import prepare_large  # what the course's game does without

        prepare_large(book, ruleset.size)

    def book_for(self, ruleset: Ruleset) -> Book:
        """Return the book that it plays by, of whatever board size; raise PatternFileError."""
        return book_for(ruleset, self.named_path, self.book)

    def decide_turn(self, turn: Turn) -> Decision:
        """Return what it plays in a turn: on large boards, or against a clock, by a deadline (see hurried)."""
        deadline, position = deadline_of(turn), turn.position
        if deadline is None:
            return self.decide(position)
        book = self.book_for(position.ruleset)
        if not is_large(position.ruleset):
            return decide_by(deadline, position, book)
        from tools.large.engine import decide_large  # what the course's game does without

        return decide_large(position, book, deadline=deadline)

    def decide(self, position: Position, complete: bool = False) -> Decision:
        """Return what it plays in a position, with its reasons."""
        ruleset = position.ruleset
        return decide_by_book(position, self.book_for(ruleset), complete, self.overrides(ruleset))

    def overrides(self, ruleset: Ruleset) -> Overrides | None:
        """Return the overrides that it follows, or None."""
        return overrides_beside(self.path, ruleset) if self.with_overrides else None


class UncountedPlayer(OursPlayer):
    """The engine as it plays in a folder that keeps nothing: of the moves left it knows what the two boards tell."""

    kind = UNCOUNTED

    def decide_turn(self, turn: Turn) -> Decision:
        """Return what it plays in a turn for all the numbers of moves left that may be."""
        if not turn.position.ruleset.length:
            return super().decide_turn(turn)  # there is nothing to count
        overrides = self.overrides(turn.position.ruleset)
        return decide_uncounted(_positions_seen(turn), self.book, overrides=overrides).decision


def _positions_seen(turn: Turn) -> list[Position]:
    now = turn.position
    return positions_seen(now.ruleset, now.colour, turn.previous, (now.black, now.white), {})


def ours_by(kind: str, path: str | None = None) -> OursPlayer:
    """Return the player of one of the KINDS, by the patterns.txt at a path or our own; raise PatternFileError."""
    return UncountedPlayer(path) if kind == UNCOUNTED else OursPlayer(path, kind == OURS)
