"""What rich prints to a pipe: lines without blanks at their ends, and no colour."""

from __future__ import annotations

import pytest
from rich.table import Table

from tools.draw.console import Fitting, console

HEADS = ("name", "number")


def test_lines_end_with_what_is_seen(capsys):
    table = Table(box=None, pad_edge=False)
    for head in ("a", "b"):
        table.add_column(head)
    table.add_row("1", "")
    table.add_row("", "[red]22[/]")
    console().print(table)
    assert capsys.readouterr().out == "a  b\n1\n   22\n"


def test_options_are_those_of_rich(capsys):
    console(markup=False).print("[red]1[/]   ")
    assert capsys.readouterr().out == "[red]1[/]\n"


@pytest.mark.parametrize("columns, shown", [(12, "name number\n"), (11, "name number\n"), (10, "name\n")])
def test_a_table_too_wide_for_the_terminal_makes_room_for_the_narrow_one(capsys, columns, shown):
    full, narrow = (Table(*heads, box=None, padding=(0, 1, 0, 0), pad_edge=False) for heads in (HEADS, HEADS[:1]))
    console(width=columns).print(Fitting(full, narrow))
    assert capsys.readouterr().out == shown
