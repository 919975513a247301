"""The job that proposes missing examples, and the answer that creates a pattern from a position."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from shlex import quote
from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.editor.answers.checking import drawn_json
from littlego.editor.answers.editing import changes_json
from littlego.editor.answers.firing import entry_of, patterns_of, position_of
from littlego.editor.authoring.entries import POINTS, CounterexampleError, Draft, entry_text
from littlego.editor.authoring.new import choose_name
from littlego.editor.authoring.scaffold import smallest_drawing
from littlego.editor.changes import Change, applied
from littlego.editor.deciders import decider_for
from littlego.editor.edits import new_entry, written
from littlego.editor.entries import Entries
from littlego.editor.methods import Refusal, ask, job
from littlego.editor.proposals import NearMisses, Proposal, killer, laboratory_for, recorded_positions, survivors
from littlego.editor.session import Session
from littlego.engines.reasons.contrast import candidate_of
from littlego.games.game import why_illegal
from littlego.knowledge.examples import point_name
from littlego.knowledge.keys import PATTERN_KEYS
from littlego.knowledge.model import CLASSES, SUMMARY_TO_WRITE, USUAL, Example
from littlego.knowledge.problems import no_such
from littlego.records.inputs import move_at
from littlego.rules.geometry import Point
from littlego.rules.position import Position

Events = Generator[dict[str, Any], None, dict[str, Any]]
MOST_POINTS = 100  # maximum points of a new pattern; more points would outweigh too many other patterns
EVERY = 50  # number of positions between two progress events


@job("propose")
def propose(session: Session, *, pattern: str, mutants: bool = True) -> Events:
    """Yield the progress and proposed examples: firings, near misses, then boards that kill mutants.

    mutants: whether to propose boards that kill mutants. Each result is a proposal: see proposal_json. To accept a
    proposal, call `add_example` with the pattern and the proposal's kind, position and move. In the answer, `count` is
    the number of proposals. `survivors` is the number of mutants that no test detects but an example could detect.
    `unpinned` is the number of these mutants for which the job found no board.
    """
    entries, patterns = session.entries, patterns_of(session, pattern)
    if not patterns:
        raise Refusal("invalid", f"`{pattern}` has a mistake in its drawing, conditions or points; correct it first")
    proposed = 0
    for event in _near_misses(patterns, entries.ruleset.name):
        proposed += "result" in event
        yield event
    told: dict[str, Any] = {
        "count": proposed,
        "survivors": 0,
        "unpinned": 0,
        "command": f"littlego mutate {pattern} --survivors -f {quote(entries.filename)}",
    }
    if mutants and entries.compiled(entry_of(session, pattern)).patterns:
        lab = laboratory_for(entries.text, entries.filename, entries.ruleset.name)
        left = survivors(lab, patterns[0].id)
        told["survivors"] = len(left)
        for number, survivor in enumerate(left):
            yield {"progress": [number, len(left)]}
            found = killer(lab, survivor)
            if found is None:
                told["unpinned"] += 1
            else:
                told["count"] += 1
                yield {"result": proposal_json(found)}
    return told


def _near_misses(patterns: list[Any], ruleset: str) -> Iterator[dict[str, Any]]:
    examples = [example for pattern in patterns for example in pattern.examples]
    looking = [NearMisses(pattern, examples) for pattern in patterns]
    positions = recorded_positions(ruleset)
    for number, position in enumerate(positions):
        if not number % EVERY:
            yield {"progress": [number, len(positions)]}
        for one in looking:
            one.look(position)
    yield from ({"result": proposal_json(found)} for one in looking for found in one.proposals())


def proposal_json(proposal: Proposal) -> dict[str, Any]:
    """Return a proposal as a JSON object.

    The keys are kind, why (the reason in words), move, text, clause, mutant, and the keys of drawn_json. `move` is null
    if the example applies to any move. `text` is the example in the file's syntax. `clause` has the kind and the number
    of the clause that fails in a near miss, or is null. `mutant` is the name of the mutant that the example kills, or
    ''.
    """
    example: Example = proposal.example
    kind, number = proposal.clause or ("", 0)
    return {
        "kind": example.kind,
        "why": proposal.why,
        "move": None if example.move is None else point_name(example.move, example.ruleset.size),
        "text": example.text(),
        "clause": {"kind": kind, "number": number} if kind else None,
        "mutant": proposal.mutant,
        **drawn_json(example),
    }


@ask("classes")
def classes(session: Session) -> dict[str, Any]:
    """Return the names of all pattern classes."""
    return {"classes": list(CLASSES)}


def points_to_play(session: Session, position: Position, move: Point) -> int:
    """Return the points that a new pattern of priority USUAL needs to make the player choose `move`.

    The result is at least POINTS and at most MOST_POINTS, even if the move needs more points. The result is POINTS if
    the move is already chosen, if a pattern of higher priority decides, or if the move is not a candidate.
    """
    made = decider_for(session, position).decide(position)
    mine = candidate_of(made, move)
    if mine is None or made.chosen.priority > USUAL or made.chosen is mine:
        return POINTS
    scored = mine.points if mine.firings else 0
    return min(max(POINTS, made.chosen.points - scored + 1), MOST_POINTS)


@ask("new_pattern", channel="edit")
def new_pattern(
    session: Session,
    *,
    position: str,
    move: str,
    name: str | None = None,
    kind: str = "shape",
    summary: str = SUMMARY_TO_WRITE,
    enough: bool = False,
) -> dict[str, Any]:
    """Return the id of a new pattern for a position and a move, and the text changes that add the pattern.

    name: the pattern's id, by default an unused id. kind: the pattern's class. enough: whether the pattern gets the
    points that points_to_play returns. Otherwise, it gets the default points, and its entry is the one that `littlego
    new --no-fit --write` adds, except for the summary. Raise ArgumentError for a pass, an illegal move, an invalid name
    or kind, a summary that is not one line of printable text, or a pattern that would fire nearly everywhere.
    """
    board = position_of(session, position)
    point = move_at(move, board.ruleset.size, "move")
    if point < 0:
        raise ArgumentError("a pass has no diagram; add an entry with `move: pass` in the text")
    if illegal := why_illegal(board, point):
        raise ArgumentError(f"move {move}: {illegal}; expected a legal move")
    if kind not in CLASSES:
        raise ArgumentError(no_such("class", kind, CLASSES))
    chosen = choose_name(name, {*session.entries.ids, *(one.id for one in session.entries.shared)})
    if not summary.strip():
        raise ArgumentError("the summary is empty; expected one sentence: what the move does, and why that is good")
    written("summary", PATTERN_KEYS["summary"], summary)  # raises ArgumentError for a summary of several lines
    try:
        line = " ".join(summary.split())
        draft = Draft(chosen, kind, smallest_drawing(board, point), board, point, line)
        entry = entry_text(draft, points_to_play(session, board, point) if enough else POINTS)
    except CounterexampleError:
        raise ArgumentError("the pattern would fire nearly everywhere; choose a position with more stones") from None
    command = f"littlego new FILE --move {move} --id {chosen} --class {kind} --no-fit --write"
    command += f" -f {quote(session.filename)}"
    changes = new_entry(session.entries, entry, kind)
    _check_entry(session.entries, chosen, changes)
    return {"pattern": chosen, "command": command, **changes_json(changes)}


def _check_entry(entries: Entries, name: str, changes: list[Change]) -> None:
    """Raise ArgumentError if the entry that `changes` adds has a mistake. name: the entry's id."""
    after = Entries(applied(entries.text, changes), entries.filename, entries.kept)
    for entry in after.all:
        if after.ids[entry.number] == name and (problems := after.compiled(entry).problems):
            raise ArgumentError(problems[0].text)
