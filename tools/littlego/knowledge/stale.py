"""Fast detection of stale files in a player's folder after an edit of the patterns.

A player's folder contains patterns.txt and overrides.txt. The repository also contains proofs, recorded decisions and
the schema. Missing files are skipped. Slow checks, which must compute decisions, run in `littlego.judging.stale`; this
module caches the results.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from littlego.cache import Cache, digest
from littlego.engines.small.engine import ENGINE
from littlego.files import LARGEST_SERIES, read_limited, read_plain, short_name
from littlego.knowledge.overrides import NAME as OVERRIDES
from littlego.knowledge.overrides import to_bytes
from littlego.paths import HOME

PATTERNS = "patterns.txt"
PROOFS = Path("docs", "proof")
SCHEMA = Path("tools", "littlego", "knowledge", "patterns.schema.json")
DECISIONS = Path("tools", "littlego", "records", "decisions.txt")
PARTS = {"rules": "rules/", "patterns": PATTERNS, "overrides": OVERRIDES}  # parts of a player, as messages name them
ON_RECORD = {DECISIONS: "the decisions on record", Path(OVERRIDES): f"the moves in {OVERRIDES}"}
CACHE = "stale"


class Stale(NamedTuple):
    """A warning about a stale file, with a command that rebuilds the file or shows details."""

    what: str  # the kind of file, for programs
    text: str  # the message, whose last words introduce the command
    command: str

    def __str__(self) -> str:
        return f"{self.text} `{self.command}`"


class Player(NamedTuple):
    """The identity of a player: three SHA-256 hashes, as recorded in a proof."""

    rules: str  # of the sources, by littlego.meaning, which ignores comments and annotations
    patterns: str  # of the fields of patterns.txt that affect decisions
    overrides: str  # of overrides.txt; a missing file counts as a file without records


def player_with(lines: Sequence[str], overrides: bytes) -> Player:
    """Return the identity of the player with the given patterns and overrides.

    lines: the pattern lines of patterns.txt. overrides: the bytes of overrides.txt.
    """
    texts = "\n".join(map(deciding_fields, lines)).encode("utf-8"), overrides
    return Player(ENGINE.signature(), *(sha256(text).hexdigest() for text in texts))


def deciding_fields(line: str) -> str:
    """Return a line of patterns.txt without the fields that never affect a decision.

    These fields are the class, the summary and the mark of rare patterns.
    """
    name, _, priority, specificity, flags, *conditions, _ = line.split("\t")
    return "\t".join([name, priority, specificity, flags.replace("r", "") or "-", *conditions])


class Files:
    """A player's folder and the pattern lines of its new patterns.txt; the file may not be written yet."""

    def __init__(self, folder: Path, lines: Sequence[str]):
        self.folder = folder
        self.lines = lines

    def path(self, name: str | Path) -> Path | None:
        """Return the path of a file in the folder, or None if the file is missing."""
        places = (name, DECISIONS.name) if name == DECISIONS else (name,)  # an author's record is beside the patterns
        return next((path for path in (self.folder / place for place in places) if path.is_file()), None)

    def bytes_of(self, name: str | Path) -> bytes:
        """Return the contents of a file, or b"" for a missing file. Raise OSError for an unreadable file."""
        path = self.path(name)
        return read_limited(path, LARGEST_SERIES) if path else b""

    @property
    def player(self) -> Player:
        """The identity of the player with the new patterns and the folder's overrides."""
        return player_with(self.lines, self.bytes_of(OVERRIDES) or to_bytes({}))

    def key(self, name: Path) -> str:
        """Return the cache key for the slow check of a file against the new patterns."""
        return digest("stale", str(name), ENGINE.signature(), sha256(self.bytes_of(name)).hexdigest(), *self.lines)


def stale_at_once(files: Files) -> list[Stale]:
    """Return warnings about stale files, without running a slow check.

    The results of slow checks, which compute decisions, come from the cache. If the cache lacks results, the last
    warning has the kind `unknown` and names the files that were not checked. Raise OSError for an unreadable file.
    """
    found = stale_files(files)
    if is_proved(files):
        return found
    kept = {name: kept_of(files, name) for name in ON_RECORD if files.path(name)}
    found += [one for some in kept.values() for one in some or ()]
    if unknown := [ON_RECORD[name] for name, some in kept.items() if some is None]:
        text = f"not checked: whether {' and '.join(unknown)} still match the patterns; to check, run"
        found.append(Stale("unknown", text, "littlego diff"))
    return found


def keep_found(files: Files, name: Path, found: Sequence[Stale]) -> None:
    """Cache the warnings from a file's slow check, for `stale_at_once`."""
    Cache(CACHE).put(files.key(name), found)


def kept_of(files: Files, name: Path) -> list[Stale] | None:
    """Return the cached warnings about a file, or None if the cache has no result."""
    kept = Cache(CACHE).get(files.key(name))
    return None if kept is None else [Stale(*one) for one in kept]


def stale_files(files: Files) -> list[Stale]:
    """Return warnings about stale proofs and a stale schema. Raise OSError for an unreadable file."""
    return [*stale_proofs(files), *stale_schema(files)]


def is_proved(files: Files) -> bool:
    """Return whether a proof covers the player with the new patterns.

    A proof covers a player if the player's rules, patterns and overrides are the same as in the proof. The
    recorded decisions and the overrides of such a player count as up to date. The function looks for proofs in the
    player's folder and in this project's folder. Raise OSError for an unreadable file.
    """
    return any(not differing for folder in (files.folder, HOME) for _, differing in _proofs(files, folder))


def stale_proofs(files: Files) -> Iterator[Stale]:
    """Yield a warning for each proof that does not cover the player with the new patterns.

    Raise OSError for an unreadable file.
    """
    for path, differing in _proofs(files, files.folder):
        if differing:
            name, colour = short_name(path), path.stem
            others = " and ".join(f"a different {PARTS[part]}" for part in differing)
            text = (
                f"{name} proves a player with {others}; the proof's values remain valid. Judge an edit of the "
                f"patterns with `littlego judge {colour}`, or prove the player again with"
            )
            yield Stale("proof", text, f"littlego prove {colour} --certificate {name}")


def _proofs(files: Files, folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield (path, parts of the player that differ from the proof) for each readable proof in a folder."""
    for path in sorted((folder / PROOFS).glob("*.json")):
        with suppress(ValueError, KeyError, TypeError):  # `littlego verify` reports an unreadable proof
            proved = Player(**json.loads(read_plain(path, LARGEST_SERIES))["player"])
            yield path, [name for name, value in files.player._asdict().items() if getattr(proved, name) != value]


def stale_schema(files: Files) -> Iterator[Stale]:
    """Yield a warning if the folder's schema file differs from the schema of the declared keys.

    Raise OSError if the schema cannot be read.
    """
    if path := files.path(SCHEMA):
        from littlego.knowledge.reference import schema_text

        if read_limited(path) != schema_text().encode("utf-8"):
            text = f"{short_name(path)} is stale, and editors still use it; rebuild it with"
            yield Stale("schema", text, "littlego dev schema")
