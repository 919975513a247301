"""The Go Text Protocol, version 2, apart from any game: lines come in, each command gets exactly one answer.

Source: the draft of the specification of version 2 of 2002, and GNU Go, its reference. A line is `[id] command
arguments`; control characters in it count for nothing, a tab is a space, `#` begins a comment, blank lines are no
commands. An answer is `=[id] text` or `?[id] message`, and a blank line ends it, so none is within it. The end of the
input means quit.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping
from threading import Condition, Thread
from traceback import extract_tb
from typing import Generic, NamedTuple, TypeVar

from littlego.printable import printable

VERSION = "2"
LONGEST_LINE = 65_536  # bytes; loadsgf and a handicap on 19x19 take a hundredth of that
MOST_WAITING = 1_000_000  # bytes of lines read ahead; then whoever writes them waits
LONGEST_MESSAGE = 500  # characters of an error
_REQUEST = re.compile(r"\s*([0-9]+)?\s*(\S*)\s*(.*)")
_IGNORED = {code: None for code in (*range(32), 127) if chr(code) != "\t"} | {ord("\t"): " "}

Session = TypeVar("Session")
Handler = Callable[[Session, list[str]], str]
Write = Callable[[str], None]
Pending = Callable[..., bool]
# Writes its answer line by line, for as long as no input comes: `pending(seconds)` waits for some, or for the end of
# all input, at most so many seconds, without an argument as long as it takes, and returns whether it has come.
StreamHandler = Callable[[Session, list[str], Write, Pending], None]


class GtpError(Exception):
    """A command that cannot be done; the text is what the answer says."""


class Request(NamedTuple):
    """A command as it was asked: its id as it was written, '' where it has none; its name and its arguments."""

    id: str
    name: str
    arguments: list[str]


def parse_request(line: str) -> Request | None:
    """Return what a line asks, None where it is blank or a comment."""
    found = _REQUEST.fullmatch(line.translate(_IGNORED).partition("#")[0])
    assert found is not None  # each part of it may be missing
    if not found[1] and not found[2]:
        return None
    return Request(found[1] or "", found[2], found[3].split())


def format_answer(request: Request, text: str) -> str:
    """Return the answer of a command that worked. text: lines; blank ones within it are left out."""
    first, *others = printable(text, lines=True).split("\n")
    return "\n".join([f"={request.id} {first}".rstrip(), *_without_blank(others)]) + "\n\n"


def _without_blank(lines: list[str]) -> list[str]:
    return [line.rstrip() for line in lines if line.strip()]


def format_error(request: Request, message: str) -> str:
    """Return the answer of a command that did not work."""
    return f"?{request.id} {printable(message)[:LONGEST_MESSAGE]}\n\n"


class Lines:
    """The lines of an input, read by a thread of its own: what thinks can then be told that one has come.

    read: returns the bytes that come next, at least one, b"" at the end. A line longer than LONGEST_LINE is cut.
    """

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read
        self._waiting: deque[bytes] = deque()
        self._bytes = 0  # of those
        self._ended = False
        self._changed = Condition()
        Thread(target=self._follow, name="input", daemon=True).start()

    def next(self) -> bytes | None:
        """Return the next line without its end, as soon as there is one; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ended)
            if not self._waiting:
                return None
            line = self._waiting.popleft()
            self._bytes -= len(line) + 1
            self._changed.notify_all()
            return line

    def pending(self, seconds: float | None = None) -> bool:
        """Wait at most so many seconds, or as long as it takes; return whether a line or the end has come."""
        with self._changed:
            return bool(self._changed.wait_for(lambda: self._waiting or self._ended, seconds))

    def _follow(self) -> None:
        begun = b""
        try:
            while data := self._read():
                *whole, begun = (begun + data).split(b"\n")
                for line in whole:
                    self._put(line[: LONGEST_LINE + 1])
                begun = begun[: LONGEST_LINE + 1]
        except (OSError, ValueError):  # whoever wrote has gone, or the file is closed
            pass
        if begun:
            self._put(begun)
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _put(self, line: bytes) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._bytes < MOST_WAITING)
            self._waiting.append(line)
            self._bytes += len(line) + 1
            self._changed.notify_all()


class Engine(Generic[Session]):
    """Answers commands with the handlers of a session.

    It knows the four commands that are about commands alone itself, and quit. write: gets whole answers, and each line
    of a stream; it must not keep them back. tell: gets a line for whoever runs the engine.
    """

    def __init__(
        self,
        session: Session,
        handlers: Mapping[str, Handler[Session]],
        streams: Mapping[str, StreamHandler[Session]],
        tell: Callable[[str], None],
    ) -> None:
        self._session = session
        self._streams = streams
        self._tell = tell
        self._handlers: dict[str, Handler[Session]] = {
            **handlers,
            "protocol_version": lambda session, arguments: VERSION,
            "known_command": lambda session, arguments: "true" if self.knows(arguments[:1]) else "false",
            "list_commands": lambda session, arguments: "\n".join(self.names()),
            "quit": lambda session, arguments: "",
        }

    def names(self) -> list[str]:
        """Return all commands in order."""
        return sorted({*self._handlers, *self._streams})

    def knows(self, names: list[str]) -> bool:
        """Return whether there is a name, and it is that of a command."""
        return bool(names) and (names[0] in self._handlers or names[0] in self._streams)

    def run(self, lines: Lines, write: Write) -> None:
        """Answer line after line until `quit` or the end."""
        while (line := lines.next()) is not None:
            if not self.answer(line, write, lines.pending):
                return

    def answer(self, line: bytes, write: Write, pending: Pending = lambda seconds=None: True) -> bool:
        """Answer one line, if it is a command; return whether another may follow."""
        text = line.decode("utf-8", "surrogateescape")  # a file's name may be any bytes
        request = parse_request(text)
        if request is None:
            return True
        if len(line) > LONGEST_LINE and "#" not in text:
            write(format_error(request, f"line too long: expected at most {LONGEST_LINE} bytes"))
        elif request.name in self._streams:
            self._stream(request, write, pending)
        else:
            write(self._answer_whole(request))
        return request.name != "quit"

    def _answer_whole(self, request: Request) -> str:
        handler = self._handlers.get(request.name)
        if handler is None:
            return format_error(request, "unknown command")
        try:
            return format_answer(request, handler(self._session, request.arguments))
        except GtpError as error:
            return format_error(request, str(error))
        except Exception as error:  # a fault of ours must not take the front end's game away
            return format_error(request, self._describe_crash(request, error))

    def _stream(self, request: Request, write: Write, pending: Pending) -> None:
        """Answer with lines as they are written; the first comes with the `=`, as a blank one would end all."""
        begun = False

        def write_line(line: str) -> None:
            nonlocal begun
            for text in _without_blank(printable(line, lines=True).split("\n")):
                write(f"{text}\n" if begun else f"={request.id}\n{text}\n")
                begun = True

        message = ""
        try:
            self._streams[request.name](self._session, request.arguments, write_line, pending)
        except GtpError as error:
            message = str(error)
        except Exception as error:  # as above
            message = self._describe_crash(request, error)
        if begun:
            write("\n")
        else:
            write(format_error(request, message) if message else format_answer(request, ""))

    def _describe_crash(self, request: Request, error: Exception) -> str:
        place = extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error}"[:LONGEST_MESSAGE]
        self._tell(f"{request.name[:40]} failed in {place.name} line {place.lineno}: {what}")
        return f"internal error: {what}"
