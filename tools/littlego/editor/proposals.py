"""Proposed examples of a pattern.

The proposals are firings and near misses in recorded positions, and examples that kill mutants. A near miss is a
placement for which exactly one clause (a cell or a condition) fails. As a counterexample, a near miss tests the failing
clause. Near misses are proposed only for clauses that no example tests yet. Examples that kill mutants are found as in
`littlego mutate`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from littlego.editor.placements import Placement, Placements
from littlego.games.boards import move_text
from littlego.judging.corpora import corpora_of
from littlego.judging.mutation.scores import can_be_seen
from littlego.judging.mutation.trial import (
    SURVIVED,
    Laboratory,
    Outcome,
    Request,
    Setup,
    find_pins,
    laboratory,
    try_mutants,
)
from littlego.knowledge.model import MATCHES, NO_MATCH, Example, KnownPattern
from littlego.knowledge.programs import infix
from littlego.rules.geometry import count
from littlego.rules.position import Position

MOST_POSITIONS = 600  # maximum number of positions to search for near misses; the search takes 1.5 seconds
LEAST_MATCHES = 2  # with fewer matching examples, positions in which the pattern fires are proposed as well

Clause = tuple[str, int]  # "cell" or "condition", and its index


@dataclass(frozen=True)
class Proposal:
    """A suggested example with its reason; the author decides whether it is right.

    clause: the clause that fails in a near miss; None for other proposals. mutant: the name of the mutant that the
    example would kill, or ''.
    """

    example: Example
    why: str
    clause: Clause | None = None
    mutant: str = ""


def recorded_positions(ruleset_name: str) -> list[Position]:
    """Return at most MOST_POSITIONS recorded positions, taken at equal intervals."""
    glance = corpora_of(ruleset_name).glance()
    number = len(glance.names)
    return list(glance.only(range(0, number, -(-number // MOST_POSITIONS) or 1)).positions())


def lacking(placements: Placements) -> Iterator[tuple[Placement, Clause]]:
    """Yield each near miss as (placement, the clause that fails).

    Placements are skipped if the move is illegal, or if another placement fires for the move.
    """
    fired = {placed.move for placed in placements.firing}
    for placed in placements.placed:
        if placed.move in fired or not placements.is_legal(placed):
            continue
        wrong = placements.wrong_cells(placed)
        if len(wrong) == 1 and not placements.false_conditions(placed, 1):
            yield placed, ("cell", wrong[0])
        elif not wrong and len(false := placements.false_conditions(placed, 2)) == 1:
            yield placed, ("condition", false[0])


def held_clauses(pattern: KnownPattern, examples: Iterable[Example]) -> set[Clause]:
    """Return the clauses that the given examples test.

    An example in which the pattern must not fire tests a clause if only this clause prevents a firing.
    """
    held: set[Clause] = set()
    for example in examples:
        if not example.must_fire:
            placements = Placements(pattern, example.position())
            held |= {clause for placed, clause in lacking(placements) if example.move in (None, placed.move)}
    return held


class NearMisses:
    """A collector of proposals for a pattern, updated position by position.

    For each untested clause, the near miss on the board with the fewest stones is proposed. If the pattern has fewer
    than LEAST_MATCHES matching examples, positions in which the pattern fires are proposed as further examples.
    """

    def __init__(self, pattern: KnownPattern, examples: Sequence[Example]):
        self.pattern = pattern
        self.held = held_clauses(pattern, examples)
        self.matches = sum(example.must_fire for example in examples)
        self.found: dict[Clause, Proposal] = {}
        self.firing: dict[tuple[object, ...], Proposal] = {}
        self.known = {example.asked for example in examples}

    def look(self, position: Position) -> None:
        """Add proposals from a position: near misses, and a firing if there are too few matching examples."""
        placements = Placements(self.pattern, position)
        for placed, clause in lacking(placements):
            if clause not in self.held and self._is_emptier(position, self.found.get(clause)):
                example = Example.of_position(NO_MATCH, position, placed.move)
                self.found[clause] = Proposal(example, self._why(placements, placed, clause), clause)
        if placements.firing and self.matches + len(self.firing) < LEAST_MATCHES:
            move = placements.firing[0].move
            example = Example.of_position(MATCHES, position, move)
            if example.asked not in self.known:
                name = move_text(move, position.ruleset.size).lower()
                self.firing[example.asked] = Proposal(example, f"the pattern fires here for {name}: is this intended?")

    def _is_emptier(self, position: Position, found: Proposal | None) -> bool:
        stones = count(position.black | position.white)
        return found is None or stones < count(found.example.stones[0] | found.example.stones[1])

    def _why(self, placements: Placements, placed: Placement, clause: Clause) -> str:
        kind, number = clause
        if kind == "condition":
            condition = f"only the condition `{infix(self.pattern.when[number])}`"
            return f"{condition} keeps the pattern from firing here, and no example tests this condition yet"
        cell, point = placements.cells[number], placed.points[number]
        found = (
            f"expected {cell.symbol}, found {placements.board.symbol(point)} "
            f"at {move_text(point, placements.board.size)}"
        )
        return f"only one cell keeps the pattern from firing here ({found}), and no example tests this cell yet"

    def proposals(self) -> list[Proposal]:
        """Return the proposals: boards on which the pattern fires, then near misses.

        Near misses are in the order of their clauses.
        """
        return [*self.firing.values(), *(self.found[clause] for clause in sorted(self.found))]


def tried(lab: Laboratory, name: str) -> list[Outcome]:
    """Return the outcome of each mutant of a pattern, as in `littlego mutate`."""
    return try_mutants(Request(lab.setup, name))


def survivors(lab: Laboratory, name: str) -> list[Outcome]:
    """Return the outcomes of a pattern's surviving mutants that an example could kill."""
    return [one for one in tried(lab, name) if one.result == SURVIVED and can_be_seen(one)]


def pins_of(lab: Laboratory, survivor: Outcome) -> dict[tuple[str, str], Example]:
    """Return {(pattern, survivor's name): an example that would kill the survivor}.

    The result is {} if no example is found.
    """
    return find_pins(lab.setup, [survivor], 1)


def killer(lab: Laboratory, survivor: Outcome) -> Proposal | None:
    """Return a proposed example that would kill a survivor, or None if none is found."""
    pin = pins_of(lab, survivor).get((survivor.pattern, survivor.name))
    why = f"this example detects the change `{survivor.name}`, which no other example detects"
    return None if pin is None else Proposal(pin, why, mutant=survivor.name)


def laboratory_for(text: str, filename: str, ruleset_name: str) -> Laboratory:
    """Return the Laboratory for the mutants of a text's patterns, as in `littlego mutate`."""
    return laboratory(Setup.read(text, filename, ruleset_name))
