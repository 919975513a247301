"""Cached readers of compiled patterns and overrides, with the same results as our player's readers.

This module runs on Python 3.7.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from littlego.engines.choosing import load_book
from littlego.files import LARGEST_SERIES, open_to_read, read_limited, short_name
from littlego.paths import PATTERNS_TXT, is_shipped, patterns_file, patterns_name
from littlego.rules.overrides import Overrides
from littlego.rules.patternfile import PatternFileError, empty_book
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import OVERRIDES, as_written

if TYPE_CHECKING:
    from littlego.rules.patternfile import Book
    from littlego.rules.ruleset import Ruleset


def own_file(ruleset: Ruleset) -> str:
    """Return the path of the compiled patterns that our player uses for a ruleset.

    The current folder's file takes precedence over the shipped file. If neither file exists, return the path of the
    shipped patterns.txt.
    """
    path = patterns_file(ruleset.name, "txt")
    return os.path.abspath(path if path.is_file() else PATTERNS_TXT)


def tell_own_file(ruleset: Ruleset) -> None:
    """Print once, on standard error, which compiled patterns our player uses for a ruleset.

    Print nothing if the current folder contains the shipped files.
    """
    path, source = Path(own_file(ruleset)), Path(patterns_name(ruleset.name, "yaml"))
    if not is_shipped(path):
        tell_once(f"our player uses {path.name} in this folder")
    elif source.is_file() and not is_shipped(source):
        tell_once(f"{source} in this folder is not compiled: our player uses {path}; run `littlego compile`")
    elif not is_shipped(source):
        tell_once(f"no {path.name} in this folder; our player uses {path}")


def source_digest(data: bytes) -> str:
    """Return the digest of a patterns.yaml, as stored in the compiled patterns.txt.

    Unix and Windows line ends give the same digest.
    """
    return sha256(as_written(data)).hexdigest()


def describe_stale(path: str) -> str:
    """Return a message if the YAML file beside a patterns.txt has changed since compilation, else ''."""
    stem, ending = os.path.splitext(path)
    if ending != ".txt":
        return ""
    source = stem + ".yaml"
    try:
        with open_to_read(path) as compiled, open_to_read(source) as written:
            made_from, now = compiled.readline().split(b" ")[4:5], source_digest(written.read()).encode()
    except OSError:
        return ""
    changed = f"{short_name(source)} has changed since {short_name(path)} was made: run `littlego compile`"
    return "" if made_from == [now] else changed


def tell_if_stale(path: str) -> None:
    """Warn on standard error if a patterns.txt is stale; worker processes print nothing."""
    text = describe_stale(path)
    if text and _is_main_process():
        print(f"littlego: {text}", file=sys.stderr)


def _is_main_process() -> bool:
    from multiprocessing import current_process  # imported here because Python in a browser has no processes

    return current_process().name == "MainProcess"


@lru_cache(maxsize=8)
def book_in(path: str) -> Book:
    """Return the book in a patterns.txt; warn if the file is stale.

    Raise PatternFileError if the file is unreadable or invalid.
    """
    tell_if_stale(path)
    try:
        with open_to_read(path) as file:
            data = file.read()
    except OSError as error:
        raise PatternFileError(f"cannot read {path}: {error.strerror}") from None
    return load_book(data, path)


@lru_cache(maxsize=8)
def book_at(path: str, ruleset: Ruleset) -> Book:
    """Return the book in a patterns.txt; on failure print an error and return an empty book.

    The player handles an unusable file in the same way.
    """
    try:
        return book_in(path)
    except PatternFileError as error:
        print(f"{error}; playing without patterns", file=sys.stderr)
        return empty_book(ruleset)


@lru_cache(maxsize=8)
def overrides_beside(path: str, ruleset: Ruleset) -> Overrides | None:
    """Return the overrides beside a patterns.txt, or None if our player would use no overrides.

    The whole file is read into memory, because processes that share an open file also share its read position.
    """
    beside = os.path.join(os.path.dirname(path), OVERRIDES)
    if ruleset is not LITTLE_GO or not os.path.isfile(beside):
        return None
    try:
        return Overrides(BytesIO(as_written(read_limited(beside, LARGEST_SERIES))), short_name(beside), tell_once)
    except OSError as error:
        tell_once(f"cannot read {short_name(beside)}: {error.strerror}; playing without it")
        return None


@lru_cache(maxsize=100)
def tell_once(text: str) -> None:
    """Print a message on standard error, once; worker processes print nothing."""
    if _is_main_process():
        print(f"littlego: {text}", file=sys.stderr)
