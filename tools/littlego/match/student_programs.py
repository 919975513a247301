"""Student programs: finding, copying, compiling and examining a program so that it can play.

Section 6 of the handout defines the names and files that the course accepts. The module never writes to the
submission's folder: it compiles and runs the program in copies.
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
from littlego.match.builds import COMPILERS, HEADERS, NAMES, builds_of, command_of, odd_builds
from littlego.match.environments import EnvironmentFailure, environment
from littlego.match.host import OUR_PLAYER, FilePlayer
from littlego.match.python_sources import (
    Sources,
    describe_missing,
    describe_newer,
    describe_rejection,
    read_sources,
)
from littlego.paths import HOME
from littlego.rules.turn import INPUT, OUTPUT
from littlego.sandbox import sandbox
from littlego.sandbox.interpreters import (
    VARIABLE,
    Interpreter,
    InterpreterError,
    ask_interpreter,
    named_interpreter,
    python27,
    python37,
)
from littlego.sandbox.limited import run_limited
from littlego.sandbox.plain_files import Budget, SizeError, copy_plain, hash_file, is_plain, kind_of
from littlego.sandbox.workfolder import WorkFolder, remove_tree

MOST_FILES, MOST_BYTES = 1_000, 64_000_000  # limits for all files of a program together
ACCEPTED = (".py", ".cpp", ".java", ".json", ".txt")
# Files that the course does not accept, but that submissions often contain.
TOLERATED = (*HEADERS, ".pkl", ".pickle", ".npy", ".npz", ".csv", ".dat", ".yaml", ".yml")
IGNORED = (INPUT, OUTPUT, "__pycache__", "node_modules")
DEEPEST = 8  # maximum depth of nested folders
PATIENCE = 300  # seconds that a compiler may take
LEFT_OUT = "left out, because only plain files of known types are copied"
KEY = 32  # length of a digest in characters
SHOWN = 12  # maximum lines shown of a compiler's output
Stamp = tuple[tuple[str, int, int], ...]  # (name, modification time in ns, size in bytes) of each file


class ProgramError(ValueError):
    """Raised for a program that cannot be found, copied or compiled; the message says what to do."""


class Program(NamedTuple):
    """A program that is ready to play."""

    path: str  # path of the program's folder or file, as given by the user
    name: str  # file name
    folder: str  # cached folder with the program's files, compiled; it is copied before play
    command: tuple[str, ...]  # words of the command that runs the program in such a copy
    runs: str  # the interpreter or runtime in words
    left_out: tuple[str, ...]  # entries of the program's folder that are not copied, such as links, with their types
    remarks: tuple[str, ...]  # differences from the course's environment
    digest: str = ""  # digest of the content of `folder`, so that a modified program is not played
    python: str = ""  # path of the program's Python, '' for other languages
    # Third-party modules that the sources import, with their versions: '' if unknown, None if the module is missing.
    modules: tuple[tuple[str, str | None], ...] = ()


def program_at(path: str, python: str = "", packages: tuple[str, ...] = ()) -> Program:
    """Return the program in a folder or file; the result is cached while the files are unchanged.

    `python` is the path of an interpreter; without `packages`, a Python program may import the interpreter's packages.
    '' selects the course's version if it is installed, else the Python that runs littlego. `packages` are installed for
    the program (littlego.match.environments). Raise ProgramError unless `path` names exactly one program and the
    interpreter or compiler accepts the program. For the repository's folder, the program is our player, with the engine
    in rules/.
    """
    folder, name = _find_program(path)
    return _make_program(path, folder, name, _stamp_of(folder), python, packages)


def _stamp_of(folder: str) -> Stamp:
    """Return (name, modification time, size) of each file of a program; () if the files cannot be read."""
    try:
        stats = [(name, os.lstat(path)) for name, path in _files_of(folder)[0].items()]
    except (OSError, SizeError):  # reported by the copy
        return ()
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


@lru_cache
def _make_program(
    path: str, folder: str, name: str, stamp: Stamp, python: str = "", packages: tuple[str, ...] = ()
) -> Program:
    runner = _runner_of(name, python, packages)
    try:
        files, left_out = _files_of(folder)
        builds = list(builds_of(name, files))
        built = _build(files, builds)
    except OSError as error:
        raise ProgramError(f"{path} cannot be copied: {error.filename}: {error.strerror}") from None
    except SizeError as error:
        raise ProgramError(f"{path}: {error}; remove files that the program does not need") from None
    except _CompileError as error:
        missing = f"\n({LEFT_OUT}: {', '.join(left_out)})" if left_out else ""
        raise ProgramError(f"{os.path.join(folder, name)} does not compile: {error}{missing}") from None
    tolerated = sorted(name for name in files if name.endswith(TOLERATED))
    remarks = [*runner.remarks, *odd_builds(name, files, builds)]
    remarks += [f"copied {', '.join(tolerated)}, but the course accepts only {', '.join(ACCEPTED)}"] * bool(tolerated)
    sources = _examine(os.path.join(path if os.path.isdir(path) else folder, ""), built, name, runner)
    remarks += [str(error) for error in sources.errors]
    remarks += [describe_missing(module, runner.version) for module in sources.missing]
    remarks += describe_newer(name, runner.version, sources)
    modules = (*sources.there, *((module, None) for module in sources.missing))
    command = runner.command if runner.version else command_of(name, files)
    digest = _digest_of(built)
    return Program(path, name, built, command, runner.runs, left_out, tuple(remarks), digest, runner.python, modules)


def player_of(program: Program, folder: str | None = None, slower: float = 1.0) -> FilePlayer:
    """Return the program as a player that runs in a separate copy, which `close` removes.

    If `folder` is given, the program runs in this folder instead; the folder must be a copy made by `copy_to`, and
    `close` keeps it. For `slower`, see FilePlayer. Raise ProgramError if the program cannot be copied.
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
    """Copy all files of a program into a folder.

    Raise ProgramError if copying fails or the cached program was modified.
    """
    try:
        shutil.copytree(program.folder, folder, dirs_exist_ok=True)
        digest = _digest_of(folder)
    except OSError as error:  # shutil.Error holds a list
        raise ProgramError(f"{program.path} cannot be copied to {folder}: {error}") from None
    if program.digest and digest != program.digest:
        raise ProgramError(
            f"{program.folder}, the built program of {program.path}, has changed since it was built: another program "
            "can write to this folder. Remove the folder, and run third-party programs in a sandbox"
        )


