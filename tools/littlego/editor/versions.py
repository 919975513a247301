"""The two versions of the patterns in a comparison.

The versions are the page's text, and the text of a file or Git revision. An entry with equal text on the page and on
disk is compiled only once.
"""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from littlego.cli.arguments import ArgumentError, read_file
from littlego.editor.documents import file_beside
from littlego.editor.lineends import normal
from littlego.editor.session import Session
from littlego.knowledge.files import Knowledge, knowledge_of
from littlego.knowledge.problems import in_one_line
from littlego.knowledge.revisions import read_data

DISK, OPENED, RECORD, COMMITTED = "disk", "opened", "record", "HEAD"  # names of versions, besides file names
COPY = "before.yaml"  # name, in printed commands, of a copy of the file that the user makes before saving
ENDINGS = ".yaml", ".yml"


def edited(session: Session) -> Knowledge:
    """Return the patterns on the page; raise ArgumentError if they contain a mistake."""
    return _knowledge(session, session.text, session.filename)


def version(session: Session, against: str) -> Knowledge:
    """Return the patterns of the version that `against` names.

    against: DISK (the saved file), OPENED (the file as opened), COMMITTED (the committed file) or the name of another
    file of the folder. Later changes to the file do not affect OPENED; if no studio opened the file, OPENED equals
    DISK. Raise Refusal for any other value of `against`, and ArgumentError for an unreadable file or a mistake in the
    patterns.
    """
    path = Path(session.snapshot.path)
    if against == OPENED and session.snapshot.opened is not None:
        return _knowledge(session, session.snapshot.opened, session.filename)
    if against in (DISK, OPENED):
        start = session.snapshot.start
        text = start if start is not None and not path.exists() else _text_of(read_file(path))
        return _knowledge(session, text, session.filename)
    if against == COMMITTED:
        name = f"{COMMITTED}:{session.filename}"
        return _knowledge(session, _text_of(read_data(name)), name)
    other = file_beside(session, against, ENDINGS)
    return _knowledge(session, _text_of(read_file(other)), other.name)


def diff_command(session: Session, against: str) -> str:
    """Return the shell command for a comparison, to run after the page is saved.

    For DISK and OPENED, the command names COPY: the user must copy the file to COPY before saving.
    """
    name = session.filename
    old = {DISK: COPY, OPENED: COPY, RECORD: "recorded", COMMITTED: f"{COMMITTED}:{name}"}.get(against, against)
    return f"littlego diff {quote(old)} {quote(name)} --most 0"


def _text_of(data: bytes) -> str:
    return normal(data.decode("utf-8", "replace"))


def _knowledge(session: Session, text: str, name: str) -> Knowledge:
    problems, base = session.compiled_text(text, name)
    if problems:
        raise ArgumentError(in_one_line(problems))
    return knowledge_of(base, name)
