"""Tests of the protocol without a game: lines, answers, and exactly one answer per command."""

import re
import threading
import time

import pytest
from gtp_talk import answers_of, reader, split_answers
from hypothesis import given
from hypothesis import strategies as st

from littlego.players.gtp.protocol import LONGEST_LINE, MOST_WAITING, Engine, GtpError, Lines, Request, parse_request


def fail(session, arguments):
    raise GtpError("as asked")


def crash(session, arguments):
    return str(1 // int(arguments[0]))


def tell_twice(session, arguments, write, pending):
    write("info one")
    write("info two\n\nthree")
    if arguments:
        crash(session, arguments)


def watch(session, arguments, write, pending):
    write("info one")
    session.append(pending())


HANDLERS = {
    "echo": lambda session, arguments: " ".join(arguments),
    "lines": lambda session, arguments: "one\n\n  \ntwo\n\n",
    "drawn": lambda session, arguments: "\n   A B\n 2 . .",
    "steer": lambda session, arguments: "\x1b[2J\u202e\udcff",
    "fail": fail,
    "crash": crash,
}
STREAMS = {"tell": tell_twice, "watch": watch, "fail_first": lambda session, words, write, pending: fail([], [])}


@pytest.fixture
def said():
    return []


@pytest.fixture
def engine(said):
    return Engine([], HANDLERS, STREAMS, said.append)


def ask(engine, *lines):
    return answers_of(engine, [line.encode() for line in lines])


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("play b C3", Request("", "play", ["b", "C3"])),
        ("12 play b C3\r", Request("12", "play", ["b", "C3"])),
        ("  12\tplay   b\tC3  ", Request("12", "play", ["b", "C3"])),
        ("7play b", Request("7", "play", ["b"])),  # as GNU Go reads it
        ("pl\x01ay\x7f b\x00", Request("", "play", ["b"])),
        ("name # of the engine", Request("", "name", [])),
        ("-1 name", Request("", "-1", ["name"])),
        ("5", Request("5", "", [])),
        ("", None),
        (" \t\r", None),
        ("# all of it", None),
        ("  # too", None),
    ],
)
def test_a_line_is_read_as_the_specification_says(line, request_):
    assert parse_request(line) == request_


def test_an_answer_has_the_id_of_its_command(engine):
    assert ask(engine, "echo a", "0012 echo a b", "3 fail", "fail", "4 nothing", "echo", "5 echo", "6") == [
        *("= a", "=0012 a b", "?3 as asked", "? as asked"),
        *("?4 unknown command", "=", "=5", "?6 unknown command"),
    ]


def test_what_is_no_command_gets_no_answer(engine):
    assert ask(engine, "", "# a comment", "\r", "echo on") == ["= on"]


def test_no_blank_line_is_within_an_answer(engine):
    assert ask(engine, "lines", "drawn", "1 lines") == ["= one\ntwo", "=\n   A B\n 2 . .", "=1 one\ntwo"]


def test_what_would_steer_a_terminal_is_escaped(engine):
    assert ask(engine, "steer", "echo \u202e") == ["= \\x1b[2J\\u202e\\udcff", "= \\u202e"]


def test_a_fault_within_a_command_is_one_answer_and_one_line(engine, said):
    assert ask(engine, "9 crash 0", "crash x", "echo on") == [
        "?9 internal error: ZeroDivisionError: integer division or modulo by zero",
        "? internal error: ValueError: invalid literal for int() with base 10: 'x'",
        "= on",
    ]
    assert [re.sub(r"line \d+", "line N", line) for line in said] == [
        "crash failed in crash line N: ZeroDivisionError: integer division or modulo by zero",
        "crash failed in crash line N: ValueError: invalid literal for int() with base 10: 'x'",
    ]


def test_quit_is_answered_and_nothing_after_it(engine):
    assert ask(engine, "1 quit", "echo on") == ["=1"]


def test_the_end_of_the_input_is_as_good_as_quit(engine):
    written = []
    engine.run(Lines(reader(b"echo a\necho b")), written.append)  # the last line has no line end
    assert split_answers("".join(written)) == ["= a", "= b"]
    assert ask(engine) == []


def test_commands_about_commands(engine):
    names = ask(engine, "list_commands")[0].removeprefix("= ").splitlines()
    assert names == sorted(names) and {"echo", "watch", "quit", "list_commands", "protocol_version"} <= set(names)
    assert ask(engine, "protocol_version", "known_command echo", "known_command watch", "known_command") == [
        *("= 2", "= true", "= true", "= false")
    ]
    assert set(ask(engine, *(f"known_command {name}" for name in names))) == {"= true"}


