"""Reasons for many decisions, computed by WebAssembly: see littlego.engines.compiled.reasons."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from littlego.engines.compiled.programs import HOW_MANY, scratch_size
from littlego.engines.compiled.roles import ROLE, ROLE_NAMES, SUPPORTS, VETOED
from littlego.rules.geometry import SYMMETRIES
from littlego.studio.site.in_browser.memory import WIDTH, Numbers, call

PLACES = 1 << 8  # equal to PLACES of littlego.studio.site.wasm.exported, which the page does not have
_SAYS = bytes(role & ROLE >= SUPPORTS for role in range(256))  # role -> 1 if the pattern decides or supports


class Reasons(NamedTuple):
    """The reasons for decisions in several positions.

    moves: the move in each position. kinds: the kind of each decision. roles: a byte for each position and pattern, the
    pattern's role in the position. placed: the distinct firings, a byte for each pattern, symmetry and placement; the
    byte is nonzero if the pattern fires with this placement in any of the positions. patterns: the number of patterns.
    """

    moves: array[int]
    kinds: array[int]
    roles: bytes
    placed: bytes
    patterns: int

    def of_pattern(self, pattern: int) -> bytes:
        """Return a pattern's role in each position."""
        return self.roles[pattern :: self.patterns]

    def of_position(self, number: int) -> bytes:
        """Return each pattern's role in a position."""
        return self.roles[number * self.patterns : (number + 1) * self.patterns]

    def count_roles(self) -> dict[str, list[int]]:
        """Return the number of positions in which each pattern has each role.

        The result is {role name or `vetoed`: [number of positions for each pattern]}.
        """
        columns = [self.of_pattern(pattern) for pattern in range(self.patterns)]
        counts = {name: [_count(one, role) for one in columns] for name, role in ROLE_NAMES.items()}
        return counts | {"vetoed": [sum(role & VETOED != 0 for role in one) for one in columns]}

    def count_said(self, patterns: Sequence[int] | None = None) -> int:
        """Return the number of positions in which any of the patterns decides or supports the move.

        patterns: the indices of the patterns, or None for all patterns.
        """
        says, found = self.roles.translate(_SAYS), 0
        for pattern in range(self.patterns) if patterns is None else patterns:
            found |= int.from_bytes(says[pattern :: self.patterns], "little")
        return found.bit_count()

    def placements(self, mask: int) -> list[tuple[int, int, int]]:
        """Return the distinct triples (pattern, symmetry, cells & mask) of all firings. mask: must be PLACES - 1."""
        if mask != PLACES - 1:
            raise ValueError(f"the mask of placements is {mask:#x}; expected {PLACES - 1:#x}")
        seen = (index for index, fires in enumerate(self.placed) if fires)
        return [(one // PLACES // SYMMETRIES, one // PLACES % SYMMETRIES, one % PLACES) for one in seen]


def _count(roles: bytes, role: int) -> int:
    return roles.count(role) + roles.count(role | VETOED)


def reasons_many(codes: array[int], program: array[int], with_firings: bool = True) -> Reasons:
    """Return the Reasons for positions given as codes; with_firings=False omits the firings."""
    patterns = program[HOW_MANY]
    scratch, decided = Numbers(scratch_size(patterns)), Numbers(2 * len(codes))
    sizes = patterns * len(codes), patterns * SYMMETRIES * PLACES
    roles, placed = (Numbers(-(-size // WIDTH)) for size in sizes)
    call("reasons", Numbers.of(codes), len(codes), Numbers.of(program), scratch, decided, roles, placed)
    found = decided.values()
    return Reasons(found[::2], found[1::2], roles.bytes(sizes[0]), placed.bytes(sizes[1] * with_firings), patterns)
