"""The submissions of a class: one folder or zip file for each student.

The module also finds the folder of the program in each submission.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from littlego.cli.arguments import ArgumentError, trying_to
from littlego.files import short_name
from littlego.grading.classroom.unzipping import JUNK, ArchiveError, extract
from littlego.match.builds import NAMES
from littlego.match.student_programs import ACCEPTED, TOLERATED
from littlego.sandbox.plain_files import is_plain
from littlego.sandbox.workfolder import remove_tree

MOST_SUBMISSIONS = 500  # each submission keeps a file of games open
MOST_DEPTH, MOST_FOLDERS = 4, 200  # limits of the search for a program in nested folders
MOST_SHOWN = 4  # maximum number of file names shown for a submission
ALIKE = 0.6  # minimum similarity of a file name that was probably meant as a program's name
SOURCES = (".py", ".cpp", ".java")
PACKED = (".tar", ".gz", ".tgz", ".7z", ".rar", ".bz2", ".xz")
KEY = 60  # maximum characters of a key


class Submission(NamedTuple):
    """A student's submission.

    key: a file name derived from `name`. name: the name of the folder or zip file, without `.zip`. path: the absolute
    path of the folder or zip file. program: the folder of the program, or ''. problem: why there is no program, or ''.
    remarks: notes for the teacher about the program. submitted: the time of the newest file, or None if unknown.
    """

    key: str
    name: str
    path: str
    program: str = ""
    problem: str = ""
    remarks: tuple[str, ...] = ()
    submitted: datetime | None = None


def find_submissions(paths: Sequence[str], unpacked: Path) -> list[Submission]:
    """Return the submissions at the given paths, sorted by name.

    paths: class folders, or zip files of single students. unpacked: the folder for extracted zip files, inside the
    results folder. The function skips the results folder if it lies in a class folder. Raise ArgumentError if a path is
    neither a class folder nor a zip file, or if the number of submissions is 0 or exceeds MOST_SUBMISSIONS.
    """
    entries = [entry for path in paths for entry in _entries_of(path, unpacked.parent)]
    if not entries:
        raise ArgumentError(f"no submissions in {', '.join(paths)}; expected a folder or a zip file for each student")
    if len(entries) > MOST_SUBMISSIONS:
        raise ArgumentError(f"{len(entries)} submissions; expected at most {MOST_SUBMISSIONS}: grade them in parts")
    groups: dict[str, list[str]] = {}
    for entry in entries:
        groups.setdefault(key_of(_name_of(entry)).lower(), []).append(entry)
    found = [_read_group(group, unpacked) for group in groups.values()]
    return sorted(found, key=lambda submission: (submission.name.lower(), submission.key))


def one_submission(path: str, unpacked: Path) -> Submission:
    """Return the submission in one student's folder or zip file."""
    return _read_group([os.path.abspath(path)], unpacked)


def key_of(name: str) -> str:
    """Return a short ASCII file name for a student's name; different names get different file names."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", name)[:KEY].strip("._-")
    return plain if plain == name else f"{plain or 'student'}-{sha256(os.fsencode(name)).hexdigest()[:8]}"


def _name_of(entry: str) -> str:
    name = os.path.basename(entry)
    return name[:-4] if name.lower().endswith(".zip") and not os.path.isdir(entry) else name


def _entries_of(path: str, results: Path) -> Iterator[str]:
    """Yield the absolute paths of the submissions at a path: a zip file, or the entries of a class folder."""
    if os.path.isfile(path) and path.lower().endswith(".zip"):
        yield os.path.abspath(path)
        return
    if not os.path.isdir(path):
        found = "is not a folder or zip file" if os.path.lexists(path) else "does not exist"
        raise ArgumentError(f"{short_name(path)} {found}; expected a folder with a folder or zip file for each student")
    with trying_to(f"read the folder {short_name(path)}"):
        names = sorted(os.listdir(path))
    if programs := [name for name in names if name in NAMES]:
        raise ArgumentError(
            f"{short_name(path)} contains {programs[0]}, so it is one submission; expected the folder of the class. "
            f"For one program: littlego grade {short_name(path)}"
        )
    for name in names:
        entry = os.path.join(os.path.abspath(path), name)
        is_ours = os.path.realpath(entry) == os.path.realpath(results)
        if not name.startswith(".") and name not in JUNK and not is_ours and _is_submission(entry):
            yield entry


def _is_submission(entry: str) -> bool:
    """Return whether a folder entry is probably a submission rather than the teacher's roster or notes."""
    return os.path.isdir(entry) or entry.lower().endswith((".zip", *SOURCES, *PACKED))


def _read_group(entries: Sequence[str], unpacked: Path) -> Submission:
    """Return the submission for one or more paths that share a name, such as `doe` and `doe.zip`.

    If there are several paths, the submission has a problem instead of a program.
    """
    path, name = entries[0], _name_of(entries[0])
    submission = Submission(key_of(name), name, path)
    if len(entries) > 1:
        names = " and ".join(os.path.basename(entry) for entry in entries)
        return submission._replace(problem=f"{names} belong to the same student: keep one")
    if os.path.islink(path):
        return submission._replace(problem="a symbolic link; expected a folder or a zip file")
    if os.path.isdir(path):
        return _locate(submission, path, ())
    if not path.lower().endswith(".zip"):
        what = "an archive of another kind" if path.lower().endswith(PACKED) else "a single file"
        return submission._replace(
            problem=f"{what}; expected a folder or a zip file with {NAMES[0]}, my_player.py, my_player.cpp, "
            "my_player11.cpp or my_player.java"
        )
    return _read_zip(submission, unpacked / submission.key)


