"""Fuzzing target for the studio: random requests for the registered methods and jobs.

An input is the text of one request: a line with the HTTP method and the path, then the body. Most bodies are generated
from the typed parameters of METHODS and JOBS; some are mutated bytes. Each input is sent to a new studio, which runs in
this process and always starts with the same small files. Methods and jobs also run in this process, not in the studio's
worker processes; a job stops after its second event.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import sys
import types
import typing
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing, redirect_stderr
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from littlego.cache import FOLDER
from littlego.dev.attack.mutator import VALUES
from littlego.dev.attack.targets import Target, TooLong, Violation
from littlego.editor.methods import JOBS, LANES, METHODS, QUICK, Method, Refusal, find, load_answers, refusal_of
from littlego.editor.session import Session, Snapshot
from littlego.paths import TUTORIAL
from littlego.studio.app import make_app
from littlego.studio.lanes import Lanes
from littlego.studio.studio import Studio
from littlego.studio.unsaved import Drafts
from littlego.studio.worker import Worker

TOKEN, HOST = "token", "127.0.0.1:80"
MINE, OUTSIDE, SECRET = "mine", "outside", b"secret: 1\n"
POSITION = "X.O../...../..X../...../..... white left=20"
GAME = "little-go; 2,2 1,2 3,2"
SGF = "(;GM[1]FF[4]SZ[5]KM[2.5];B[cc];W[bb])"
ODD = ("", "\0", "\ud800", "\udcff", "a" * 5000, "../outside/secret.yaml", "/etc/passwd", "-", "--output=x", "\x1b[31m")
INTEGERS = (0, 1, -1, 2, 5, 24, 2**31, -(2**63), 10**30)
FLOATS = (0.0, 1.5, -1.0, 1e300, float("inf"), float("nan"), 10**400)
PLAYERS = ("this file", "greedy", "ours", "ours:HEAD:patterns.yaml", "ours:--output=x:HEAD", "qlearning:/etc/passwd",
           "gtp:sh", "erring:0.5:random", "perfect:0.1", "gnugo", "human")  # fmt: skip
FILES = ("patterns.yaml", "other.yaml", "link.yaml", "pipe.yaml", "game.sgf", "pipe.sgf", "link.sgf", "lost.sgf")
WORDS: dict[str, tuple[str, ...]] = {
    "against": ("disk", "record", "HEAD", *FILES),
    "black": PLAYERS,
    "code": ("P045", "p001", "all"),
    "digest": ("", "0" * 64),
    "file": FILES,
    "game": (GAME, "little-go;", f"{POSITION}; 4,4 pass", "match-9; 4,4 resign", SGF),
    "key": ("id", "when", "points", "board", "previous", "examples", "diagram", "summary", "move"),
    "move": ("2,2", "4,4", "pass", "resign", "9,9"),
    "name": ("mine", "MINE!", "a" * 200),
    "player": PLAYERS,
    "points": ("5", "size(A) + 1", "1 +"),
    "position": (POSITION, "...../...../...../...../.....", "." * 5, "X/O", "match-9"),
    "symbol": ("X", "O", ".", "*", "?", "XX"),
    "text": (SGF, GAME, "X . .\n. . .\n. . .\n", '{"moves": [[2, 2]]}'),
    "until": ("", "black", "white", "both"),
    "white": PLAYERS,
}
FEW = 2  # number of events taken from a job: the first event is often sent before the work begins
SLOW, SELDOM = (
    {
        "accept",
        "propose",
        "slide",
        "unpinned",
        "boards",
        "coverage",
        "coverage_page",
        "flips",
        "prepare",
        "solve",
        "truth",
    },
    0.02,
)
PATHS = "state", "events", "ask", "edit", "open", "save", "reload", "unsaved", "merge", "jobs/1", "jobs/1/events", "x"


# -- requests --------------------------------------------------------------------------------------------------


@cache
def _patterns() -> tuple[str, ...]:
    text = TUTORIAL.read_text(encoding="utf-8")
    return tuple(line.split("id: ")[1] for line in text.splitlines() if "- id: " in line)


def value_of(kind: Any, name: str, rng: Random) -> Any:
    """Return a random value for a parameter, usually of the parameter's type but sometimes of any type.

    kind: the parameter's type. name: the parameter's name, which selects typical strings.
    """
    if rng.random() < 0.08:
        return rng.choice([*VALUES, *ODD])
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return value_of(rng.choice(inner), name, rng)
    if origin is typing.Literal:
        return rng.choice(inner)
    if origin is list:
        return [value_of(inner[0], name, rng) for _ in range(rng.randrange(4))]
    if origin is dict:
        return {rng.choice(ODD): value_of(inner[1], name, rng) for _ in range(rng.randrange(3))}
    if kind is str:
        words = _patterns() if name == "pattern" else WORDS.get(name, ODD)
        return rng.choice(words) if rng.random() < 0.85 else rng.choice(ODD)
    choices: Mapping[Any, tuple[Any, ...]] = {int: INTEGERS, float: FLOATS, bool: (True, False), type(None): (None,)}
    return rng.choice(choices.get(kind, VALUES))


def parameters_of(method: Method, rng: Random) -> dict[str, Any]:
    """Return random parameters of a method or job; optional parameters are often omitted."""
    return {
        name: value_of(kind, name, rng)
        for name, (parameter, kind) in method.parameters().items()
        if rng.random() < (0.97 if parameter.default is parameter.empty else 0.4)
    }


@cache
def _names(table: str) -> tuple[str, ...]:
    """Return the names of the methods or jobs that the package `littlego` defines."""
    load_answers()
    methods = {"methods": METHODS, "jobs": JOBS}[table].values()
    return tuple(one.name for one in methods if one.function.__module__.startswith("littlego."))


def request_of(rng: Random) -> bytes:
    """Return a random request."""
    methods, kind = _names("methods"), rng.random()
    if kind < 0.6:
        name = _choice(methods, rng)
        return _text("POST", f"ask/{name}", {"revision": 1, **parameters_of(METHODS[name], rng)})
    if kind < 0.8:
        name = _choice(_names("jobs"), rng)
        return _text("POST", f"jobs/{name}", parameters_of(JOBS[name], rng))
    asked = [
        {"method": name, "parameters": parameters_of(METHODS[name], rng)}
        for name in (_choice(methods, rng) for _ in range(2))
    ]
    change = {"from": value_of(int, "", rng), "to": value_of(int, "", rng), "insert": rng.choice([*ODD, "#", "\n"])}
    body = {
        "revision": value_of(int, "", rng) if rng.random() < 0.3 else 1,
        "changes": [change] if rng.random() < 0.8 else value_of(Any, "", rng),
        "asks": [asked] if rng.random() < 0.5 else asked,
        "file": value_of(str, "file", rng),
        "digest": value_of(str, "digest", rng),
    }
    return _text(rng.choice(["POST", "POST", "POST", "GET", "DELETE", "PUT"]), rng.choice(PATHS), body)


def _choice(names: tuple[str, ...], rng: Random) -> str:
    """Return a random name; the names of slow methods are rare."""
    return rng.choice([name for name in names if name not in SLOW or rng.random() < SELDOM])


def _text(method: str, path: str, body: Any) -> bytes:
    return f"{method} /api/{path}\n{json.dumps(body)}".encode()


def drawn_again(data: bytes) -> bytes:
    """Return the bytes unchanged, or a random request generated with the bytes as the seed.

    The bytes stay unchanged if the body is a JSON object and the number of bytes is odd.
    """
    try:
        if isinstance(json.loads(data.partition(b"\n")[2]), dict) and len(data) % 2:
            return data
    except (ValueError, RecursionError):
        pass
    return request_of(Random(data))


# -- the studio ------------------------------------------------------------------------------------------------


class _Worker(Worker):
    """A studio worker that runs methods in this process. faults: a list to which unexpected errors are appended."""

    def __init__(self, name: str, snapshot: Callable[[], Snapshot], faults: list[Exception]) -> None:
        super().__init__(name, snapshot)
        self.faults = faults

    def close(self) -> None:
        """Do nothing: no process runs."""

    async def _find(self, request: Any) -> dict[str, Any]:
        snapshot = self._text_of(request.revision)
        return _in_process(request.method, snapshot, request.parameters, self.faults)


def _in_process(
    method: Method, snapshot: Snapshot, parameters: Mapping[str, Any], faults: list[Exception]
) -> dict[str, Any]:
    """Return a method's answer, or a job's first events; raise Refusal if the method or job fails."""
    _session().take(snapshot)
    try:
        if method.name in METHODS:
            answer: dict[str, Any] = method.function(_session(), **parameters)
            return answer
        with closing(method.function(_session(), **parameters)) as events:
            return {"events": list(islice(events, FEW))}
    except TooLong:
        if method.lane == QUICK:
            raise
        raise Refusal("stale", "slow") from None  # in the studio, a newer request or the user can interrupt the method
    except Exception as error:
        refusal = refusal_of(error, method.name)
        if refusal.code == "failed":
            faults.append(error)
        raise refusal from None


@cache
def _session() -> Session:
    return Session()


class _Jobs:
    """Jobs of a studio that run in this process and stop after their second event."""

    def __init__(self, faults: list[Exception]) -> None:
        self.faults = faults

    def start(self, page: str, kind: str, snapshot: Snapshot, parameters: dict[str, Any]) -> Any:
        method = find(JOBS, kind)
        _in_process(method, snapshot, method.checked(parameters), self.faults)
        return types.SimpleNamespace(number=1)

    def find(self, number: int) -> Any:
        raise Refusal("unknown", f"there is no job {number}")

    def end(self) -> None:
        """Do nothing: no job runs."""

    close = end


_kept: dict[str, list[Any]] = {}  # folder -> the state of its files


def _fresh_folder() -> Path:
    """Return the path of the patterns file in a studio folder that no request has changed.

    The function builds the folder on the first call, and rebuilds it if the last request changed a file.
    """
    folder = os.getcwd()
    if _kept.get(folder) != _state_of_files():
        _make_folder()
        _kept.clear()
        _kept[folder] = _state_of_files()
    return Path(MINE, "patterns.yaml").absolute()


def _state_of_files() -> list[Any]:
    found = [path for name in (MINE, OUTSIDE, "drafts") for path in Path(name).glob("*")]
    return [(path, path.lstat().st_mtime_ns, path.lstat().st_ino) for path in sorted(found)]


def _make_folder() -> None:
    """Build the studio's folder, with links and pipes, and a second folder that the studio must not touch."""
    for name in (MINE, OUTSIDE, "drafts"):
        shutil.rmtree(name, ignore_errors=True)
    mine, outside = Path(MINE).absolute(), Path(OUTSIDE).absolute()
    for folder in (mine, outside):
        folder.mkdir()
    (outside / "secret.yaml").write_bytes(SECRET)
    shutil.copy(TUTORIAL, mine / "patterns.yaml")
    shutil.copy(TUTORIAL, mine / "other.yaml")
    (mine / "game.sgf").write_text(SGF)
    for name in ("link.yaml", "link.sgf", "patterns.txt"):
        (mine / name).symlink_to(outside / "secret.yaml")
    for name in ("pipe.yaml", "pipe.sgf"):
        os.mkfifo(mine / name)


