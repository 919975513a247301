"""The two sides of a comparison: the patterns on the page, and those of the disk, of a revision or of a file.

Entries that both sides have alike are compiled once.
"""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from littlego.cli.arguments import ArgumentError, read_file
from littlego.editor.lineends import normal
from littlego.editor.methods import Refusal
from littlego.editor.session import Session
from littlego.knowledge.files import Knowledge, knowledge_of
from littlego.knowledge.problems import in_one_line
from littlego.knowledge.revisions import read_data

DISK, RECORD, COMMITTED = "disk", "record", "HEAD"  # what a text may be compared with, beside another file by its name
COPY = "before.yaml"  # what the command line shows of a file that is about to be saved
ENDINGS = ".yaml", ".yml"


def edited(session: Session) -> Knowledge:
    """Return the patterns on the page; raise ArgumentError, as the commands do, where there is a mistake in them."""
    return _knowledge(session, session.text, session.filename)


def version(session: Session, against: str) -> Knowledge:
    """Return the patterns of DISK, COMMITTED or a file of the same folder; raise ArgumentError or Refusal."""
    path = Path(session.snapshot.path)
    if against == DISK:
        return _knowledge(session, _text_of(read_file(path)), session.filename)
    if against == COMMITTED:
        name = f"{COMMITTED}:{session.filename}"
        return _knowledge(session, _text_of(read_data(name)), name)
    other = neighbour(path, against)
    return _knowledge(session, _text_of(read_file(other)), other.name)


def neighbour(path: Path, name: str) -> Path:
    """Return a file of patterns in the folder of another one; raise Refusal for any that does not lie there."""
    found = path.parent / name
    if "\0" in name or found.suffix not in ENDINGS or found.resolve().parent != path.parent.resolve():
        wanted = f"`{DISK}`, `{RECORD}`, `{COMMITTED}` or a file beside {path.name} that ends in .yaml"
        raise Refusal("forbidden", f"found {name[:100]!r}, expected {wanted}")
    return found


def diff_command(session: Session, against: str) -> str:
    """Return the command line that compares the same, once the text is saved.

    Against DISK it names COPY: the file as it is now, copied before it is saved.
    """
    name = session.filename
    old = {DISK: COPY, RECORD: "snapshot", COMMITTED: f"{COMMITTED}:{name}"}.get(against, against)
    return f"littlego diff {quote(old)} {quote(name)} --most 0"


def _text_of(data: bytes) -> str:
    return normal(data.decode("utf-8", "replace"))


def _knowledge(session: Session, text: str, name: str) -> Knowledge:
    problems, base = session.compiled_text(text, name)
    if problems:
        raise ArgumentError(in_one_line(problems))
    return knowledge_of(base, name)
