"""Jobs and answers for the HTML pages of the gallery, the coverage, tournaments and gradings."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Any

from littlego.editor.answers.surveying import GAMES, POSITIONS, SEED, surveyed
from littlego.editor.documents import file_beside
from littlego.editor.games import game_json
from littlego.editor.methods import BOARD, Refusal, ask, job
from littlego.editor.opening import ARENA, open_game
from littlego.editor.session import Session
from littlego.editor.versions import edited
from littlego.files import open_to_read
from littlego.grading.page import grading_page, read_grading
from littlego.judging.corpora import Wanted, corpora_of
from littlego.judging.coverage import total_in_play
from littlego.judging.coverage_page import coverage_page
from littlego.judging.gallery.atlas import cards_of, page_of_cards

BEGIN = 400  # number of bytes at the start of a file that show whether the file is a grading
Events = Generator[dict[str, Any], None, dict[str, Any]]


@ask("page_files")
def page_files(session: Session) -> dict[str, Any]:
    """Return the names of the files that look like tournaments (`arena`) or gradings (`grading`).

    The search covers the folder of the patterns file.
    """
    folder = Path(session.snapshot.path or session.filename).absolute().parent
    files = sorted(one for one in folder.iterdir() if one.is_file())
    return {
        "arena": [file.name for file in files if file.suffix in ARENA],
        "grading": [file.name for file in files if file.suffix == ".json" and _may_be_grading(file)],
    }


def _may_be_grading(path: Path) -> bool:
    """Return whether the start of a JSON file resembles the output of `littlego grade --json`."""
    with suppress(OSError), open_to_read(path) as file:
        return b'"program"' in file.read(BEGIN)
    return False


@job("gallery_page", lasting=True)
def gallery_page(session: Session) -> Events:
    """Yield the progress; return the gallery of patterns.

    In the answer, `html` is the gallery's page, and `command` is the shell command that opens the gallery.
    """
    base = session.base()
    cards, of = [], len(base.patterns) + len(base.shared)
    for card in cards_of(base):
        cards.append(card)
        yield {"progress": [len(cards), of]}
    command = f"littlego dev gallery {quote(session.filename)} --open"
    return {"html": page_of_cards(cards, session.filename, scripted=False), "command": command}


@job("coverage_page", lasting=True)
def coverage_of(session: Session, *, games: int = GAMES, seed: int = SEED, positions: int = POSITIONS) -> Events:
    """Return the page of `littlego coverage --html` (`html`) and the shell `command` that writes the page.

    The job yields the same events as the job `coverage`.
    """
    knowledge = edited(session)
    wanted = Wanted(games=games, seed=seed, positions=positions)
    surveys = yield from surveyed(knowledge, wanted)
    options = corpora_of(knowledge.ruleset).options(wanted)
    command = f"littlego coverage -f {quote(session.filename)} {options} --html coverage.html"
    return {"html": coverage_page(knowledge, surveys, total_in_play(surveys)), "command": command}


@job("arena_page")
def arena_page(session: Session, *, file: str, left: int = 0) -> Events:
    """Return the report of a tournament (`html`), and the shell `command` that opens the report.

    left: the maximum number of moves left at which the solver looks for losing moves; 0 for no search.
    """
    from littlego.arena.cli import FARTHEST, MOST_LOST
    from littlego.arena.report import report_page
    from littlego.arena.store import Store

    path = file_beside(session, file)
    if path.suffix not in ARENA:
        raise Refusal("invalid", f"found {file[:100]!r}; expected the file of a tournament, {' or '.join(ARENA)}")
    if not 0 <= left <= FARTHEST:
        raise Refusal("invalid", f"left: found {left}; expected 0 to {FARTHEST}")
    yield {"progress": [0, 0]}
    with Store(path) as store:
        html, _ = report_page(store, most=MOST_LOST, most_left=left, jobs=1)
    return {"html": html, "command": f"littlego arena report {quote(path.name)} --exact {left} --open"}


@ask("grading_page", lane=BOARD)
def grading_of(session: Session, *, file: str) -> dict[str, Any]:
    """Return the page of a grading (`html`), and the shell `command` that writes the grading to `file`.

    file: the name of a file that `littlego grade --json FILE` wrote.
    """
    path = file_beside(session, file)
    command = f"littlego grade --json {quote(path.name)}"
    return {"html": grading_page(read_grading(path)), "command": command}


@ask("grading_game")
def grading_game(session: Session, *, file: str, number: int) -> dict[str, Any]:
    """Return a game of a grading: see games.game_json. number: the game's number in the grading, from 1."""
    outcomes = read_grading(file_beside(session, file))["outcomes"]
    if not 1 <= number <= len(outcomes):
        raise Refusal("unknown", f"there is no game {number}; expected 1 to {len(outcomes)}")
    record = json.dumps(outcomes[number - 1].get("record"))
    return game_json(open_game(f"game {number} of {file[:100]}", record.encode(), session.entries.ruleset.name))