def _read_zip(submission: Submission, folder: Path) -> Submission:
    with trying_to(f"extract {short_name(submission.path)}"):
        remove_tree(str(folder))
        folder.mkdir(parents=True)
        try:
            extracted = extract(submission.path, folder)
        except ArchiveError as error:
            remove_tree(str(folder))
            return submission._replace(problem=str(error))
    return _locate(submission, str(folder), extracted.left_out)._replace(submitted=extracted.newest)


def _locate(submission: Submission, folder: str, left_out: Sequence[str]) -> Submission:
    """Return the submission with its program, or with the reason why it has no program.

    left_out: names of the files that were not extracted from a zip file.
    """
    folders = list(_folders_in(folder))
    programs = [(place, name) for place, names in folders for name in names if name in NAMES]
    top = [name for place, name in programs if place == folder]
    if len(programs) == 1 or len(top) == 1:
        place = folder if top else programs[0][0]
        nested = f"the program is in the folder {os.path.relpath(place, folder)}/"
        remarks = (nested,) if place != folder else ()
        return submission._replace(program=place, remarks=remarks, submitted=_newest(place))
    if programs:
        shown = [os.path.relpath(os.path.join(*program), folder) for program in programs]
        return submission._replace(problem=f"{len(shown)} programs, {_list_names(shown)}: keep one")
    names = [os.path.relpath(os.path.join(place, name), folder) for place, inside in folders for name in inside]
    return submission._replace(problem=_describe_instead([*names, *left_out]), submitted=_newest(folder))


def _folders_in(folder: str) -> Iterator[tuple[str, list[str]]]:
    """Yield (path of a folder, names of the plain files in that folder) for a folder and its subfolders.

    Skip links, hidden folders, folders named in JUNK, folders nested deeper than MOST_DEPTH, and all folders after the
    first MOST_FOLDERS.
    """
    for number, (place, below, names) in enumerate(os.walk(folder)):
        deep = os.path.relpath(place, folder).count(os.sep) + 2 > MOST_DEPTH
        below[:] = [] if deep else sorted(name for name in below if not name.startswith(".") and name not in JUNK)
        if number < MOST_FOLDERS:
            yield place, [name for name in sorted(names) if is_plain(os.path.join(place, name))]
        else:
            below[:] = []


def _describe_instead(names: Sequence[str]) -> str:
    """Return the reason why a submission has no program.

    The text names a file that is probably misnamed; if there is no such file, it lists the files present.
    """
    if not names:
        return f"empty; expected {NAMES[0]}, my_player.py, my_player.cpp, my_player11.cpp or my_player.java"
    near = {name: _likeness(name) for name in names}
    meant = max(names, key=lambda name: near[name])
    if near[meant] >= ALIKE:
        suffix = os.path.splitext(_nearest(meant))[1]
        return f"{meant}: wrong name? The course runs {' or '.join(name for name in NAMES if name.endswith(suffix))}"
    return (
        f"no program; found {_list_names(names)}; expected {NAMES[0]}, my_player.py, my_player.cpp, my_player11.cpp or "
        "my_player.java"
    )


def _likeness(name: str) -> float:
    """Return the similarity, from 0 to 1, of a file's name to the nearest accepted program name."""
    base = os.path.basename(name).lower()
    stem = base.partition(".")[0]
    if not base.endswith((*SOURCES, ".txt", ".cc", ".c++", ".ipynb", ".pyc", ".class", ".jar")):
        return 0.0
    ratio = difflib.SequenceMatcher(None, stem, _nearest(name).partition(".")[0]).ratio()
    return max(ratio, 0.9 if "player" in stem and stem.startswith("my") else 0.0)


def _nearest(name: str) -> str:
    """Return the accepted program name most similar to a file's name, with the same suffix if possible."""
    base = os.path.basename(name).lower()
    same = [known for known in NAMES if known.endswith(os.path.splitext(base)[1] or ".")] or NAMES
    return max(same, key=lambda known: difflib.SequenceMatcher(None, base, known).ratio())


def _list_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return ", ".join(names[:MOST_SHOWN]) + more


def files_of(folder: str) -> dict[str, str]:
    """Return {name: path} of the accepted plain files directly in a program's folder, sorted by name."""
    names = sorted(os.listdir(folder))
    paths = {name: os.path.join(folder, name) for name in names if name.endswith((*ACCEPTED, *TOLERATED))}
    return {name: path for name, path in paths.items() if is_plain(path)}


def _newest(folder: str) -> datetime | None:
    """Return the time of a program's newest accepted file, or None if there are no such files."""
    times: Iterable[float] = (os.lstat(path).st_mtime for path in files_of(folder).values())
    newest = max(times, default=None)
    return None if newest is None else datetime.fromtimestamp(newest).astimezone()
