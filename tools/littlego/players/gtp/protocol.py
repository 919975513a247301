"""The Go Text Protocol, version 2, for any game: each command line gets exactly one answer.

Source: the 2002 draft specification of version 2, and GNU Go, the reference implementation. A line is `[id] command
arguments`. A tab is treated as a space, other control characters are ignored, `#` begins a comment, and blank lines are
skipped. An answer is `=[id] text` or `?[id] message`. A blank line ends the answer, so the text contains no blank line.
The end of the input has the effect of `quit`.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Mapping
from threading import Condition, Thread
from traceback import extract_tb
from typing import Generic, NamedTuple, TypeVar

from littlego.printable import printable

VERSION = "2"
LONGEST_LINE = 65_536  # bytes; the longest commands, loadsgf and a handicap on 19x19, need a hundredth of this limit
MOST_WAITING = 1_000_000  # bytes of buffered lines; above this limit the writer has to wait
LONGEST_MESSAGE = 500  # characters of an error message
_REQUEST = re.compile(r"\s*([0-9]+)?\s*(\S*)\s*(.*)")
BYTE_ORDER_MARK = 0xFEFF  # programs on Windows write it before the first command
_IGNORED = {code: None for code in (*range(32), 127, BYTE_ORDER_MARK) if chr(code) != "\t"} | {ord("\t"): " "}

Session = TypeVar("Session")
Handler = Callable[[Session, list[str]], str]
Write = Callable[[str], None]
Pending = Callable[..., bool]
# A handler that writes its answer line by line until input arrives. `pending(seconds)` waits for a line or the end of
# the input, at most `seconds` if given, and returns whether input or the end arrived.
StreamHandler = Callable[[Session, list[str], Write, Pending], None]


class GtpError(Exception):
    """Raised if a command fails; the text is the error message in the answer."""


class Request(NamedTuple):
    """A parsed command: its id as written ('' if it has no id), its name and its arguments."""

    id: str
    name: str
    arguments: list[str]


def parse_request(line: str) -> Request | None:
    """Return the request that a line contains, or None for a blank line or a comment."""
    match = _REQUEST.fullmatch(line.translate(_IGNORED).partition("#")[0])
    assert match is not None  # every part of the pattern is optional
    if not match[1] and not match[2]:
        return None
    return Request(match[1] or "", match[2], match[3].split())


def format_answer(request: Request, text: str) -> str:
    """Return the answer to a successful command. text: the answer's lines; blank lines after line 1 are removed."""
    first, *others = printable(text, lines=True).split("\n")
    return "\n".join([f"={request.id} {first}".rstrip(), *_without_blank(others)]) + "\n\n"


def _without_blank(lines: list[str]) -> list[str]:
    return [line.rstrip() for line in lines if line.strip()]


def format_error(request: Request, message: str) -> str:
    """Return the answer to a failed command."""
    return f"?{request.id} {printable(message)[:LONGEST_MESSAGE]}\n\n"


class Lines:
    """The lines of an input, read by a separate thread so that a long computation can detect new input.

    read: a function that returns the next bytes (at least one), or b"" at the end of the input. Lines longer than
    LONGEST_LINE + 1 bytes are truncated.
    """

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read
        self._waiting: deque[bytes] = deque()
        self._bytes = 0  # bytes in the buffer
        self._ended = False
        self._changed = Condition()
        Thread(target=self._follow, name="input", daemon=True).start()

    def next(self) -> bytes | None:
        """Wait for the next line and return it without its line end; return None at the end of the input."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ended)
            if not self._waiting:
                return None
            line = self._waiting.popleft()
            self._bytes -= len(line) + 1
            self._changed.notify_all()
            return line

    def pending(self, seconds: float | None = None) -> bool:
        """Wait for a line or the end of the input, and return whether either arrived.

        seconds: the maximum number of seconds to wait, or None for no limit.
        """
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
        except (OSError, ValueError):  # the writer has ended, or the file is closed
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
    """An engine that answers the commands of one session.

    The engine itself implements protocol_version, known_command, list_commands and quit. tell: a function that prints a
    line for the person who runs the engine. write (argument of `run` and `answer`): a function that writes and flushes
    its argument, a whole answer or, for a stream, one line of the answer.
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
        """Return all command names in alphabetical order."""
        return sorted({*self._handlers, *self._streams})

    def knows(self, names: list[str]) -> bool:
        """Return whether the first name in `names` is a command; return False for an empty list."""
        return bool(names) and (names[0] in self._handlers or names[0] in self._streams)

    def run(self, lines: Lines, write: Write) -> None:
        """Answer line after line until `quit` or the end of the input."""
        while (line := lines.next()) is not None:
            if not self.answer(line, write, lines.pending):
                return

    def answer(self, line: bytes, write: Write, pending: Pending = lambda seconds=None: True) -> bool:
        """Answer a line that contains a command, and ignore any other line; return whether to read on."""
        text = line.removeprefix(BOM_UTF8).decode("utf-8", "surrogateescape")  # a file name may contain any bytes
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
        except Exception as error:  # a bug in this program must not end the front end's game
            return format_error(request, self._describe_crash(request, error))

    def _stream(self, request: Request, write: Write, pending: Pending) -> None:
        """Write the answer line by line.

        The first line is `=[id]` alone. The text starts on the next line and contains no blank line, because a blank
        line would end the answer.
        """
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
        except Exception as error:  # a bug must not end the front end's game
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
