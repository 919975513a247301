"""Sentences are broken where a narrow terminal ends, and never later than at 80 columns."""

import os
import sys

import pytest

from tools.draw.columns import columns, wrapped

SENTENCE = "An atari makes them answer; prefer the one on more stones, and then the one that leaves most liberties."


@pytest.mark.parametrize("terminal, wanted", [(50, 50), (80, 80), (200, 80)])
def test_a_terminal_is_filled_up_to_80_columns(monkeypatch, terminal, wanted):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda fallback: os.terminal_size((terminal, 24)))
    lines = wrapped("why: ", SENTENCE).splitlines()
    assert columns() == wanted and max(map(len, lines)) <= wanted
    assert " ".join(line[5:] for line in lines) == SENTENCE and lines[1].startswith("     ")


def test_a_pipe_gets_80_columns_whatever_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert columns() == 80


def test_nothing_to_say_is_the_head_alone():
    assert wrapped("    name   ", "") == "    name   "
