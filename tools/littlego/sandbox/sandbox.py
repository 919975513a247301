"""Bubblewrap around a program of somebody else: its words, whether it works here, and how its run is looked at.

Inside there are namespaces of its own (processes, mounts, network, IPC, users), the system to be read, the program's
folder at WORK to be written, and nothing else: no home, no other player, no results. Runs on Python 3.7.
"""

from __future__ import annotations

import ctypes
import errno
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

from littlego.sandbox import syscalls
from littlego.sandbox.monitor import WATCH, Report

AUTO, BWRAP, NONE = "auto", "bwrap", "none"
MODES = (AUTO, BWRAP, NONE)
VARIABLE = "LITTLEGO_SANDBOX"  # holds the mode, for all processes that work for a command
PROGRAM = "bwrap"
WORK = "/game"  # where the program's folder lies inside
SCRATCH = 1 << 26  # bytes of /tmp and of /dev/shm inside
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime")  # of /etc; and java-*
STORES = ("/nix/store", "/gnu/store")  # where all of a system's programs lie, with what they need
OF_A_PREFIX = ("bin", "lib", "lib32", "lib64", "libexec", "include", "conf", "jmods", "pyvenv.cfg")
KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE")  # of our environment
READ = (".py", ".cpp", ".java", ".json", ".txt")  # what lies beside a named program and is the program's
MOST_VIEWS = 200
PATIENCE = 30.0  # seconds that bubblewrap may take to begin
ENDING = 5.0  # seconds in which the system may take a killed process away
NAP = 0.001
OF_THE_HOST = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "driver", "mtrr", "scsi")  # of /proc: settings
KEEPER = "/proc/1"  # bubblewrap's own process: its memory would be open to whoever has its user
PR_SET_CHILD_SUBREAPER = 36
MISSING = "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)"


class SandboxError(RuntimeError):
    """A sandbox that was asked for and does not work here; the message says why, and what to do."""


def mode() -> str:
    """Return which of MODES was asked for; AUTO where nobody has."""
    asked = os.environ.get(VARIABLE) or AUTO
    if asked not in MODES:
        raise SandboxError(f"{VARIABLE} is {asked!r}; expected {', '.join(MODES[:-1])} or {MODES[-1]}")
    return asked


def asked() -> str | None:
    """Return the mode that was asked for, or None."""
    return os.environ.get(VARIABLE)


def use(asked: str | None) -> None:
    """Ask for a mode, in this process and those that it starts; None: for none in particular."""
    if asked is None:
        os.environ.pop(VARIABLE, None)
    else:
        os.environ[VARIABLE] = asked


def is_used() -> bool:
    """Return whether programs of others run in a sandbox; raise SandboxError where one is asked for and fails."""
    why = "" if mode() == NONE else why_not()
    if why and mode() == BWRAP:
        raise SandboxError(f"--sandbox {BWRAP}: {why}; expected one that works, or --sandbox {AUTO} or {NONE}")
    return mode() != NONE and not why


@lru_cache(maxsize=None)
def why_not() -> str:
    """Return why there is no sandbox here, '' where there is one; tried once, with the words that a run has."""
    if not shutil.which(PROGRAM):
        return MISSING
    said = "" if sys.platform == "linux" else "it needs Linux"
    for features in FEATURES if not said else ():
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
        said = said or done.stderr.decode("utf-8", "replace").strip().splitlines()[0]
    return f"bubblewrap does not work here ({said})"


class Features(NamedTuple):
    """What a bubblewrap and its kernel may be able to do.

    filtered: system calls are filtered. closed: no further user namespaces (0.8). sized: file systems in memory are
    bounded (0.7).
    """

    filtered: bool
    closed: bool
    sized: bool


FEATURES = [
    Features(filtered, *rest) for rest in ((True, True), (False, True), (False, False)) for filtered in (True, False)
]  # fmt: skip - the best first
_found = [FEATURES[0]]


def _remember(features: Features) -> None:
    _found[0] = features


def is_filtered() -> bool:
    """Return whether the sandbox filters system calls."""
    return _found[0].filtered and platform.machine() in syscalls.ARCHITECTURES


class _Filter:
    """The filter of system calls for one run. words, passed: for bubblewrap, and for Popen."""

    def __init__(self, features: Features):
        end = syscalls.open_filter() if features.filtered else None
        self.passed = () if end is None else (end,)
        self.words = [word for end in self.passed for word in ("--seccomp", str(end))]

    def close(self) -> None:
        """Close what bubblewrap has read."""
        for end in self.passed:
            os.close(end)
        self.passed = ()


class Usage(NamedTuple):
    """CPU seconds of the processes of a sandbox that somebody waited for, and what is the keeper's own of them."""

    waited: float
    own: float


