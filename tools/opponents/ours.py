"""Our rule engine in this process, and its reasons."""

from __future__ import annotations

import os
import sys
import time
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from multiprocessing import parent_process

from rules.engine import Decision, decide
from rules.exceptions import Exceptions
from rules.patternfile import BadPatternFile, Book, empty_book, load
from rules.position import Position
from rules.ruleset import LITTLE_GO, Ruleset
from tools.draw.reasons import reason_line
from tools.files import short_name
from tools.knowledge.exceptions import NAME
from tools.match.host import ROOT
from tools.match.protocol import Turn
from tools.match.referee import Player, Reply

PATTERNS = os.path.join(ROOT, "patterns.txt")
OURS, WITHOUT_EXCEPTIONS = "ours", "ours-without-exceptions"


def stale(path: str) -> str:
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
    if made_from == [now]:
        return ""
    return f"{short_name(source)} has changed since {short_name(path)} was made: run `littlego compile`"


def tell_if_stale(path: str) -> None:
    """Say on standard error where a patterns.txt is stale; processes at work for others repeat nothing."""
    if parent_process() is None and (said := stale(path)):
        print(f"littlego: {said}", file=sys.stderr)


@lru_cache(maxsize=8)
def book_at(path: str, ruleset: Ruleset) -> Book:
    """Return the book in a patterns.txt, or the empty one with a line on standard error, as our player does."""
    tell_if_stale(path)
    try:
        return load(path)
    except BadPatternFile as error:
        print(f"{error}; playing without patterns", file=sys.stderr)
        return empty_book(ruleset)


@lru_cache(maxsize=8)
def exceptions_beside(path: str, ruleset: Ruleset) -> Exceptions | None:
    """Return the exceptions that our player takes with a patterns.txt: those in the same folder; None without any.

    They are read into memory at once: processes that share an open file would disturb each other.
    """
    beside = os.path.join(os.path.dirname(path), NAME)
    if ruleset is not LITTLE_GO or not os.path.isfile(beside):
        return None
    try:
        with open(beside, "rb") as file:
            return Exceptions(BytesIO(file.read()), short_name(beside), _complain)
    except OSError as error:
        _complain(f"cannot read {short_name(beside)}: {error.strerror}; playing without it")
        return None


@lru_cache(maxsize=100)
def _complain(text: str) -> None:
    """Say it on standard error, once; processes at work for others repeat nothing."""
    if parent_process() is None:
        print(f"littlego: {text}", file=sys.stderr)


def decided(position: Position, path: str = PATTERNS, complete: bool = False) -> Decision:
    """Return the engine's Decision with the patterns of a file and the exceptions beside it."""
    ruleset = position.ruleset
    return decide(position, book_at(path, ruleset), complete, exceptions_beside(path, ruleset))


class OursPlayer(Player):
    """The engine as a player; every reply carries its reason, computed once with the move.

    path: its patterns.txt. with_exceptions: whether it also follows the exceptions beside that.
    """

    def __init__(self, path: str = PATTERNS, with_exceptions: bool = True):
        kind = OURS if with_exceptions else WITHOUT_EXCEPTIONS
        self.name = kind if path == PATTERNS else f"{kind}:{path}"
        self.path = path
        self.with_exceptions = with_exceptions

    def choose(self, turn: Turn) -> Reply:
        ruleset = turn.position.ruleset
        book = book_at(self.path, ruleset)  # loading is not thinking
        exceptions = exceptions_beside(self.path, ruleset) if self.with_exceptions else None
        started = time.process_time()
        decision = decide(turn.position, book, exceptions=exceptions)
        spent = time.process_time() - started
        return Reply(decision.move, spent, reason=reason_line(decision))
