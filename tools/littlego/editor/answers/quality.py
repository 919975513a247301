"""Jobs that yield a pattern's decisions in solved positions, or the mutants that no test detects."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from shlex import quote
from typing import Any

from littlego.editor.answers.checking import drawn_json
from littlego.editor.methods import Refusal, job
from littlego.editor.proposals import laboratory_for, pins_of, tried
from littlego.editor.session import Session
from littlego.editor.versions import edited
from littlego.judging.mutation.findings import Findings, as_json, survivor_json
from littlego.judging.mutation.scores import can_be_seen, equivalents_of, excuse_listed, read_equivalents
from littlego.judging.mutation.trial import SURVIVED, Outcome
from littlego.knowledge.examples import point_name
from littlego.knowledge.problems import no_such

Events = Generator[dict[str, Any], None, dict[str, Any]]


@job("truth", lasting=True)
def truth(session: Session, *, pattern: str) -> Events:
    """Yield the moves that a pattern decides or supports in solved positions, each with its outcome.

    The solved positions, called labels, are divided into a working part and a test part. The job uses only the working
    part, because the test part must not influence the design of patterns. For the `decisions` of a result, see
    truth.Some. The answer contains the number of decisions for each outcome and for each role. Raise Refusal for match
    patterns, because no match positions have been solved.
    """
    from littlego.editor.comparing import record_of
    from littlego.editor.truth import OUTCOMES, ROLES, strip

    knowledge = edited(session)
    if record_of(knowledge.ruleset, session.folder).truth([]) is None:
        raise Refusal("invalid", "exact results exist only for 5x5 Little-Go; open a patterns file for Little-Go")
    knowledge.check_ids([pattern])
    counts = dict.fromkeys((*OUTCOMES, *ROLES), 0)
    for some in strip(knowledge.book, pattern):
        for one in some.decisions:
            counts[one["outcome"]] += 1
            counts[one["role"]] += 1
        yield {"result": {"decisions": some.decisions}}
        yield {"progress": [some.done, some.of]}
    return {**counts, "command": f"littlego dev grade-patterns {pattern} -f {quote(session.filename)} --source all"}


@job("unpinned", lasting=True)
def unpinned(session: Session, *, pattern: str) -> Events:
    """Yield the mutants of a pattern that no test of `littlego mutate` detects.

    Each result contains the keys that `littlego mutate ID --survivors --json` writes for a survivor, and the keys
    `drawn`, `rows` and `cell`. `drawn` is an example that would detect the mutant, or null; the example has `kind`,
    `move` and the keys of checking.drawn_json. `rows` lists the rows of the pattern's drawing. `cell` is the changed
    cell as [row, column], or null. The answer contains the output of `littlego mutate ID --json` without the key
    `survivors`.
    """
    base = session.compiled()[1]
    known = {one.id: one for one in base.patterns}
    if pattern not in known:
        raise Refusal("unknown", no_such("valid pattern", pattern, known))
    edited(session)  # reject a file with mistakes, as the command does
    lab = laboratory_for(session.text, session.filename, base.ruleset.name)
    listed = equivalents_of(Path(session.snapshot.path))
    yield {"progress": [0, 1]}
    outcomes = excuse_listed(tried(lab, pattern), read_equivalents(listed) if listed else {})
    left = [one for one in outcomes if one.result == SURVIVED]
    findings = Findings(lab, outcomes, left, {})
    for number, one in enumerate(left, 1):
        if can_be_seen(one):
            findings.pins.update(pins_of(lab, one))  # type: ignore[union-attr]
        yield {"result": {**survivor_json(findings, one), **_drawn(findings, one)}}
        yield {"progress": [number, len(left)]}
    told = {key: value for key, value in as_json(findings).items() if key != "survivors"}
    return {**told, "command": f"littlego mutate {pattern} --survivors -f {quote(session.filename)}"}


def _drawn(findings: Findings, outcome: Outcome) -> dict[str, Any]:
    """Return the keys `drawn`, `rows` and `cell` of a mutant: see unpinned."""
    pin, mutant = findings.pin(outcome), findings.mutant(outcome)
    is_cell = mutant.key == "diagram"
    drawn = None
    if pin is not None:
        drawn = {
            "kind": pin.kind,
            "move": None if pin.move is None else point_name(pin.move, pin.ruleset.size),
            **drawn_json(pin),
        }
    return {
        "drawn": drawn,
        "rows": list(findings.lab.patterns[outcome.pattern].rows),
        "cell": [mutant.row, mutant.column] if is_cell else None,
    }