class Box:
    """One run of a command in a sandbox: what to start, and what is known of it afterwards.

    words, environment, output, passed: for Popen. writable: folders besides the command's own. watched: whether a
    shell tells how the command ended, its own standard output being closed to it; else that is Popen's to give. Close
    gives all back.
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
            *binds,
            *("--bind", folder, WORK, "--chdir", WORK, "--remount-ro", "/", "--info-fd", str(info)),
            "--",
            *(("/bin/sh", "-c", WATCH, "sh") if watched else ()),
            *seen.command,
        ]
        self._ours: tuple[int, ...] = (info,)  # to be passed on alone
        self._reaper = 0

    def started(self) -> None:
        """Read which process keeps the sandbox, once the command has been started."""
        self._close_passed()
        with suppress(ValueError, KeyError, OSError):
            text = _read_all(self._info)
            self._reaper = int(json.loads(text)["child-pid"])

    def kill(self) -> None:
        """End the process that keeps the sandbox, and with it all that is in it, once bubblewrap has ended.

        By its own number: a program may have taken it out of its process group, or away from its parent.
        """
        with suppress(OSError):  # bubblewrap has waited for it, and its number may be somebody else's by now
            if self._reaper and not self._has_ended():
                os.kill(self._reaper, signal.SIGKILL)

    def ended(self) -> Usage | None:
        """Return the CPU seconds of the sandbox's processes, once they have been killed; None where they go on.

        Zeros where bubblewrap has waited for the process that kept them: they are among its own time then.
        """
        if not self._reaper:
            return Usage(0.0, 0.0)
        own, until = 0.0, time.monotonic() + ENDING
        try:
            while not self._has_ended():
                if time.monotonic() > until:
                    return None
                time.sleep(NAP)
            with suppress(OSError), open(f"/proc/{self._reaper}/schedstat", encoding="ascii") as file:
                own = int(file.read().split()[0]) / 1e9
            usage = os.wait4(self._reaper, 0)[2]
        except OSError:
            return Usage(0.0, 0.0)
        return Usage(usage.ru_utime + usage.ru_stime, own)

    def _has_ended(self) -> bool:
        """Return whether the process that keeps the sandbox waits to be waited for; raise OSError if it is not ours."""
        return os.waitid(os.P_PID, self._reaper, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    def close(self) -> None:
        """Give back what was opened."""
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
    """Raise the OSError that starting a program without a sandbox would."""
    inside = "/" in program and not os.path.isabs(program)  # in the work folder, where the shell will see
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
    """Makes this process the one that orphans below it go to, while at least one box is open.

    So that the process that keeps a sandbox, which bubblewrap leaves behind, can be waited for.
    """

    def __init__(self) -> None:
        self.boxes = 0
        self.lock = threading.Lock()

    def change(self, by: int) -> None:
        """Count a box more, or one less."""
        with self.lock:
            self.boxes += by
            if self.boxes == max(by, 0):
                ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(by > 0), 0, 0, 0)


_reaper = _Reaper()


def _base_words(features: Features) -> list[str]:
    """Return the words for the system alone."""
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
    for name in OF_THE_HOST:  # a root's user may write these, without any capability
        words += ["--ro-bind-try", f"/proc/{name}", f"/proc/{name}"]
    size = ["--size", str(SCRATCH)] if features.sized else []
    words += ["--dev", "/dev", *size, "--tmpfs", "/tmp", *size, "--tmpfs", "/dev/shm"]
    return [*words, "--remount-ro", "/dev"]


class Views(NamedTuple):
    """What a command is called inside, and what it must see for that."""

    command: tuple[str, ...]
    paths: tuple[str, ...]


@lru_cache(maxsize=256)
def views_of(command: tuple[str, ...]) -> Views:
    """Return how a command is run inside: its interpreter wherever that lies, and the files that it names."""
    first, *rest = command
    found = shutil.which(first)
    if found and os.path.isabs(found):
        first = _past_launcher(found)
    paths = [*_views_of_program(first), *(path for word in rest for path in _views_of_file(word))]
    return Views((first, *rest), tuple(dict.fromkeys(paths))[:MOST_VIEWS])


def _past_launcher(path: str) -> str:
    """Return the binary behind a Python of a version manager, whose launcher is a script that needs its whole home."""
    with open(path, "rb") as file:
        if file.read(2) != b"#!" or not os.path.basename(path).startswith("python"):
            return path
    from littlego.sandbox.interpreters import ask_interpreter

    python = ask_interpreter(path)
    return python.path if python else path


def _views_of_program(path: str) -> list[str]:
    """Return what a binary outside of the system needs: itself, where links lead, and the prefix that it belongs to."""
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
    """Return what a named file needs: itself, and where it is a source, the sources beside it and below."""
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
    """Return whether an entry is a folder with modules of Python, and neither hidden nor a virtual environment."""
    if entry.name.startswith(".") or not entry.is_dir() or entry.is_symlink():
        return False
    with suppress(OSError):
        names = os.listdir(entry.path)
        return "pyvenv.cfg" not in names and any(name.endswith(".py") for name in names)
    return False


def _is_system(path: str) -> bool:
    return any(path == place or path.startswith(place + "/") for place in (*SYSTEM, *STORES, "/etc/alternatives"))
