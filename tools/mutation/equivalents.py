"""Mutants that are known to change nothing that matters, each with the reason: a file of its own.

    - mutant: cell 0,0 O->o
      patterns: [take-the-last-liberty, largest-capture-first]
      reason: An empty point is no chain, so in_atari(A) is false there.

An entry for a mutant that does not exist, or that is killed, is stale, and an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tools.arguments import ArgumentError

SHIPPED = Path(__file__).with_name("equivalent.yaml")
_WANTED = "expected a list of `mutant:` (a name), `patterns:` (a list of ids) and `reason:` (a sentence)"


@dataclass(frozen=True)
class Equivalent:
    """A mutant of a pattern that is excused, and why."""

    pattern: str
    mutant: str
    reason: str


def read_equivalents(path: Path) -> dict[tuple[str, str], Equivalent]:
    """Return the excused mutants by (pattern id, name); raise ArgumentError for a file that makes no sense."""
    import yaml

    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise ArgumentError(f"cannot read {path}: {' '.join(str(error).split())}; {_WANTED}") from None
    if not isinstance(entries, list):
        raise ArgumentError(f"{path}: not a list; {_WANTED}")
    found: dict[tuple[str, str], Equivalent] = {}
    for number, entry in enumerate(entries, 1):
        for one in _read(entry, f"{path}, entry {number}"):
            if (one.pattern, one.mutant) in found:
                raise ArgumentError(f"{path}, entry {number}: `{one.mutant}` of {one.pattern} a second time; keep one")
            found[one.pattern, one.mutant] = one
    return found


def _read(entry: object, where: str) -> list[Equivalent]:
    if not isinstance(entry, dict) or set(entry) != {"mutant", "patterns", "reason"}:
        raise ArgumentError(f"{where}: not an entry; {_WANTED}")
    patterns = entry["patterns"]
    texts = [entry["mutant"], entry["reason"], *(patterns if isinstance(patterns, list) else [None])]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise ArgumentError(f"{where}: an empty value, or none that is a text; {_WANTED}")
    return [Equivalent(pattern, entry["mutant"], entry["reason"].strip()) for pattern in patterns]
