"""Bubblewrap around a program of somebody else: its words, whether it works here, and how its run is looked at.

Inside there are namespaces of its own (processes, mounts, network, IPC, users), the system to be read, the program's
folder at WORK to be written, and nothing else: no home, no other player, no results. Runs on Python 3.7.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import re
import select
import shutil
import subprocess
import sys
import threading
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

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
SHELL_MOST = 0.02  # CPU seconds that the shell inside may say that it took: a program could speak in its name
PR_SET_CHILD_SUBREAPER = 36
MISSING = "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)"
# The shell starts the program and waits for it. Then it says how many processes are left, once they had a moment to
# end, what they have had of the CPU, and what it took itself.
WATCH = """
exec 3>&1 4>&2 >/dev/null 2>&1
(exec "$@" 2>&4 3>&- 4>&-); status=$? spent=0
set -- /proc/[0-9]*
if [ $# -gt 2 ]; then
    sleep 0.1; set -- /proc/[0-9]*
    for times in /proc/[0-9]*/task/[0-9]*/schedstat; do
        case $times in /proc/1/*|/proc/$$/*) ;; *) read -r had rest < $times && spent=$((spent + had)) ;; esac
    done
fi
read -r own rest < /proc/self/schedstat
echo "$(($# - 2)) $spent $own" >&3
exit $status
"""


class Told(NamedTuple):
    """What the shell says: processes that were left running, their CPU seconds, its own."""

    left: int
    spent: float
    own: float


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
    for sized in (True, False) if not said else ():
        command = [*_base_words(sized), "--dir", WORK, "--chdir", WORK, "true"]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  timeout=PATIENCE)  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"bubblewrap does not work here ({error})"
        if not done.returncode:
            _remember_sizes(sized)
            return ""
        said = said or done.stderr.decode("utf-8", "replace").strip().splitlines()[0]
    return f"bubblewrap does not work here ({said})"


_sizes = [True]  # whether this bubblewrap (0.7 or newer) can bound the size of a file system in memory


def _remember_sizes(sized: bool) -> None:
    _sizes[0] = sized


class Box:
    """One run of a command in a sandbox: what to start, and what is known of it afterwards.

    words, environment, output, passed: for Popen. writable: folders besides the command's own. Close gives all back.
    """

    def __init__(self, command: list[str], folder: str, extra: dict[str, str], writable: tuple[str, ...] = ()):
        _refuse_missing(command[0])
        _reaper.change(1)
        self._info, info = os.pipe()
        self._told, self.output = os.pipe()
        self.passed = (info,)
        self.environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        self.environment.update({"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "TMPDIR": "/tmp"}, **extra)
        binds = [word for path in writable for word in ("--bind", path, path)]
        seen = views_of(tuple(command))
        self.words = [
            *_base_words(_sizes[0]),
            *(word for path in seen.paths for word in ("--ro-bind", path, path)),
            *binds,
            *("--bind", folder, WORK, "--chdir", WORK, "--remount-ro", "/", "--info-fd", str(info)),
            *("--", "/bin/sh", "-c", WATCH, "sh", *seen.command),
        ]
        self._ours: tuple[int, ...] = (info, self.output)  # ends that are only to be passed on
        self._reaper = 0

    def started(self) -> None:
        """Read which process keeps the sandbox, once the command has been started."""
        self._close_passed()
        with suppress(ValueError, KeyError, OSError):
            text = _read_all(self._info)
            self._reaper = int(json.loads(text)["child-pid"])

    def ended(self) -> tuple[float, float]:
        """Wait until all processes of the sandbox are gone, once bubblewrap has ended; return (CPU, overhead).

        CPU: seconds of all of them that somebody waited for. overhead: what is bubblewrap's and the shell's of that.
        """
        if not self._reaper:
            return 0.0, 0.0
        own = 0.0
        with suppress(OSError):
            os.waitid(os.P_PID, self._reaper, os.WEXITED | os.WNOWAIT)
            with open(f"/proc/{self._reaper}/schedstat", encoding="ascii") as file:
                own = int(file.read().split()[0]) / 1e9
        with suppress(OSError):
            usage = os.wait4(self._reaper, 0)[2]
            return usage.ru_utime + usage.ru_stime, own
        return 0.0, own

    def read_shell(self) -> Told | None:
        """Return what the shell has said; None where it could not, its life having been ended before."""
        ready = select.select([self._told], [], [], 0)[0]
        said = re.findall(rb"(\d{1,9}) (\d{1,18}) (\d{1,18})\n", os.read(self._told, 4096) if ready else b"")
        if not said:
            return None
        left, spent, own = map(int, said[-1])
        return Told(left, spent / 1e9, min(own / 1e9, SHELL_MOST))

    def close(self) -> None:
        """Give back what was opened."""
        _reaper.change(-1)
        self._close_passed()
        for end in (self._info, self._told):
            os.close(end)

    def _close_passed(self) -> None:
        for end in self._ours:
            os.close(end)
        self._ours = ()


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


def _base_words(sized: bool) -> list[str]:
    """Return the words for the system alone."""
    words = [PROGRAM, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    java = [name for name in sorted(os.listdir("/etc")) if name.startswith("java")]
    for path in (*(f"/etc/{name}" for name in (*SETTINGS, *java)), *STORES):
        words += ["--ro-bind-try", path, path]
    size = ["--size", str(SCRATCH)] if sized else []
    words += ["--proc", "/proc", "--dev", "/dev", *size, "--tmpfs", "/tmp", *size, "--tmpfs", "/dev/shm"]
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
    from tools.match.interpreters import ask_interpreter

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
                if entry.name.endswith(READ) and entry.is_file() or _holds_python(entry):
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
