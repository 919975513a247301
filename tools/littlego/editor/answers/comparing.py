"""Jobs and answers that compare the edited patterns with another version and record accepted changes."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from shlex import quote
from typing import Any

from littlego.cli.arguments import jobs, read_file
from littlego.editor.answers.firing import position_of
from littlego.editor.lineends import normal
from littlego.editor.methods import SLOW, Refusal, ask, job
from littlego.editor.positions import position_text
from littlego.editor.session import Session
from littlego.editor.versions import DISK, RECORD, diff_command, edited, version
from littlego.engines.choosing import engine_for
from littlego.files import short_name
from littlego.judging.accepting import accept as accept_chosen
from littlego.judging.corpora import RECORDED, corpora_of
from littlego.parallel import Returning

Events = Generator[dict[str, Any], None, dict[str, Any]]


@job("diff", lasting=True)
def diff(session: Session, *, against: str = DISK) -> Events:
    """Yield the progress and each decision that differs between two versions of the patterns.

    against: the version to compare with: `disk` (the saved file), `opened` (the file as the studio opened it), `record`
    (the recorded decisions), `HEAD` (the committed file), or the name of a file in the same folder. The answer has
    `stale`, `command` and the keys of editor.comparing.summary. `stale` lists the player's files that the new patterns
    make stale, each with a command that updates the file. For the yielded events, see editor.comparing.compare.
    """
    from littlego.editor.comparing import compare, summary
    from littlego.judging.stale import stale_with

    new = edited(session)
    command = diff_command(session, against)
    old = None if against == RECORD else version(session, against)
    found = yield from compare(old, new, session.folder, jobs())
    stale = stale_with(found, Path(session.snapshot.path), against_record=against == RECORD)
    return {**summary(found), "stale": [one._asdict() for one in stale], "command": command}


@job("prepare", lasting=True)
def prepare(session: Session) -> Events:
    """Preload the data that `diff` needs, so that the first comparison starts sooner."""
    from littlego.editor.comparing import load

    yield {"progress": [0, 1]}
    load(edited(session), session.folder)
    return {}


@ask("change_here", lane=SLOW)
def change_here(session: Session, *, position: str, against: str = DISK) -> dict[str, Any]:
    """Return the moves that the old and the edited patterns choose in a position.

    against: as in the job `diff`, except that `record` is not allowed. The answer has the keys of
    editor.comparing.moves_json. `moved` is true if the two moves differ.
    """
    from littlego.editor.comparing import moves_json

    board = position_of(session, position)
    engine = engine_for(board.ruleset)
    before, after = (engine.decide(board, one.book).move for one in (version(session, against), edited(session)))
    return {**moves_json(board, before, after), "moved": before != after}


@ask("change_reasons", lane=SLOW)
def change_reasons(session: Session, *, position: str, before: str, after: str, against: str = DISK) -> dict[str, Any]:
    """Return the reasons for the old and the new move, in the words of `littlego diff`.

    before, after: the old and the new move. against: as in the job `diff`. If `against` is `record`, the old patterns
    are unknown, and the answer says how the new patterns rate the old move.
    """
    from littlego.judging.diff_words import old_reasons, reason_against
    from littlego.records.inputs import move_at

    board, new = position_of(session, position), edited(session)
    first, second = (move_at(move, board.ruleset.size, "move") for move in (before, after))
    engine = engine_for(board.ruleset)
    now = engine.decide(board, new.book, complete=True)
    old = None if against == RECORD else version(session, against)
    then = None if old is None else engine.decide(board, old.book, complete=True)
    return {"before": old_reasons(first, second, then, now), "after": reason_against(first, now)}


@job("accept")
def accept(session: Session, *, positions: list[str] | None = None) -> Events:
    """Record the accepted moves of the saved patterns, as `littlego diff --accept` does.

    positions: the positions of the changes to accept, in the format of `diff`; null accepts all changes. In the answer,
    `accepted` is the number of changed lines in the record. `changes` is the number of all changes, accepted or not.
    `record` is the name of the record's file, and `command` is the equivalent shell command. Raise Refusal if the saved
    file differs from the page's text.
    """
    from littlego.editor.comparing import compare

    path = Path(session.snapshot.path)
    if normal(read_file(path).decode("utf-8", "replace")) != session.text:
        raise Refusal("changed", f"{session.filename} differs from the page: save the page, then accept the changes")
    new = edited(session)
    corpora = corpora_of(new.ruleset)
    record, target = corpora.record_for(session.folder), corpora.record_of(session.folder)
    yield {"progress": [0, 1]}
    compared = Returning(compare(None, new, session.folder, jobs()))
    for event in compared:
        if "progress" in event:  # the page does not show the results of this comparison
            yield event
    found = compared.result
    wanted = None if positions is None else {position_text(position_of(session, one)) for one in positions}
    chosen = [one for one in found.changes if wanted is None or position_text(found.positions[one.number]) in wanted]
    accepted = accept_chosen(found, chosen, session.folder, RECORDED, record, target)
    command = f"littlego diff recorded {quote(session.filename)} --accept"
    some = "" if len(chosen) == len(found.changes) else " --interactive"
    return {
        "accepted": accepted,
        "changes": len(found.changes),
        "record": short_name(target),
        "command": command + some,
    }