def send_request(data: bytes) -> str:
    """Send a request to a new studio; return the text of the answer.

    If the studio fails, raise Violation or the studio's unexpected error.
    """
    line, _, body = data.partition(b"\n")
    method, _, path = line.decode("latin-1").partition(" ")
    errors, faults = io.StringIO(), list[Exception]()
    file = _fresh_folder()
    with redirect_stderr(errors), _watched():
        studio = Studio(file, Drafts(Path("drafts").absolute()), lanes=partial(_lanes, faults))
        try:
            status, answer = asyncio.run(_ask(make_app(studio, TOKEN), method, path, body))
        except TooLong:
            if not _is_slow(path):
                raise
            status, answer = 0, "slow"
        studio.drafts.close()
        for worker in studio.lanes.workers.values():
            worker.close()
    if faults:
        raise faults[0]
    _check_answer(status, answer, errors.getvalue())
    return answer if answer.isascii() else ascii(answer)


def _lanes(faults: list[Exception], snapshot: Callable[[], Snapshot]) -> Lanes:
    return Lanes({lane: _Worker(lane, snapshot, faults) for lane in LANES}, _Jobs(faults))


def _is_slow(path: str) -> bool:
    """Return whether a path names a slow method or job, which the page can cancel."""
    name = path.rpartition("/")[2]
    method = METHODS.get(name) or JOBS.get(name)
    return method is not None and method.lane != QUICK


