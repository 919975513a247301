"""The bubblewrap sandbox for foreign programs: command line, availability, runs.

A program in the sandbox has its own namespaces (processes, mounts, network, IPC, users). It can read system files, its
interpreter and its sources. It can write to its folder at WORK, to /tmp, to /dev/shm, and to folders that the caller
names. Other files, such as results and other players, are hidden. This module runs on Python 3.7.
"""

from __future__ import annotations

import ctypes
import errno
import glob
import json
import os
import platform
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from functools import lru_cache
from typing import NamedTuple

from littlego.paths import PACKAGE
from littlego.sandbox import syscalls
from littlego.sandbox.monitor import WATCH, Report

AUTO, BWRAP, NONE = "auto", "bwrap", "none"
MODES = (AUTO, BWRAP, NONE)
VARIABLE = "LITTLEGO_SANDBOX"  # environment variable that passes the mode to all processes of a command
PROGRAM = "bwrap"
WORK = "/game"  # path of the program's folder in the sandbox
SCRATCH = 1 << 26  # bytes of /tmp and of /dev/shm in the sandbox
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime")  # visible in /etc, as is java*
STORES = ("/nix/store", "/gnu/store")  # folders of all programs and libraries on Nix and Guix
OF_A_PREFIX = ("bin", "lib", "lib32", "lib64", "libexec", "include", "conf", "jmods", "pyvenv.cfg")
KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE")  # variables passed on
READ = (".py", ".cpp", ".java", ".json", ".txt")  # suffixes of files that a program needs beside it
MOST_VIEWS = 200
PATIENCE = 30.0  # maximum seconds for the start of bubblewrap
ENDING = 5.0  # maximum seconds for the system to remove a killed process
NAP = 0.001
OF_THE_HOST = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "driver", "mtrr", "scsi")  # entries of /proc
KEEPER = "/proc/1"  # bubblewrap's own process, whose memory the program could read
PR_SET_CHILD_SUBREAPER = 36
MISSING = "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)"


class SandboxError(RuntimeError):
    """Raised if a requested sandbox does not work; the message says why and what to do."""


def mode() -> str:
    """Return the requested mode, one of MODES, by default AUTO. Raise SandboxError for an unknown mode."""
    asked = os.environ.get(VARIABLE) or AUTO
    if asked not in MODES:
        raise SandboxError(f"{VARIABLE} is {asked!r}; expected {', '.join(MODES[:-1])} or {MODES[-1]}")
    return asked


def asked() -> str | None:
    """Return the requested mode, unchecked, or None if no mode was requested."""
    return os.environ.get(VARIABLE)


def use(asked: str | None) -> None:
    """Request a mode for this process and its children; None requests the default mode."""
    if asked is None:
        os.environ.pop(VARIABLE, None)
    else:
        os.environ[VARIABLE] = asked


def is_used() -> bool:
    """Return whether foreign programs run in a sandbox.

    Raise SandboxError if a required sandbox does not work or the mode is unknown (see `mode`).
    """
    why = "" if mode() == NONE else why_not()
    if why and mode() == BWRAP:
        raise SandboxError(f"--sandbox {BWRAP}: {why}; expected a working bubblewrap, or --sandbox {AUTO} or {NONE}")
    return mode() != NONE and not why


@lru_cache(maxsize=None)
def why_not() -> str:
    """Return the reason why bubblewrap does not work, or '' if it works.

    The first call runs bubblewrap with the options of a real run; later calls return the cached result.
    """
    if not shutil.which(PROGRAM):
        return MISSING
    problem = "" if sys.platform == "linux" else "it needs Linux"
    for features in FEATURES if not problem else ():
        try:
            with closing(_Filter(features)) as held:
                command = [*_base_words(features), *held.words, "--dir", WORK, "--chdir", WORK, "true"]
                done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, pass_fds=held.passed, timeout=PATIENCE)  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"bubblewrap does not work here ({error})"
        if not done.returncode:
            _remember(features)
            return ""
        problem = problem or done.stderr.decode("utf-8", "replace").strip().splitlines()[0]
    return f"bubblewrap does not work here ({problem})"