def _find_program(path: str) -> tuple[str, str]:
    """Return the folder and the file name of the program at a path."""
    folder, name = os.path.split(os.path.abspath(path))
    if not os.path.isdir(path) and os.path.lexists(path):
        if name not in NAMES:
            raise ProgramError(f"{path} is not a program that the course runs; expected one of {', '.join(NAMES)}")
        if not is_plain(path):
            raise ProgramError(
                f"{path} is {kind_of(path)}, and only plain files are accepted: put the program itself there"
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
        raise ProgramError(
            f"the folder {path} contains {' and '.join(there)}; name one: {os.path.join(path, there[0])}"
        )
    return os.path.abspath(path), there[0]


class _Runner(NamedTuple):
    """The runtime of a program. command, runs, python, remarks: see Program. version: Python's version or ''."""

    command: tuple[str, ...]
    runs: str
    remarks: tuple[str, ...] = ()
    version: str = ""
    python: str = ""


def _runner_of(name: str, python: str, packages: tuple[str, ...]) -> _Runner:
    """Return the _Runner for a file name; raise ProgramError if this machine cannot run such a program."""
    if name in COMPILERS:
        compiler = COMPILERS[name][0]
        if not shutil.which(compiler):
            raise ProgramError(f"{name} needs {compiler}, which this machine does not have: install it")
        runs = "Java" if name.endswith(".java") else " ".join(COMPILERS[name][:-3])
        ignored = python or packages
        return _Runner((), runs, ("not a Python program, so --python and --with have no effect",) if ignored else ())
    wanted = "3.7" if name == "my_player3.py" else "2.7"
    try:
        found, place = _find_python(name, python, packages)
    except (InterpreterError, EnvironmentFailure) as error:
        raise ProgramError(str(error)) from None
    except OSError as error:
        raise ProgramError(f"the environment for {name} cannot be created: {error}") from None
    runs = f"Python {found.version}" + (f" ({place})" if python and not packages else "")
    runs += f" with {', '.join(packages)}" if packages else ""
    other = f"Python {wanted}, the course's version, is not installed; using Python {found.version}"
    other = f"using Python {found.version}, but the course's version is {wanted}" if python else other
    remarks = (other,) if found.version != wanted else ()
    return _Runner((place, os.path.join(".", name)), runs, remarks, found.version, place)


def _find_python(name: str, python: str, packages: tuple[str, ...]) -> tuple[Interpreter, str]:
    """Return (the chosen interpreter, the path of the Python that runs the program).

    A Python 3 program can import only the requested packages or, if none are requested, the packages of an interpreter
    that the user named. Raise InterpreterError, EnvironmentFailure or OSError if no interpreter is usable.
    """
    named = python or (os.environ.get(VARIABLE, "") if name == "my_player3.py" else "")
    if python and named_interpreter(python) is None:
        raise InterpreterError(f"{python} is not a working Python; expected the path of an interpreter")
    known = ask_interpreter(python) if python else python37() if name == "my_player3.py" else python27()
    if known is None:
        named, known = "", ask_interpreter(sys.executable)
    assert known is not None  # this process runs sys.executable
    if packages and known.version.startswith("2"):
        raise EnvironmentFailure(f"no packages can be installed for Python {known.version}; omit --with")
    if named and not packages and (own := named_interpreter(named)):
        return known, own.path
    return known, known.path if known.version.startswith("2") else environment(known, packages)


def _examine(shown: str, built: str, name: str, runner: _Runner) -> Sources:
    """Return the interpreter's findings in a Python program.

    `shown` is the program's folder as shown in messages, with a final slash. Raise ProgramError if the interpreter
    rejects the program or cannot be started.
    """
    if not runner.version:
        return Sources()
    try:
        sources = read_sources(built, name, runner.python)
    except OSError as error:  # the first game reports the failure, too
        raise ProgramError(f"{shown}{name} cannot be started: {error}") from None
    wrong = [error for error in sources.errors if error.path == name]
    if wrong:
        others = [python for python in (python27(), ask_interpreter(sys.executable)) if python]
        why = describe_rejection(built, name, runner.version, others)
        raise ProgramError(f"{shown}{wrong[0]}; Python {runner.version} cannot read it{why}")
    return sources


def _files_of(folder: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return ({name in the copy: path} of a program's files and empty folders, names of skipped entries).

    The name of a file in a subfolder is its relative path. Links are skipped, because a link can lead to a file that
    the host can read but the link's author cannot. Raise OSError if reading fails, and SizeError if the files exceed
    MOST_FILES or MOST_BYTES.
    """
    if os.path.realpath(folder) == os.path.realpath(HOME):
        return _our_files(), ()
    files: dict[str, str] = {}
    left_out: list[str] = []
    _collect(folder, "", files, left_out)
    budget = Budget(MOST_FILES, MOST_BYTES)
    for path in files.values():
        budget.begin_file()
        budget.spend(os.lstat(path).st_size if os.path.isfile(path) else 0)
    return files, tuple(left_out)


def _collect(folder: str, below: str, files: dict[str, str], left_out: list[str]) -> None:
    """Add the files of a folder and its subfolders to `files`, and the skipped entries to `left_out`.

    `below` is this folder's path relative to the program's folder: '' or a path with a final slash.
    """
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.startswith(".") or name in IGNORED and (not below or os.path.isdir(path)):
            continue
        is_link = os.path.islink(path)
        if os.path.isdir(path) and not is_link and len(files) <= MOST_FILES and _is_of_program(path, below):
            before = len(files) + len(left_out)
            _collect(path, f"{below}{name}/", files, left_out)
            if before == len(files) + len(left_out):
                files[f"{below}{name}/"] = path  # a program may write to an empty folder
        elif name.endswith((*ACCEPTED, *TOLERATED)) and is_plain(path):
            files[below + name] = path
        else:
            odd = name.endswith((*ACCEPTED, *TOLERATED)) or is_link
            left_out.append(f"{below}{name} ({kind_of(path)})" if odd else below + name)


def _is_of_program(path: str, below: str) -> bool:
    """Return whether a folder can belong to a program.

    Virtual environments and folders nested too deeply do not belong to a program. below: see _collect.
    """
    return below.count("/") < DEEPEST and not os.path.exists(os.path.join(path, "pyvenv.cfg"))


def _our_files() -> dict[str, str]:
    names = [os.path.basename(OUR_PLAYER), "patterns.txt", "overrides.txt"]
    names += [f"rules/{name}" for name in sorted(os.listdir(os.path.join(HOME, "rules"))) if name.endswith(".py")]
    paths = {name: os.path.realpath(os.path.join(HOME, name)) for name in names}  # the repository's own links are safe
    return {name: path for name, path in paths.items() if os.path.isfile(path)}


class _CompileError(Exception):
    pass


def _build(files: dict[str, str], builds: list[tuple[str, ...]]) -> str:
    """Return the folder with a compiled copy of the files, cached by content.

    The compiler commands `builds` are tried in order. If all commands fail, the first failure is reported. Raise
    OSError, SizeError or _CompileError if copying or compiling fails. The folder's path contains the digests of the
    sources and of the result, so that each use can detect changes. If several processes produce the same copy, the copy
    that is finished first is used.
    """
    cache.make_private(cache.FOLDER)
    kept = os.path.join(cache.FOLDER, "programs")
    os.makedirs(kept, exist_ok=True)
    fresh = tempfile.mkdtemp(dir=kept)
    try:
        seen = hashlib.sha256(repr(builds).encode())
        raw = os.path.join(fresh, "files")
        os.mkdir(raw)
        budget = Budget(MOST_FILES, MOST_BYTES)
        for name, path in files.items():
            copy = os.path.join(raw, name)
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            if name.endswith("/"):
                seen.update(name.encode())
                continue
            copy_plain(path, copy, budget)
            hash_file(seen, name, copy)
        key = seen.hexdigest()[:KEY]
        there = _find_built(kept, key)
        if there:
            return there
        _compile_any(builds, raw)
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
    """Return the folder of an earlier build, or '' if there is none. Remove a build that has been modified."""
    for name in sorted(os.listdir(kept)):
        place = os.path.join(kept, name)
        if name.startswith(key + ".") and os.path.isdir(place):
            folder = os.path.join(place, key)
            with suppress(OSError):
                if _digest_of(folder) == name[len(key) + 1 :]:
                    return folder
            print(f"littlego: {short_name(place)} has changed since it was built; rebuilding it", file=sys.stderr)
            remove_tree(place)
    return ""


def _digest_of(folder: str) -> str:
    """Return a digest of the names and contents of all files in a folder; raise OSError if reading fails."""
    seen = hashlib.sha256()
    for place, below, names in os.walk(folder):
        below.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            hash_file(seen, os.path.relpath(path, folder), path)
    return seen.hexdigest()[:KEY]


def _compile_any(builds: list[tuple[str, ...]], folder: str) -> None:
    """Compile with the first command that succeeds; if all fail, raise the first command's _CompileError."""
    errors = []
    for compiler in builds:
        try:
            _compile(compiler, folder)
            return
        except _CompileError as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _compile(compiler: tuple[str, ...], folder: str) -> None:
    """Compile a program, in the sandbox if a sandbox is used.

    The sandbox is needed because a source can include any file of the system. Raise _CompileError if the compiler fails
    or is stopped.
    """
    excess = WorkFolder(folder).excess
    done = run_limited(list(compiler), folder, PATIENCE, PATIENCE, sandboxed=sandbox.is_used(), excess=excess)
    if done.stopped or done.cpu > PATIENCE:
        raise _CompileError(f"{compiler[0]} was stopped after {PATIENCE} s")
    if done.status:
        lines = done.began.splitlines()
        more = [f"... and more, {done.printed:,} bytes in all"] if len(lines) > SHOWN else []
        raise _CompileError("\n".join([" ".join(compiler), *done.struck, *lines[:SHOWN], *more]))
