"""Student programs: find, copy and compile a submission so that it can play.

Section 6 of the handout defines the names and files that the course accepts. The given folder is only read; copies of
the folder are used to compile the program and to play.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from littlego import cache
from littlego.files import short_name
from littlego.match.host import OUR_PLAYER, FilePlayer
from littlego.paths import HOME
from littlego.rules.turn import INPUT, OUTPUT
from littlego.sandbox import sandbox
from littlego.sandbox.interpreters import InterpreterError, python27, python37
from littlego.sandbox.limited import run_limited
from littlego.sandbox.plain_files import Budget, SizeError, copy_plain, hash_file, is_plain, kind_of
from littlego.sandbox.workfolder import remove_tree

MOST_FILES, MOST_BYTES = 1_000, 64_000_000  # limits for all files of a program together
ACCEPTED = (".py", ".cpp", ".java", ".json", ".txt")
PATIENCE = 300  # seconds that a compiler may take
LEFT_OUT = "left out, because only plain files that the course accepts are copied"
KEY = 32  # length of a digest in characters
SHOWN = 12  # maximum lines shown of a compiler's output
COMPILERS = {
    "my_player.cpp": ("g++", "-O2", "-o", "my_player", "my_player.cpp"),
    "my_player11.cpp": ("g++", "-std=c++11", "-O2", "-o", "my_player11", "my_player11.cpp"),
    "my_player.java": ("javac", "my_player.java"),
}
Stamp = tuple[tuple[str, int, int], ...]  # name, time and size of files
NAMES = ("my_player3.py", "my_player.py", *COMPILERS)


class ProgramError(ValueError):
    """Raised for a program that cannot be found, copied or compiled; the message says what to do."""


class Program(NamedTuple):
    """A program that is ready to play.

    path: the program's folder, or its file if the folder contains several programs. name: its file name. folder: the
    folder with all files of the program, compiled; it is copied before play. command: the words of the command that
    runs it in a copy. runs: the interpreter or runtime in words. left_out: entries of the program's folder that are not
    copied, such as links, with their types. remarks: differences from the course's environment. digest: the digest of
    the content of `folder`, checked so that a modified program is never played.
    """

    path: str
    name: str
    folder: str
    command: tuple[str, ...]
    runs: str
    left_out: tuple[str, ...]
    remarks: tuple[str, ...]
    digest: str = ""


def program_at(path: str) -> Program:
    """Return the program in a folder or file, cached while its files are unchanged.

    Raise ProgramError unless the folder has exactly one program. The repository's own folder contains our player, with
    the engine in rules/.
    """
    folder, name = _find_program(path)
    return _make_program(path, folder, name, _stamp_of(folder))


def _stamp_of(folder: str) -> Stamp:
    """Return a stamp that changes when the program's files change, for example while a worker runs."""
    try:
        stats = [(name, os.lstat(path)) for name, path in _files_of(folder)[0].items()]
    except (OSError, SizeError):  # reported by the copy
        return ()
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


@lru_cache
def _make_program(path: str, folder: str, name: str, stamp: Stamp) -> Program:
    words, runs, remarks = _command_for(name)
    try:
        files, left_out = _files_of(folder)
        built = _build(files, COMPILERS.get(name, ()))
    except OSError as error:
        raise ProgramError(f"{path} cannot be copied: {error.filename}: {error.strerror}") from None
    except SizeError as error:
        raise ProgramError(f"{path}: {error}; remove what the program does not need") from None
    except _CompileError as error:
        missing = f"\n({LEFT_OUT}: {', '.join(left_out)})" if left_out else ""
        raise ProgramError(f"{os.path.join(folder, name)} does not compile: {error}{missing}") from None
    return Program(path, name, built, words, runs, left_out, remarks, _digest_of(built))


