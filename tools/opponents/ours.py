"""Our rule engine in this process, and its reasons."""

from __future__ import annotations

import os
import sys
import time
from functools import lru_cache
from hashlib import sha256
from multiprocessing import parent_process

from rules.engine import Decision, decide
from rules.patternfile import BadPatternFile, Book, empty_book, load
from rules.position import Position
from rules.ruleset import Ruleset
from tools.draw.reasons import reason_line
from tools.files import short_name
from tools.match.host import ROOT
from tools.match.protocol import Turn
from tools.match.referee import Player, Reply

PATTERNS = os.path.join(ROOT, "patterns.txt")


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


def decided(position: Position, path: str = PATTERNS, complete: bool = False) -> Decision:
    """Return the engine's Decision with the patterns of a file."""
    return decide(position, book_at(path, position.ruleset), complete)


class OursPlayer(Player):
    """The engine as a player; every reply carries its reason, computed once with the move."""

    def __init__(self, path: str = PATTERNS):
        self.name = "ours" if path == PATTERNS else f"ours:{path}"
        self.path = path

    def choose(self, turn: Turn) -> Reply:
        book = book_at(self.path, turn.position.ruleset)  # loading is not thinking
        started = time.process_time()
        decision = decide(turn.position, book)
        spent = time.process_time() - started
        return Reply(decision.move, spent, reason=reason_line(decision))