class Features(NamedTuple):
    """Optional capabilities of the installed bubblewrap and of the kernel."""

    filtered: bool  # system calls are filtered
    closed: bool  # the program cannot create user namespaces (bubblewrap 0.8 or newer)
    sized: bool  # file systems in memory are limited (bubblewrap 0.7 or newer)


FEATURES = [
    Features(filtered, *rest) for rest in ((True, True), (False, True), (False, False)) for filtered in (True, False)
]  # fmt: skip - best first
_found = [FEATURES[0]]


def _remember(features: Features) -> None:
    _found[0] = features


def is_filtered() -> bool:
    """Return whether the sandbox filters system calls."""
    return _found[0].filtered and platform.machine() in syscalls.ARCHITECTURES


class _Filter:
    """The system call filter for one run. words: bubblewrap's options. passed: the value for Popen's pass_fds."""

    def __init__(self, features: Features):
        end = syscalls.open_filter() if features.filtered else None
        self.passed = () if end is None else (end,)
        self.words = [word for end in self.passed for word in ("--seccomp", str(end))]

    def close(self) -> None:
        """Close the filter's descriptor; call this method after bubblewrap has read the filter."""
        for end in self.passed:
            os.close(end)
        self.passed = ()


class Usage(NamedTuple):
    """CPU seconds used in a sandbox. waited: seconds of all reaped processes. own: seconds of the keeper (see Box)."""

    waited: float
    own: float


