"""Pages: whole, on their own, and nothing that people wrote becomes markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError

from tools.draw.page import environment, page

VOID = {"meta", "input", "br", "link", "img", "hr"}


class Outline(HTMLParser):
    """The elements of a page that is well nested."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.attributes: dict[str, list[dict]] = {}
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes.setdefault(tag, []).append(dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"


def test_a_page_is_whole_and_needs_no_other_file():
    text = page("Coverage", "<h1>Coverage</h1>", style=".x { color: red; }", script="var x = 1 < 2;")
    outline = Outline(text)
    assert {"html", "head", "title", "body", "h1", "style", "script"} <= set(outline.seen)
    assert "link" not in outline.seen and not re.search(r"https?://|url\(|@import", text)
    assert "var x = 1 < 2;" in text and ".x { color: red; }" in text
    assert any(meta.get("name") == "viewport" for meta in outline.attributes["meta"])


def test_a_page_without_a_script_has_none():
    assert "script" not in Outline(page("a", "b")).seen


def test_titles_are_text():
    assert "<title>a &lt;b&gt; &amp; c</title>" in page("a <b> & c", "")


def test_templates_escape_and_miss_nothing():
    template = environment().from_string("{{ word }}")
    assert template.render(word="<script>") == "&lt;script&gt;"
    with pytest.raises(UndefinedError):
        template.render()


def test_a_page_has_colours_for_the_night_and_for_paper():
    text = page("a", "b")
    assert "prefers-color-scheme: dark" in text and "@media print" in text
