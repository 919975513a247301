"""Settings of the commands `prove`, `judge`, `verify`, `dev walk` and `dev uncounted`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from littlego.cache import FOLDER
from littlego.files import short_name

if TYPE_CHECKING:
    from littlego.knowledge.files import Knowledge
    from littlego.truth.solver.solver import Solver

FOLDER_OF_WALKS = FOLDER / "proof"
MOST, DRAWN = 20, 4
SAMPLED = 10_000
SEARCHED_FROM = 22  # moves left


class Settings(NamedTuple):
    """The options of `prove`, `judge`, `verify` and the maintainers' commands.

    bits: the binary logarithm of the number of 8-byte words in the solver's table. positions_out: the output file for
    training positions. search: see Walk.searched_from. The help of the commands explains the other options.
    """

    patterns: str
    overrides: Path | None
    no_overrides: bool
    bits: int
    folder: Path
    jobs: int
    overrides_out: Path | None = None
    only_needed: bool = False
    positions_out: Path | None = None
    positions: int = SAMPLED
    vectors: str | None = None
    down_to: int = 0
    certificate: Path | None = None
    most: int = MOST
    boards: int = DRAWN
    checkpoint: Path | None = None
    search: int = SEARCHED_FROM
    fresh: bool = False

    def player(self) -> tuple[Knowledge, dict[int, int]]:
        """Return (the player's Knowledge, {position code: override's move}).

        Raise ArgumentError for an invalid file.
        """
        from littlego.knowledge.files import read_solvable
        from littlego.knowledge.overrides import load_overrides

        return read_solvable(self.patterns), load_overrides(self.overrides_file)

    @property
    def overrides_file(self) -> Path | None:
        """The file of the player's overrides, or None if there is none."""
        from littlego.truth.labels.decider import overrides_of  # numba takes a second to load

        return None if self.no_overrides else self.overrides or overrides_of(self.patterns)

    def solver(self) -> Solver:
        """Return a solver that starts with the results in the checkpoint file, if this file exists."""
        from littlego.truth.solver.solver import Solver

        solver = Solver(self.bits)
        if self.checkpoint and self.checkpoint.exists():
            print(f"{short_name(self.checkpoint)}: {solver.resume(self.checkpoint):,} results loaded", file=sys.stderr)
        return solver
