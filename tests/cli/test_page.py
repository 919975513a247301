"""Tests that pages are complete and self-contained, and escape markup in user text."""

from __future__ import annotations

import re

import pytest
from html_outline import Outline
from jinja2 import UndefinedError

from littlego.cli.page import render_page, templates


def test_a_page_is_whole_and_needs_no_other_file():
    text = render_page("Coverage", "<h1>Coverage</h1>", style=".x { color: red; }", script="var x = 1 < 2;")
    outline = Outline(text)
    assert {"html", "head", "title", "body", "h1", "style", "script"} <= set(outline.seen)
    assert "link" not in outline.seen and not re.search(r"https?://|url\(|@import", text)
    assert "var x = 1 < 2;" in text and ".x { color: red; }" in text
    assert any(meta.get("name") == "viewport" for meta in outline.attributes["meta"])


def test_a_page_without_a_script_has_none():
    assert "script" not in Outline(render_page("a", "b")).seen


def test_titles_are_text():
    assert "<title>a &lt;b&gt; &amp; c</title>" in render_page("a <b> & c", "")


def test_templates_escape_and_miss_nothing():
    template = templates().from_string("{{ word }}")
    assert template.render(word="<script>") == "&lt;script&gt;"
    with pytest.raises(UndefinedError):
        template.render()


def test_a_page_has_colours_for_the_night_and_for_paper():
    text = render_page("a", "b")
    assert "prefers-color-scheme: dark" in text and "@media print" in text