def player_of(program: Program, folder: str | None = None, slower: float = 1.0) -> FilePlayer:
    """Return the program as a player that runs in a separate copy, which `close` removes.

    folder: a copy made by `copy_to`, which `close` keeps. slower: see FilePlayer. Raise ProgramError.
    """
    name = f"folder:{program.path}" if slower == 1 else f"folder:slower={slower:g}:{program.path}"
    player = FilePlayer(name, list(program.command), folder, slower=slower, stranger=True)
    if folder is None:
        try:
            copy_to(program, player.folder)
        except ProgramError:
            player.close()
            raise
    return player


def copy_to(program: Program, folder: str) -> None:
    """Copy all files of a program into a folder; raise ProgramError."""
    try:
        shutil.copytree(program.folder, folder, dirs_exist_ok=True)
        digest = _digest_of(folder)
    except OSError as error:  # shutil.Error holds a list
        raise ProgramError(f"{program.path} cannot be copied to {folder}: {error}") from None
    if program.digest and digest != program.digest:
        raise ProgramError(
            f"{program.folder}, the built program of {program.path}, was changed since it was built: some program can "
            "write there. Remove that folder, and run programs of others in a sandbox"
        )


def _find_program(path: str) -> tuple[str, str]:
    """Return the folder and the file name of the program at a path."""
    folder, name = os.path.split(os.path.abspath(path))
    if not os.path.isdir(path) and os.path.lexists(path):
        if name not in NAMES:
            raise ProgramError(f"{path} is not a program that the course runs; expected one of {', '.join(NAMES)}")
        if not is_plain(path):
            raise ProgramError(
                f"{path} is {kind_of(path)}, and only plain files are taken: put the program itself there"
            )
        return folder, name
    if not os.path.isdir(path):
        raise ProgramError(f"there is no folder or program {path}")
    there = [known for known in NAMES if is_plain(os.path.join(path, known))]
    if not there:
        odd = [known for known in NAMES if os.path.lexists(os.path.join(path, known))]
        but = "".join(f"; {known} is {kind_of(os.path.join(path, known))}" for known in odd)
        raise ProgramError(
            f"the folder {path} contains no program that the course runs; expected one of {', '.join(NAMES)}{but}"
        )
    if len(there) > 1:
        raise ProgramError(f"the folder {path} holds {' and '.join(there)}; name one: {os.path.join(path, there[0])}")
    return os.path.abspath(path), there[0]


def _command_for(name: str) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Return (command in its folder, runtime in words, differences from the course) of a program."""
    if name in COMPILERS:
        compiler = COMPILERS[name][0]
        if not shutil.which(compiler):
            raise ProgramError(f"{name} needs {compiler}, which this machine does not have: install it")
        if name.endswith(".java"):
            return ("java", "-cp", ".", "my_player"), "Java", ()
        return ("./" + name.removesuffix(".cpp"),), " ".join(COMPILERS[name][:-3]), ()
    try:
        wanted, python = ("3.7", python37()) if name == "my_player3.py" else ("2.7", python27())
    except InterpreterError as error:
        raise ProgramError(str(error)) from None
    if python:
        return (python.path, name), f"Python {python.version}", ()
    running = "Python {}.{}".format(*sys.version_info)
    return (
        (sys.executable, name),
        running,
        (f"Python {wanted}, the course's version, is not installed: {running} runs it",),
    )


def _files_of(folder: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return ({name in the copy: path} of a program's files, names of skipped entries).

    Links are skipped, because a link could name a file that the host may read but the link's author may not. Raise
    OSError, or SizeError for too many or too large files.
    """
    if os.path.realpath(folder) == os.path.realpath(HOME):
        return _our_files(), ()
    ignored = (INPUT, OUTPUT, "__pycache__")
    names = [name for name in sorted(os.listdir(folder)) if name not in ignored and not name.startswith(".")]
    paths = {name: os.path.join(folder, name) for name in names}
    files = {name: path for name, path in paths.items() if name.endswith(ACCEPTED) and is_plain(path)}
    budget = Budget(MOST_FILES, MOST_BYTES)
    for path in files.values():
        budget.begin_file()
        budget.spend(os.lstat(path).st_size)
    return files, tuple(
        f"{name} ({kind_of(path)})" if name.endswith(ACCEPTED) or os.path.islink(path) else name
        for name, path in paths.items()
        if name not in files
    )