@pytest.mark.parametrize("at_once", [1, 7, 65_536])
def test_it_does_not_matter_in_which_pieces_the_input_comes(engine, at_once):
    written = []
    engine.run(Lines(reader(b"1 echo a\r\n\n2 echo b # c\nquit\n", at_once)), written.append)
    assert split_answers("".join(written)) == ["=1 a", "=2 b", "="]


def test_a_stream_is_one_answer(engine, said):
    assert ask(engine, "7 tell", "tell", "echo on") == [
        *("=7\ninfo one\ninfo two\nthree", "=\ninfo one\ninfo two\nthree", "= on")
    ]
    assert ask(engine, "7 tell 0", "echo on") == ["=7\ninfo one\ninfo two\nthree", "= on"]
    assert ask(engine, "8 fail_first") == ["?8 as asked"]
    assert len(said) == 1 and said[0].startswith("tell failed in crash")


class Pipe:
    """Input of an engine that arrives when the test sends it."""

    def __init__(self):
        self.data, self.changed = [], threading.Condition()

    def put(self, data):
        with self.changed:
            self.data.append(data)
            self.changed.notify()

    def __call__(self):
        with self.changed:
            self.changed.wait_for(lambda: self.data)
            return self.data.pop(0)


@pytest.mark.parametrize("ending", [b"echo on\n", b"\n", b"# any line\n", b""], ids=["command", "blank", "note", "end"])
def test_any_input_ends_a_stream_and_is_then_answered_itself(said, ending):
    seen, written, pipe = [], [], Pipe()
    begun = threading.Event()

    def write(text):
        written.append(text)
        begun.set()

    engine = Engine(seen, HANDLERS, STREAMS, said.append)
    running = threading.Thread(target=engine.run, args=(Lines(pipe), write))
    running.start()
    pipe.put(b"3 watch\n")
    assert begun.wait(20)
    assert written == ["=3\ninfo one\n"] and not seen
    pipe.put(ending)
    pipe.put(b"")
    running.join(20)
    assert not running.is_alive() and seen == [True]
    assert split_answers("".join(written)) == ["=3\ninfo one", *(["= on"] if b"echo" in ending else [])]


def test_pending_waits_no_longer_than_asked():
    pipe = Pipe()
    lines = Lines(pipe)
    assert lines.pending(0.01) is False
    pipe.put(b"a\nb")
    assert lines.pending() is True and lines.next() == b"a"
    assert lines.pending(0.01) is False  # `b` has no line end yet
    pipe.put(b"")
    assert lines.pending() is True and lines.next() == b"b" and lines.next() is None


def test_a_line_too_long_is_one_error_and_is_not_kept(engine):
    longest = b"1 echo " + b"a" * (LONGEST_LINE - 7)
    answers = answers_of(engine, [longest, longest + b"a", b"2 echo " + b"a" * 10**7, b"echo b #" + b"c" * 10**6])
    assert answers[0] == "=1 " + "a" * (LONGEST_LINE - 7)
    refused = f"line too long: expected at most {LONGEST_LINE} bytes"
    assert answers[1:] == [f"?1 {refused}", f"?2 {refused}", "= b"]


def test_no_more_is_read_ahead_than_there_is_room_for():
    given = []

    def read():
        given.append(1)
        return b"echo a\n" * 1000

    lines = Lines(read)
    assert lines.pending()
    for _ in range(200):  # wait until the reading thread blocks, with its data unchanged
        before = len(given)
        time.sleep(0.02)
        if len(given) == before and before > 10:
            break
    assert len(given) * 7000 <= MOST_WAITING + 2 * 7000
    assert lines.next() == b"echo a"


@given(st.lists(st.binary(max_size=60).filter(lambda line: b"\n" not in line), max_size=20))
def test_each_line_that_is_a_command_gets_one_answer_whatever_its_bytes(lines):
    engine = Engine([], HANDLERS, {}, lambda text: None)
    requests = [parse_request(line.decode("utf-8", "surrogateescape")) for line in lines]
    expected = [request for request in requests if request is not None]
    quits = [number for number, request in enumerate(expected) if request.name == "quit"]
    expected = expected[: quits[0] + 1] if quits else expected
    answers = answers_of(engine, lines)
    assert [re.match("[=?]([0-9]*)", answer)[1] for answer in answers] == [request.id for request in expected]