def _check_answer(status: int, answer: str, errors: str) -> None:
    """Raise Violation if the studio failed, or if it changed or sent a file outside its folder."""
    is_traceback = "Traceback" in errors and TooLong.__name__ not in errors  # Python ignores a TooLong in a finalizer
    if status >= 500 and "the studio is stopping" not in answer or is_traceback:
        raise Violation(f"status {status}: {answer[:200]} {errors[-300:]}")
    secret = Path(OUTSIDE, "secret.yaml")
    if list(Path(OUTSIDE).iterdir()) != [secret] or secret.read_bytes() != SECRET:
        raise Violation("a file outside the folder was changed")
    if SECRET.decode().strip() in answer:
        raise Violation("the content of a file outside the folder was sent")


async def _ask(app: Callable[..., Awaitable[None]], method: str, path: str, body: bytes) -> tuple[int, str]:
    """Send a request to an application; return (status, text) of the answer.

    If the answer is a stream of events, the text contains only the first event.
    """
    head = {"host": HOST, "x-studio-token": TOKEN, "content-type": "application/json", "content-length": str(len(body))}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("latin-1"),
        "query_string": b"",
        "server": ("127.0.0.1", 80),
        "headers": [(name.encode(), value.encode()) for name, value in head.items()],
    }
    left, sent, status = asyncio.Event(), [body], 0
    parts: list[bytes] = []

    async def receive() -> dict[str, Any]:
        if sent:
            return {"type": "http.request", "body": sent.pop(), "more_body": False}
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))
        if path.endswith("events") and parts[-1]:
            left.set()

    await app(scope, receive, send)
    return status, b"".join(parts).decode("utf-8", "replace")