def _our_files() -> dict[str, str]:
    names = [os.path.basename(OUR_PLAYER), "patterns.txt", "overrides.txt"]
    names += [f"rules/{name}" for name in sorted(os.listdir(os.path.join(HOME, "rules"))) if name.endswith(".py")]
    paths = {name: os.path.realpath(os.path.join(HOME, name)) for name in names}  # the repository's own links are safe
    return {name: path for name, path in paths.items() if os.path.isfile(path)}


class _CompileError(Exception):
    pass


def _build(files: dict[str, str], compiler: tuple[str, ...]) -> str:
    """Return the folder with a compiled copy of the files, cached by content. Raise OSError, SizeError.

    At each use, the copy's digest is compared with the name of its folder, which contains the digests of the source and
    of the result. If several processes build at once, each process makes a copy, and the first process to finish
    installs its copy.
    """
    cache.make_private(cache.FOLDER)
    kept = os.path.join(cache.FOLDER, "programs")
    os.makedirs(kept, exist_ok=True)
    fresh = tempfile.mkdtemp(dir=kept)
    try:
        seen = hashlib.sha256(repr(compiler).encode())
        raw = os.path.join(fresh, "files")
        os.mkdir(raw)
        budget = Budget(MOST_FILES, MOST_BYTES)
        for name, path in files.items():
            copy = os.path.join(raw, name)
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            copy_plain(path, copy, budget)
            hash_file(seen, name, copy)
        key = seen.hexdigest()[:KEY]
        there = _find_built(kept, key)
        if there:
            return there
        _compile(compiler, raw)
        os.rename(raw, os.path.join(fresh, key))
        place = os.path.join(kept, f"{key}.{_digest_of(os.path.join(fresh, key))}")
        try:
            os.rename(fresh, place)
        except OSError:
            if not os.path.isdir(place):  # else another process installed its copy first
                raise
        return os.path.join(place, key)
    finally:
        remove_tree(fresh)


def _find_built(kept: str, key: str) -> str:
    """Return the folder of an earlier build, '' if there is none. Remove a modified build."""
    for name in sorted(os.listdir(kept)):
        place = os.path.join(kept, name)
        if name.startswith(key + ".") and os.path.isdir(place):
            folder = os.path.join(place, key)
            with suppress(OSError):
                if _digest_of(folder) == name[len(key) + 1 :]:
                    return folder
            print(f"littlego: {short_name(place)} was changed since it was built; rebuilding it", file=sys.stderr)
            remove_tree(place)
    return ""


def _digest_of(folder: str) -> str:
    """Return a digest of the names and the contents of all files in a folder; raise OSError."""
    seen = hashlib.sha256()
    for place, below, names in os.walk(folder):
        below.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            hash_file(seen, os.path.relpath(path, folder), path)
    return seen.hexdigest()[:KEY]


def _compile(compiler: tuple[str, ...], folder: str) -> None:
    """Compile a program, in the sandbox if possible, because a source may include any file of the system."""
    if not compiler:
        return
    done = run_limited(list(compiler), folder, PATIENCE, PATIENCE, sandboxed=sandbox.is_used())
    if done.stopped or done.cpu > PATIENCE:
        raise _CompileError(f"{compiler[0]} was stopped after {PATIENCE} s")
    if done.status:
        lines = done.began.splitlines()
        more = [f"... and more, {done.printed:,} bytes in all"] if len(lines) > SHOWN else []
        raise _CompileError("\n".join([" ".join(compiler), *done.struck, *lines[:SHOWN], *more]))
