"""What rich prints to a pipe: lines without blanks at their ends, and no colour."""

from __future__ import annotations

from rich.table import Table

from tools.draw.console import console


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
