"""The solver's search in a page, without threads: see littlego.truth.solver.kernel."""

from __future__ import annotations

from littlego.engines.compiled.states import after, parts
from littlego.studio.site.in_browser.memory import Numbers, call

__all__ = ["STOPPED", "Prepared", "ended_won", "make_table", "prepare", "search_slice"]

STOPPED = 2
SMALLEST = 14  # minimum bits of a table's size
MOST_MOVES = 26
HISTORY, LISTS = 2 * MOST_MOVES, 26 * MOST_MOVES * 5  # lengths of the search's arrays
Prepared = tuple[Numbers, Numbers]  # history and lists of children


def make_table(bits: int) -> Numbers:
    """Return an empty table of 2**bits entries; raise ValueError for fewer than 14 bits."""
    if bits < SMALLEST:
        raise ValueError(f"a table of 2**{bits} entries; expected at least 2**{SMALLEST} entries")
    return Numbers(1 << bits)


def prepare(jobs: int, left: int) -> Prepared:
    """Return the arrays for a search on one thread; `jobs` and `left` have no effect in a page."""
    return Numbers(HISTORY), Numbers(LISTS)


def search_slice(
    position: tuple[int, ...], goal: int, table: Numbers, prepared: Prepared, nodes: int
) -> tuple[int, int]:
    """Search at most `nodes` nodes; return (result, number of searched nodes).

    The result is 1 (won), 0 (lost) or STOPPED.
    """
    meter, stop = Numbers.of([0, nodes]), Numbers(1)
    answer = call("solve", *map(int, position), goal, table, table.size, *prepared, meter, stop)
    return answer, meter.values()[0]


def ended_won(code: int, move: int, goal: int) -> bool:
    """Return whether the mover has won after `move`, which must end the game."""
    own, theirs, _, _, left = parts(after(code, move))  # as the opponent sees the board
    lead2, limit2 = 2 * (theirs.bit_count() - own.bit_count()), 2 * goal - 1
    return bool(lead2 + limit2 > 0 if left + 1 & 1 else lead2 - limit2 > 0)
