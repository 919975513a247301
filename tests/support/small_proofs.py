"""A player without patterns, and walks so short that `prove` takes only seconds."""

from __future__ import annotations

import json
from binascii import crc32
from functools import cache
from pathlib import Path

from drawn_patterns import changed
from given_away import given_away
from slow_walk import roots

from littlego.cli.main import main
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import knowledge_of
from littlego.rules.patternfile import MAGIC, VERSION, empty_book
from littlego.rules.ruleset import LITTLE_GO

BODY = b"end\n"
NO_PATTERNS = f"{MAGIC} {VERSION} {LITTLE_GO.name} {crc32(BODY):08x} none 0 5\n".encode() + BODY
TAKES_TOO_SOON = changed("liberties(A) == 1", "liberties(A) >= 2")


@cache
def beginnings() -> list[int]:
    """Return the walks' first positions; in some, a player without patterns gives a win away.

    In other positions, a player with the patterns TAKES_TOO_SOON gives a win away.
    """
    base = compile_text(TAKES_TOO_SOON.encode(), "patterns.yaml", with_examples=False)[2]
    worse = knowledge_of(base, "patterns.yaml").book
    failing = given_away(empty_book(LITTLE_GO), 6, 3) + given_away(worse, 6, 2)
    return sorted({*roots(6, 4, 7), *failing})


class Files:
    """The files of a player without patterns, and of walks that start from a few positions."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.patterns = folder / "patterns.txt"
        self.patterns.write_bytes(NO_PATTERNS)
        self.overrides = folder / "overrides.txt"
        self.certificate = folder / "certificate.json"
        self.walks = folder / "proof"

    def run(self, *words) -> int:
        """Run a command, such as `prove` or `verify`, on these files; return its exit status."""
        files = "--patterns", self.patterns, "--folder", self.walks
        return main([str(word) for word in (*words, *files, "--memory", "0.0005", "--jobs", "1")])

    def proved(self) -> dict:
        """Create the overrides, run `prove` with the overrides, and return the certificate."""
        self.run("prove", "black", "--overrides-out", self.overrides)
        assert self.run("prove", "black", "--overrides", self.overrides, "--certificate", self.certificate) == 0
        return json.loads(self.certificate.read_text())

    def check(self, *options) -> int:
        return self.run("verify", self.certificate, "--overrides", self.overrides, *options)
