"""Jobs that survey the firings of patterns.

The job `coverage` counts how often patterns fire and decide. The job `boards` finds boards on which a pattern fires.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Generator, Mapping
from shlex import quote
from typing import Any

from littlego.cli.arguments import ArgumentError, jobs
from littlego.editor.methods import job
from littlego.editor.session import Session
from littlego.editor.versions import edited
from littlego.files import short_name
from littlego.judging.corpora import Wanted, corpora_of, surveys_of
from littlego.judging.coverage import COUNTS, Survey, class_rows, coverage_json, total_in_play
from littlego.knowledge.files import Knowledge

Events = Generator[dict[str, Any], None, dict[str, Any]]
GAMES, SEED, POSITIONS = 16, 0, 300  # defaults of `littlego coverage`
BOARDS = 6  # default maximum number of boards for each role of a pattern
PAUSE = 0.5  # minimum seconds between two intermediate results


@job("coverage", lasting=True)
def coverage(session: Session, *, games: int = GAMES, seed: int = SEED, positions: int = POSITIONS) -> Events:
    """Yield intermediate results of `littlego coverage --json`; return the complete counts.

    games: for Little-Go patterns, the number of games to play against each of random, greedy, aggressive and alphabeta.
    seed: a number to add to these opponents' seeds. positions: for match patterns, the maximum number of positions for
    each board size.

    In a result, `surveys` maps the names of sources of positions to the surveys that changed since the previous result.
    `rows` contains the id, the class and the counts of each pattern; the counts cover the positions surveyed so far,
    except the examples. `positions` is the number of these positions. The answer contains `rows` with remarks,
    `positions`, `classes` (see judging.coverage.ClassRow), `command`, and the keys of the command's JSON output except
    `sources`.
    """
    knowledge = edited(session)
    wanted = Wanted(games=games, seed=seed, positions=positions)
    surveys = yield from surveyed(knowledge, wanted)
    in_play = total_in_play(surveys)
    told = coverage_json(knowledge, surveys, in_play)
    del told["sources"]
    options = corpora_of(knowledge.ruleset).options(wanted)
    return {
        **told,
        "positions": in_play.positions,
        "rows": _rows(knowledge, in_play, told["remarks"]),
        "classes": [row._asdict() for row in class_rows(knowledge.book, in_play)],
        "command": f"littlego coverage -f {quote(session.filename)} {options}",
    }


def surveyed(knowledge: Knowledge, wanted: Wanted) -> Generator[dict[str, Any], None, dict[str, Survey]]:
    """Yield the progress and intermediate results (see `coverage`); return {name of a source: Survey}.

    Raise ArgumentError for an unreadable file.
    """
    surveys: dict[str, Survey] = {}
    told, changed = time.monotonic(), set[str]()
    try:
        sources = corpora_of(knowledge.ruleset).sources(knowledge, wanted)
        for name, survey, done, of in surveys_of(knowledge, sources, jobs()):
            surveys[name] = survey
            changed.add(name)
            yield {"progress": [done, of]}
            if time.monotonic() - told > PAUSE or done == of:
                yield {"result": _so_far(knowledge, surveys, changed)}
                told, changed = time.monotonic(), set()
    except OSError as error:
        raise ArgumentError(f"cannot read {short_name(error.filename)}: {error.strerror}") from None
    return surveys


def _so_far(knowledge: Knowledge, surveys: Mapping[str, Survey], changed: Collection[str]) -> dict[str, Any]:
    in_play = total_in_play(surveys)
    return {
        "surveys": {name: surveys[name].as_json() for name in surveys if name in changed},
        "rows": _rows(knowledge, in_play, {}),  # remarks need the complete survey
        "positions": in_play.positions,
    }


def _rows(knowledge: Knowledge, in_play: Survey, remarks: dict[str, str]) -> list[dict[str, Any]]:
    """Return a row for each pattern, sorted by the counts that COUNTS names, largest first.

    The keys of a row are `pattern` (the id), `class`, each name in COUNTS, and `remark` ('' if there is no remark).
    """
    rows = [
        {
            "pattern": pattern.id,
            "class": pattern.kind,
            **{count: in_play.of(pattern.id)[count] for count in COUNTS},
            "remark": remarks.get(pattern.id, ""),
        }
        for pattern in knowledge.book.patterns
    ]
    return sorted(rows, key=lambda row: [-row[count] for count in COUNTS])


@job("boards", lasting=True)
def boards(session: Session, *, pattern: str, most: int = BOARDS) -> Events:
    """Yield the progress and recorded boards on which a pattern fires: see samples.sample_json.

    The boards come from the recorded decisions or, for a match, from stored games. A role is one of COUNTS. A pattern
    with the role `present` neither decides nor supports the move. A pattern with the role `vetoed` forbids a vetoed
    move, or is the leading pattern of a vetoed move. most: the maximum number of boards for each role. In the answer,
    `counts` maps each role to the number of positions in which the pattern has this role.
    """
    from littlego.editor.samples import samples

    knowledge = edited(session)
    knowledge.check_ids([pattern])
    counts: Counter[str] = Counter(dict.fromkeys(COUNTS, 0))
    glance = corpora_of(knowledge.ruleset).glance()
    for done, of, found in samples(knowledge.book, pattern, glance, most, counts):
        yield from ({"result": one} for one in found)
        yield {"progress": [done, of]}
    return {"counts": dict(counts), "command": f"littlego coverage {pattern} -f {quote(session.filename)}"}
