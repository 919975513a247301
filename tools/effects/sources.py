"""Where patterns are met: the corpora of coverage, surveyed on several cores and kept between runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rules.position import Position
from tools.cache import Cache, code_digest, digest
from tools.effects.books import Knowledge, book_of_lines
from tools.effects.corpora import decisions_against, decisions_in
from tools.effects.coverage import Survey, from_json, survey, total
from tools.effects.kept import results
from tools.effects.recorded import position_text, read, read_position
from tools.knowledge.model import MATCHES
from tools.match.recorded_games import recorded_positions
from tools.opponents.roles import ROLES

CACHE = "coverage"
PART = 200  # positions that one process takes at a time
CODE = ("rules", "tools/effects", "tools/match", "tools/opponents")  # what a survey depends on besides its task
EXAMPLES, REAL, RECORDED = "examples", "real games", "recorded positions"
AGAINST, PLAYED, TEST_RUN = "against ", "played: ", "test: "  # followed by a role, a file, a test


class Task(NamedTuple):
    """A part of a source: positions as texts, or else games against a role; complete: vet every candidate."""

    lines: tuple[str, ...]
    source: str
    positions: tuple[str, ...] = ()
    complete: bool = False
    role: str = ""
    games: int = 0
    seed: int = 0

    def key(self, code: str) -> str:
        """Return what stands for the task and the code that does it."""
        told = (str(value) for value in (self.complete, self.role, self.games, self.seed))
        return digest("survey", code, "\n".join(self.lines), *told, *self.positions)


def survey_of(task: Task) -> dict:
    """Return the survey of a task as plain values."""
    book = book_of_lines(task.lines)
    if task.role:
        decisions = decisions_against(task.role, book, task.games, task.seed)
    else:
        decisions = decisions_in([read_position(text) for text in task.positions], book, task.complete)
    return survey(decisions, book).as_json()


def surveys(tasks: Sequence[Task], jobs: int, cache: Cache) -> dict[str, Survey]:
    """Return what the patterns do in each source, in the order of the tasks."""
    found = results(survey_of, tasks, code_digest(*CODE), jobs, cache)
    names = dict.fromkeys(task.source for task in tasks)
    return {name: total(from_json(found[task]) for task in tasks if task.source == name) for name in names}


def tasks_for(
    knowledge: Knowledge, real: Path, snapshot: Path, played: Iterable[Path], games: int, seed: int
) -> list[Task]:
    """Return the work for all corpora.

    The examples are there only if the knowledge is a patterns.yaml; the recorded positions are those that are not
    of the real games too. games: against each role; seed: of the first role, the next one has the next.
    Raise OSError, GamesError or BadRecord.
    """
    from_real = recorded_positions(real)
    known = {position_text(position) for position in from_real}
    others = [one.position for one in read(snapshot) if position_text(one.position) not in known]
    sources = {REAL: from_real, RECORDED: others}
    sources |= {f"{PLAYED}{path.name}": recorded_positions(path) for path in played}
    tasks = tasks_in(_matching(knowledge), knowledge, EXAMPLES, complete=True)
    for name, positions in sources.items():
        tasks += tasks_in(positions, knowledge, name)
    against = [
        Task(knowledge.lines, f"{AGAINST}{role}", role=role, games=games, seed=seed + number)
        for number, role in enumerate(ROLES)
    ]
    return tasks + (against if games else [])


def in_play(found: Mapping[str, Survey]) -> Survey:
    """Return what the patterns do in all sources that are play: all but the examples and the test run."""
    return total(one for name, one in found.items() if name != EXAMPLES and not name.startswith(TEST_RUN))


def tasks_in(positions: Sequence[Position], knowledge: Knowledge, source: str, complete: bool = False) -> list[Task]:
    """Return the work for these positions, which are of that source. complete: vet every candidate."""
    texts = [position_text(position) for position in positions]
    parts = (tuple(texts[start : start + PART]) for start in range(0, len(texts), PART))
    return [Task(knowledge.lines, source, part, complete) for part in parts]


def _matching(knowledge: Knowledge) -> list[Position]:
    patterns = knowledge.known.values()
    return [example.position() for pattern in patterns for example in pattern.examples if example.kind == MATCHES]
