"""A parser of web pages for tests, which checks that the elements of a page are well nested."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "input", "br", "link", "img", "hr"}


class Outline(HTMLParser):
    """A parser that collects the elements of a page, which must be well nested."""

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