# -- files and programs ----------------------------------------------------------------------------------------

_is_watching = _has_hook = False
_seen: list[str] = []


class _watched:
    """A context manager that raises Violation at the end if the `with` block performed a forbidden action.

    Forbidden actions are starting a program other than git, connecting a socket, opening /etc/passwd, and changing
    files in the folder OUTSIDE or in any folder outside the current folder and the cache.
    """

    def __enter__(self) -> None:
        global _is_watching, _has_hook
        if not _has_hook:
            sys.addaudithook(_audit)
            _has_hook = True
        _seen.clear()
        _is_watching = True

    def __exit__(self, *error: object) -> None:
        global _is_watching
        _is_watching = False
        if _seen:
            raise Violation(_seen[0])


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if not _is_watching:
        return
    if event == "open" and isinstance(arguments[0], str | bytes) and isinstance(arguments[2], int):
        path, is_written = os.fsdecode(arguments[0]), arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if is_written and not _is_allowed(path):
            _seen.append(f"writes {path}")
        if path == "/etc/passwd":
            _seen.append(f"opens {path}")
    elif event in ("os.rename", "os.remove", "os.mkdir", "os.symlink") and not _is_allowed(os.fsdecode(arguments[0])):
        _seen.append(f"{event} {arguments[0]!r}")
    elif event == "subprocess.Popen" and os.path.basename(os.fsdecode(arguments[0])) != "git":
        _seen.append(f"starts {arguments[0]!r}")
    elif event in ("os.system", "os.exec", "os.posix_spawn", "socket.connect"):
        _seen.append(f"{event} {arguments!r}"[:200])


def _is_allowed(path: str) -> bool:
    """Return whether the studio is allowed to write a file."""
    if path == os.devnull or os.path.basename(os.path.dirname(path)) == "__pycache__":  # of lazy imports
        return True
    full = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(path))), os.path.basename(path))
    return (
        any(Path(full).is_relative_to(folder) for folder in (os.getcwd(), FOLDER)) and f"{os.sep}{OUTSIDE}" not in full
    )


STUDIO = (
    Target(
        "studio",
        "a request to the studio",
        lambda: [request_of(Random(number)) for number in range(300)],
        send_request,
        tuple(json.dumps(word).encode() for word in (*ODD, *PLAYERS, *FILES)),
        drawn_again,
    ),
)
