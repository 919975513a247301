"""Tests that foreign text cannot control a terminal after conversion, and that ordinary text stays."""

from __future__ import annotations

import io
import sys
import unicodedata

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlego.printable import PrintableFile, own_file, printable, printable_output


@pytest.mark.parametrize(
    "found, shown",
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("a\rb\x08c\x7f", "a\\rb\\x08c\\x7f"),
        ("line 1\nline 2\t", "line 1\\nline 2\\t"),
        ("\x9b31m", "\\x9b31m"),  # the C1 form of ESC [
        ("\u202eabc\u202c \u2066x\u2069", "\\u202eabc\\u202c \\u2066x\\u2069"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("a\u2028b\u2029c\x85d", "a\\u2028b\\u2029c\\x85d"),
        ("\udc80\ud800", "\\udc80\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_steers_or_hides_is_written_as_an_escape(found, shown):
    assert printable(found) == shown


@pytest.mark.parametrize(
    "text",
    ["", "plain `text` \\x1b", "Käse für Ænima", "Käse", "a\xa0b\u3000c", "囲碁 バスク 바둑", "игра го", "♟️ 😀 ✓ │ ┼"],
)
def test_ordinary_text_of_any_script_stays(text):
    assert printable(text) == text


def test_line_feeds_stay_where_lines_are_meant():
    assert printable("a\r\n\tb\n", lines=True) == "a\\r\n\\tb\n"


@given(st.text(alphabet=st.characters()), st.booleans())
def test_whatever_is_written_nothing_is_left_that_steers(text, lines):
    shown = printable(text, lines)
    left = {one for one in shown if unicodedata.category(one)[0] == "C" or unicodedata.category(one) in ("Zl", "Zp")}
    assert left <= ({"\n"} if lines else set()) and printable(shown, lines) == shown
    assert shown == text or not text.isprintable()


def test_output_is_printable_while_it_is_asked_for(capsys):
    before = sys.stdout, sys.stderr
    with printable_output():
        with printable_output():
            print("\x1b[31mred", "\udc80")
        sys.stdout.writelines(["\x07", "\n"])
        print("\x1b[31mred", file=sys.stderr)
        print("\x1b[31mred", file=own_file(sys.stderr))
    assert (sys.stdout, sys.stderr) == before and own_file(sys.stdout) is sys.stdout
    said = capsys.readouterr()
    assert said.out == "\\x1b[31mred \\udc80\n\\x07\n" and said.err == "\\x1b[31mred\n\x1b[31mred\n"


def test_nobody_writes_around_it():
    """In an ASCII locale, click wraps the underlying byte stream in a new text stream, as here."""
    raw = io.BytesIO()
    file = PrintableFile(io.TextIOWrapper(raw, encoding="ascii", errors="backslashreplace"))
    assert not hasattr(file, "buffer") and not hasattr(file, "detach") and file.encoding == "ascii"
    click.echo("\x1b[31ma\x1b]0;title\x07", file=file, color=True)
    file.flush()
    assert raw.getvalue() == b"\\x1b[31ma\\x1b]0;title\\x07\n"


def test_a_closed_output_stays_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with printable_output():
        assert sys.stdout is None
    assert sys.stdout is None
