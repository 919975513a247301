"""The questions that a page asks first, and the answers for the shipped patterns.

The site contains these answers, so that the first board appears before Python has started.
"""

from __future__ import annotations

import shutil
from contextlib import chdir
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from littlego.editor.links import Link
from littlego.editor.methods import METHODS, call, find, load_answers
from littlego.editor.session import Session, Snapshot
from littlego.paths import PATTERNS_TXT, PATTERNS_YAML
from littlego.studio.desk import key_of
from littlego.studio.lanes import Lanes
from littlego.studio.site.in_page import DRAFTS, SESSION, PageStudio
from littlego.studio.unsaved import Drafts

EMPTY = "/".join(["....."] * 5)


def first_view(folder: Path) -> dict[str, Any]:
    """Return the data for the first view in a browser that has stored no files. folder: an empty folder.

    `state` is the answer to GET /api/state. `answers` contains the answers to the first questions; for the keys, see
    desk.key_of.
    """
    no_lanes = cast(Lanes, None)  # the questions are not asked through the studio
    session = Session()
    with chdir(folder):  # as in the page, so that commands in answers name the file without its folder
        studio = PageStudio(_ship(folder), Drafts(folder / DRAFTS), lanes=lambda snapshot: no_lanes)
        session.take(studio.snapshot())
        return {"state": studio.state(), "answers": ask_first(session)}


def ask_first(session: Session) -> dict[str, Any]:
    """Return {key of a question: answer} for the questions that a page asks first."""
    answers: dict[str, Any] = {}

    def ask(name: str, **parameters: Any) -> Any:
        answers[key_of(name, parameters)] = answer = call(session, find(METHODS, name), parameters)
        return answer

    ask("outline")
    ask("facts")
    pattern = ask("first_pattern")["pattern"]
    ask("findings", pattern=pattern)
    ask("entry", pattern=pattern)
    examples = ask("examples", pattern=pattern)["examples"]
    for position in (EMPTY, *(example["position"] for example in examples[:1])):
        for name in ("fires", "badges"):
            ask(name, pattern=pattern, position=position)
    return answers


def rehearse(folder: str) -> None:
    """Answer the first questions of a page, using a temporary copy of the shipped patterns.

    A memory snapshot taken afterwards (see static/boot.js) contains the imported modules and the cached answers.
    """
    version("littlego")
    load_answers()
    path = _ship(Path(folder))
    SESSION.take(Snapshot(1, path.read_text(encoding="utf-8"), path.name, str(path)))
    ask_first(SESSION)
    Link(SESSION.entries.cut.texts[0]).applied()
    path.unlink()
    path.with_suffix(".txt").unlink()


def _ship(folder: Path) -> Path:
    """Copy the shipped patterns to a folder; return the path of the copied patterns.yaml."""
    shutil.copy(PATTERNS_TXT, folder)
    return Path(shutil.copy(PATTERNS_YAML, folder))