class Box:
    """One run of a command in a sandbox: the arguments that start it, and its results.

    The attributes `words`, `environment`, `output` and `passed` are arguments for Popen. `keeper` is the process id of
    bubblewrap's own process in the sandbox, or 0 before the start.

    The command can write to its folder and to the `writable` folders. If `watched` is true, a shell reports the
    command's end and discards the command's standard output. Otherwise, Popen sets the command's standard output.
    """

    def __init__(
        self,
        command: list[str],
        folder: str,
        extra: dict[str, str],
        writable: tuple[str, ...] = (),
        watched: bool = True,
    ):
        _refuse_missing(command[0])
        _reaper.change(1)
        self.report, self._filter = Report(), _Filter(_found[0])
        self._info, info = os.pipe()
        self.output = self.report.end
        self.passed = (info, *self._filter.passed)
        self.environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        self.environment.update({"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "TMPDIR": "/tmp"}, **extra)
        binds = [word for path in writable for word in ("--bind", path, path)]
        seen = views_of(tuple(command))
        self.words = [
            *_base_words(_found[0]),
            *self._filter.words,
            *(word for path in seen.paths for word in ("--ro-bind", path, path)),
            *(word for path in seen.masked for word in ("--tmpfs", path, "--remount-ro", path)),
            *binds,
            *("--bind", folder, WORK, "--chdir", WORK, "--remount-ro", "/", "--info-fd", str(info)),
            "--",
            *(("/bin/sh", "-c", WATCH, "sh") if watched else ()),
            *seen.command,
        ]
        self._ours: tuple[int, ...] = (info,)  # only the child uses this descriptor
        self.keeper = 0

    def started(self) -> None:
        """Read the process id of the sandbox's keeper (see Box).

        Call this method after the sandbox has started.
        """
        self._close_passed()
        with suppress(ValueError, KeyError, OSError):
            text = _read_all(self._info)
            self.keeper = int(json.loads(text)["child-pid"])

    def kill(self) -> None:
        """Kill the keeper (see Box) and thereby all processes in the sandbox.

        Call this method after bubblewrap has ended. The kill uses the process id, because a program may have moved the
        keeper to another process group or parent.
        """
        with suppress(OSError):  # bubblewrap reaped the keeper, whose id may be reused
            if self.keeper and not self._has_ended():
                os.kill(self.keeper, signal.SIGKILL)

    def ended(self) -> Usage | None:
        """Return the Usage of the killed sandbox, or None if the keeper still runs after ENDING seconds.

        The Usage is zero if the keeper is unknown, or if bubblewrap reaped the keeper. In the second case, bubblewrap's
        own CPU time includes the keeper's.
        """
        if not self.keeper:
            return Usage(0.0, 0.0)
        own, until = 0.0, time.monotonic() + ENDING
        try:
            while not self._has_ended():
                if time.monotonic() > until:
                    return None
                time.sleep(NAP)
            with suppress(OSError), open(f"/proc/{self.keeper}/schedstat", encoding="ascii") as file:
                own = int(file.read().split()[0]) / 1e9
            usage = os.wait4(self.keeper, 0)[2]
        except OSError:
            return Usage(0.0, 0.0)
        return Usage(usage.ru_utime + usage.ru_stime, own)

    def _has_ended(self) -> bool:
        """Return whether the keeper is a zombie; raise OSError if the keeper is not a child of this process."""
        return os.waitid(os.P_PID, self.keeper, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    def close(self) -> None:
        """Close the descriptors and decrease the number of open boxes."""
        _reaper.change(-1)
        self._close_passed()
        self.report.close()
        os.close(self._info)

    def _close_passed(self) -> None:
        for end in self._ours:
            os.close(end)
        self._ours = ()
        self._filter.close()
        self.report.passed_on()


def _refuse_missing(program: str) -> None:
    """Raise FileNotFoundError for a missing program, as Popen does without a sandbox."""
    inside = "/" in program and not os.path.isabs(program)  # relative to the work folder: the shell reports it
    if not inside and not shutil.which(program):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)


def _read_all(pipe: int) -> bytes:
    data = b""
    while select.select([pipe], [], [], PATIENCE)[0]:
        chunk = os.read(pipe, 4096)
        data += chunk
        if not chunk or b"}" in chunk:
            break
    return data


class _Reaper:
    """A counter of open boxes; while it is above 0, this process adopts orphaned descendants.

    This process can therefore reap a sandbox's keeper after bubblewrap has ended.
    """

    def __init__(self) -> None:
        self.boxes = 0
        self.lock = threading.Lock()

    def change(self, by: int) -> None:
        """Change the number of open boxes by 1 or -1."""
        with self.lock:
            self.boxes += by
            if self.boxes == max(by, 0):
                ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(by > 0), 0, 0, 0)


_reaper = _Reaper()


def _base_words(features: Features) -> list[str]:
    """Return the start of every bubblewrap command line: the executable and the options for all runs."""
    words = [PROGRAM, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    words += ["--unshare-user", "--disable-userns"] if features.closed else []
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    java = [name for name in sorted(os.listdir("/etc")) if name.startswith("java")]
    for path in (*(f"/etc/{name}" for name in (*SETTINGS, *java)), *STORES):
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--tmpfs", KEEPER, "--remount-ro", KEEPER]
    for name in OF_THE_HOST:  # files that root may write even without capabilities
        words += ["--ro-bind-try", f"/proc/{name}", f"/proc/{name}"]
    size = ["--size", str(SCRATCH)] if features.sized else []
    words += ["--dev", "/dev", *size, "--tmpfs", "/tmp", *size, "--tmpfs", "/dev/shm"]
    return [*words, "--remount-ro", "/dev"]


class Views(NamedTuple):
    """A command for use in the sandbox, and the paths that it needs.

    masked: folders that the sandbox shows as empty.
    """

    command: tuple[str, ...]
    paths: tuple[str, ...]
    masked: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def views_of(command: tuple[str, ...]) -> Views:
    """Return a command's Views: the command to run in the sandbox, and the paths that it needs.

    The result contains at most MOST_VIEWS paths: the paths that the command's interpreter and the files named in the
    command's arguments need.
    """
    first, *rest = command
    found = shutil.which(first)
    if found and os.path.isabs(found):
        first = _past_launcher(found)
    program = [*_views_of_program(first), *_views_of_environment(first)]
    paths = [*program, *(path for word in rest for path in _views_of_file(word))]
    masked = tuple(path for path in _our_packages(program) if not any(_is_below(word, path) for word in rest))
    return Views((first, *rest), tuple(dict.fromkeys(paths))[:MOST_VIEWS], masked)


def _views_of_environment(python: str) -> list[str]:
    """Return the folders outside a virtual environment from which the environment's Python imports.

    Examples are the folders named in .pth files.
    """
    prefix = os.path.dirname(os.path.dirname(python))
    if not os.path.isabs(python) or not os.path.isfile(os.path.join(prefix, "pyvenv.cfg")):
        return []
    ask = "import json, sys; print(json.dumps(sys.path))"
    with suppress(OSError, ValueError, subprocess.TimeoutExpired):
        done = subprocess.run([python, "-I", "-c", ask], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=PATIENCE)  # fmt: skip
        return [path for path in json.loads(done.stdout.decode()) if os.path.isdir(path) and not _is_system(path)
                and not _is_below(path, prefix)]  # fmt: skip
    return []


def _our_packages(paths: list[str]) -> list[str]:
    """Return the folders of our package in the system's Pythons and in `paths`.

    The sandbox hides these folders, because the programs must not import our package.
    """
    libraries = [path for path in paths if os.path.basename(path).startswith("lib")]
    found = [os.path.join(path, PACKAGE.name) for path in paths if not _is_system(path)]
    for library in (*libraries, "/usr/lib", "/usr/local/lib"):
        found += glob.glob(os.path.join(glob.escape(library), "python3*", "*-packages", PACKAGE.name))
    return sorted({path for path in found if os.path.isfile(os.path.join(path, "__init__.py"))})


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _past_launcher(path: str) -> str:
    """Return the Python binary that a version manager's launcher starts; return any other path unchanged."""
    with open(path, "rb") as file:
        if file.read(2) != b"#!" or not os.path.basename(path).startswith("python"):
            return path
    from littlego.sandbox.interpreters import ask_interpreter

    python = ask_interpreter(path)
    return python.path if python else path


def _views_of_program(path: str) -> list[str]:
    """Return the paths that a binary outside the system folders needs.

    The paths are the binary, the targets of symbolic links, and parts of the installation prefix.
    """
    views: list[str] = []
    while os.path.isabs(path):
        folder = os.path.realpath(os.path.dirname(path))
        if not _is_system(folder):
            prefix = os.path.dirname(folder)
            parts = [os.path.join(prefix, part) for part in OF_A_PREFIX] if os.path.basename(folder) == "bin" else []
            shown = os.path.dirname(path) if os.path.basename(folder) == "bin" else path
            views += [part for part in (*parts, shown) if os.path.exists(part)]
        if not os.path.islink(path):
            break
        path = os.path.normpath(os.path.join(folder, os.readlink(path)))
    return views


def _views_of_file(word: str) -> list[str]:
    """Return the paths that a command's argument needs.

    The result is [] unless the argument is the absolute path of a non-system file. Otherwise, the result contains the
    file. If the file's suffix is in READ, the result also contains all files with a suffix in READ and all folders of
    Python modules in the same folder.
    """
    if not os.path.isabs(word) or not os.path.isfile(word) or _is_system(os.path.realpath(word)):
        return []
    folder, views = os.path.dirname(word), [word]
    if word.endswith(READ):
        with suppress(OSError):
            for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
                if entry.name.endswith(READ) and entry.is_file(follow_symlinks=False) or _holds_python(entry):
                    views.append(entry.path)
    return views


def _holds_python(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a visible folder of Python modules.

    The result is False for a link, a virtual environment and an unreadable folder.
    """
    if entry.name.startswith(".") or not entry.is_dir() or entry.is_symlink():
        return False
    with suppress(OSError):
        names = os.listdir(entry.path)
        return "pyvenv.cfg" not in names and any(name.endswith(".py") for name in names)
    return False


def _is_system(path: str) -> bool:
    return any(_is_below(path, place) for place in (*SYSTEM, *STORES, "/etc/alternatives"))
