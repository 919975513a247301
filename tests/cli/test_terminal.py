"""Tests of printed text: sentences wrapped for narrow terminals, and rich's output to a pipe."""

from __future__ import annotations

import io
import os
import re
import sys

import pytest
from rich.table import Table
from rich.text import Text

from littlego.cli.terminal import Fitting, console, terminal_columns, wrap_text
from littlego.printable import PrintableFile

SENTENCE = "An atari makes them answer; prefer the one on more stones, and then the one that leaves most liberties."


@pytest.mark.parametrize("terminal, wanted", [(50, 50), (80, 80), (200, 80)])
def test_a_terminal_is_filled_up_to_80_columns(monkeypatch, terminal, wanted):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda fallback: os.terminal_size((terminal, 24)))
    lines = wrap_text("why: ", SENTENCE).splitlines()
    assert terminal_columns() == wanted and max(map(len, lines)) <= wanted
    assert " ".join(line[5:] for line in lines) == SENTENCE and lines[1].startswith("     ")


def test_a_pipe_gets_80_columns_whatever_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert terminal_columns() == 80


def test_nothing_to_say_is_the_head_alone():
    assert wrap_text("    name   ", "") == "    name   "


HEADS = ("name", "number")


def test_lines_end_with_what_is_seen(capsys):
    table = Table(box=None, pad_edge=False)
    for head in ("a", "b"):
        table.add_column(head)
    table.add_row("1", "")
    table.add_row("", Text("22", "red"))
    console().print(table)
    assert capsys.readouterr().out == "a  b\n1\n   22\n"


def test_options_are_those_of_rich(capsys):
    console(markup=True).print("[red]1[/]   ")
    assert capsys.readouterr().out == "1\n"


def test_what_strangers_wrote_is_neither_markup_nor_emoji(capsys):
    table = Table("[red]a[/]", box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_row(":smile:")
    console().print("[link=x]1[/]", table)
    assert capsys.readouterr().out == "[link=x]1[/]\n[red]a[/]\n:smile:\n"


def test_a_console_colours_a_terminal_but_not_for_strangers():
    """The test covers styled text, a table's title and cells, and plain strings."""
    file, hostile = PrintableFile(io.StringIO()), "\x1b[2J\x1b[8mé\u202e"
    screen = console(file, force_terminal=True, color_system="standard", width=80)
    table = Table(hostile, box=None)
    table.add_row(hostile)
    screen.print(Text(hostile, "green"), table, hostile)
    said = file.getvalue()
    shown = "\\x1b[2J\\x1b[8mé\\u202e"
    assert said.count(shown) == 4 and "\x1b[32m" + shown in said
    assert set(re.findall(r"\x1b\[[^a-zA-Z]*(.)", said)) == {"m"} and "\x1b[8m" not in said


@pytest.mark.parametrize("columns, shown", [(12, "name number\n"), (11, "name number\n"), (10, "name\n")])
def test_a_table_too_wide_for_the_terminal_makes_room_for_the_narrow_one(capsys, columns, shown):
    full, narrow = (Table(*heads, box=None, padding=(0, 1, 0, 0), pad_edge=False) for heads in (HEADS, HEADS[:1]))
    console(width=columns).print(Fitting(full, narrow))
    assert capsys.readouterr().out == shown
