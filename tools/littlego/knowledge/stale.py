"""What no longer holds after an edit of a player's files: as far as that is told at once, or was found out before.

A player lies in a folder: patterns.txt and overrides.txt, and in the repository the proofs, the decisions on record and
the schema as well. Of what is not there nothing is said. What takes seconds, deciding positions,
`littlego.judging.stale` does; the answer is kept for whoever asks next.
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
from littlego.files import short_name
from littlego.knowledge.overrides import NAME as OVERRIDES
from littlego.knowledge.overrides import to_bytes
from littlego.paths import HOME

PATTERNS = "patterns.txt"
PROOFS = Path("docs", "proof")
SCHEMA = Path("tools", "littlego", "knowledge", "patterns.schema.json")
DECISIONS = Path("tools", "littlego", "records", "decisions.txt")
PARTS = {"rules": "rules/", "patterns": PATTERNS, "overrides": OVERRIDES}  # of a player, as messages name them
ON_RECORD = {DECISIONS: "the decisions on record", Path(OVERRIDES): f"the single positions in {OVERRIDES}"}
CACHE = "stale"


class Stale(NamedTuple):
    """Something that no longer holds. what: in a word, for programs; text: what holds no more, what remains,
    and what the command is for; command: makes it again, or tells more."""

    what: str
    text: str
    command: str

    def __str__(self) -> str:
        return f"{self.text} `{self.command}`"


class Player(NamedTuple):
    """Whom a proof is about, as SHA-256: what the sources that decide mean, patterns.txt's lines, overrides.txt.

    rules: by littlego.meaning, so neither comments nor annotations count. Without overrides the last is that of a file
    with none.
    """

    rules: str
    patterns: str
    overrides: str


def player_with(lines: Sequence[str], overrides: bytes) -> Player:
    """Return whom a proof is about. lines: of the patterns in patterns.txt; overrides: the bytes of overrides.txt."""
    texts = "\n".join(lines).encode("utf-8"), overrides
    return Player(ENGINE.signature(), *(sha256(text).hexdigest() for text in texts))


class Files:
    """A player's folder, with the patterns that it is to have. lines: as in patterns.txt."""

    def __init__(self, folder: Path, lines: Sequence[str]):
        self.folder = folder
        self.lines = lines

    def path(self, name: str | Path) -> Path | None:
        """Return a file of the folder, or None if it is not there."""
        path = self.folder / name
        return path if path.is_file() else None

    def bytes_of(self, name: str | Path) -> bytes:
        """Return what a file holds, nothing where it is not there. Raise OSError."""
        path = self.path(name)
        return path.read_bytes() if path else b""

    @property
    def player(self) -> Player:
        """The player of these patterns and of the overrides beside them."""
        return player_with(self.lines, self.bytes_of(OVERRIDES) or to_bytes({}))

    def key(self, name: Path) -> str:
        """Return the key under which is kept what deciding the positions of a file has told."""
        return digest("stale", str(name), ENGINE.signature(), sha256(self.bytes_of(name)).hexdigest(), *self.lines)


def stale_at_once(files: Files) -> list[Stale]:
    """Return what no longer holds, as far as it can be told without deciding positions. Raise OSError."""
    found = stale_files(files)
    if is_proved(files):
        return found
    kept = {name: kept_of(files, name) for name in ON_RECORD if files.path(name)}
    found += [one for some in kept.values() for one in some or ()]
    if unknown := [ON_RECORD[name] for name, some in kept.items() if some is None]:
        text = f"not looked at here: whether {' and '.join(unknown)} still fit the patterns; to see, run"
        found.append(Stale("unknown", text, "littlego diff"))
    return found


def keep_found(files: Files, name: Path, found: Sequence[Stale]) -> None:
    """Keep what deciding the positions of a file has told, for `stale_at_once`."""
    Cache(CACHE).put(files.key(name), found)


def kept_of(files: Files, name: Path) -> list[Stale] | None:
    """Return what was kept of a file, None if nobody has looked yet."""
    kept = Cache(CACHE).get(files.key(name))
    return None if kept is None else [Stale(*one) for one in kept]


def stale_files(files: Files) -> list[Stale]:
    """Return what no longer holds of whole files: proofs and the schema. Raise OSError."""
    return [*stale_proofs(files), *stale_schema(files)]


def is_proved(files: Files) -> bool:
    """Return whether there is a proof of this very player, here or in the repository: what is on record fits it then.

    Raise OSError.
    """
    return any(not differing for folder in (files.folder, HOME) for _, differing in _proofs(files, folder))


def stale_proofs(files: Files) -> Iterator[Stale]:
    """Yield the proofs that are of another player. Raise OSError."""
    for path, differing in _proofs(files, files.folder):
        if differing:
            name, colour = short_name(path), path.stem
            others = " and ".join(f"another {PARTS[part]}" for part in differing)
            text = (
                f"{name} proves a player with {others}, the values found for it remain; judge an edit of the patterns "
                f"with `littlego judge {colour}`, prove anew with"
            )
            yield Stale("proof", text, f"littlego prove {colour} --certificate {name}")


def _proofs(files: Files, folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield each certificate that can be read in a folder, and which parts of the player are not those it names."""
    for path in sorted((folder / PROOFS).glob("*.json")):
        with suppress(ValueError, KeyError, TypeError):  # `littlego verify` says what is wrong with it
            proved = Player(**json.loads(path.read_bytes())["player"])
            yield path, [name for name, value in files.player._asdict().items() if getattr(proved, name) != value]


def stale_schema(files: Files) -> Iterator[Stale]:
    """Yield the schema for editors, if it lies in the folder and is not what the code declares. Raise OSError."""
    if path := files.path(SCHEMA):
        from littlego.knowledge.reference import schema_text

        if path.read_bytes() != schema_text().encode("utf-8"):
            text = f"{short_name(path)} is not what the code declares, editors still go by it; make it anew with"
            yield Stale("schema", text, "littlego dev schema")
