"""Tests of clocked games at a real terminal: flag fall at the prompt, clean exit, restored terminal."""

import contextlib
import os
import pty
import select
import signal
import sys
import termios
import time

import pytest

from littlego.players.keyboard import LONGEST_LINE, TimeoutReached, ask_within

PATIENCE = 60  # seconds before a hanging program is killed; far more than a normal run needs
PLAY = ["play", "--ruleset", "match", "--size", "5", "--black", "human", "--white", "random"]


def at_a_terminal(words, *typed):
    """Run a littlego command at a pseudo-terminal, and type the next text at each prompt for a move.

    Return (exit status, output).
    """
    child, terminal = pty.fork()
    if not child:
        os.environ["COLUMNS"] = "80"
        os.execv(sys.executable, [sys.executable, "-m", "littlego", *words])
    flags, shown, waiting = termios.tcgetattr(terminal)[3], "", list(typed)
    asked, until = 0, time.monotonic() + PATIENCE
    with contextlib.suppress(OSError):  # Linux reports the closed terminal as an error
        while time.monotonic() < until:
            if not select.select([terminal], [], [], 0.1)[0]:
                continue
            shown += os.read(terminal, 65536).decode()
            if waiting and shown.count("Your move") > asked and shown.rstrip(" ").endswith(":"):
                asked = shown.count("Your move")
                time.sleep(0.3)  # wait: a signal that arrives before input() reads takes effect only with the next line
                os.write(terminal, waiting.pop(0))
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert termios.tcgetattr(terminal)[3] == flags  # echo and line mode are restored
    os.close(terminal)
    return status, shown.replace("\r\n", "\n")


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch, pytestconfig):
    monkeypatch.chdir(pytestconfig.rootpath)


def test_the_flag_falls_at_the_prompt_and_the_program_ends_by_itself():
    status, shown = at_a_terminal([*PLAY, "--minutes", "0.02"], b"1,")
    assert status == 0 and "Your move (0:02 left): 1,\n" in shown
    end = "White (random) wins. Black lost: its time is up. (as it stood: Black 0, White 0 + 6.5 = 6.5)\n"
    assert shown.partition("left): 1,\n")[2] == f"\n{end}"


def test_a_clocked_game_is_played_to_its_count_by_lines_typed_ahead():
    """The second typed line waits in the terminal until the game prompts for it."""
    status, shown = at_a_terminal([*PLAY, "--white", "human", "--minutes", "10"], b"c3\npass\n", b"pass\n")
    assert status == 0 and " 1. Black (X, human): 2,2  10:00 left\n 2." not in shown
    assert "Black (human) 1 24 1 26 White (human) 0 0 1 6.5 7.5 " in " ".join(shown.split())


@pytest.mark.parametrize("minutes", [[], ["--minutes", "10"]])
def test_ctrl_c_ends_the_program_and_ctrl_d_resigns(minutes):
    status, shown = at_a_terminal([*PLAY, *minutes], b"\x03")
    assert status == 130 and shown.endswith("\ninterrupted\n") and "Traceback" not in shown
    status, shown = at_a_terminal([*PLAY, *minutes], b"\x04")
    assert status == 0 and "White (random) wins. (Black resigned; " in shown


@pytest.fixture
def keyboard(monkeypatch):
    """Replace standard input by a pipe, and return the writing end of the pipe."""
    read, write = os.pipe()
    with open(read, encoding="utf-8") as reader, open(write, "wb", buffering=0) as writer:
        monkeypatch.setattr(sys, "stdin", reader)
        yield writer


def test_a_line_at_a_time_is_read(keyboard, capsys):
    keyboard.write("2,3\nmün\r\n\xff".encode() + b"\xff\n\nlast")
    keyboard.close()
    assert [ask_within("> ", 9) for _ in range(4)] == ["2,3", "mün", "ÿ\ufffd", ""]
    assert ask_within("> ", 9) == "last" and capsys.readouterr().out == "> " * 5
    with pytest.raises(EOFError):
        ask_within("> ", 9)


def test_a_line_without_end_is_cut(keyboard):
    keyboard.write(b"x" * 5000 + b"\npass\n")
    assert ask_within("> ", 9) == "x" * LONGEST_LINE and ask_within("> ", 9) == "pass"


def test_what_comes_too_late_is_left_for_whoever_reads_next(keyboard):
    with pytest.raises(TimeoutReached):
        ask_within("> ", 0.01)
    keyboard.write(b"pass\n")
    assert ask_within("> ", 0) == "pass"
    with pytest.raises(TimeoutReached):
        ask_within("> ", -1)
