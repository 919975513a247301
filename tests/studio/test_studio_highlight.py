"""Tests of the editor's colours and automatic indentation in a patterns file, in a real Chromium."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.both_links
TEXT = """\
# a comment
patterns:
  - id: give-atari  # why
    summary: "one: two # three
      four"
    'class': it's-plain # not a text
    diagram: |
      # a: drawing
      ? . *

    tags: [a, "b"]
    rare: a word "in quotes"
"""
COLOURED = {
    "comment": ["# a comment", "# why", "# not a text"],
    "propertyName": ["patterns", "id", "summary", "'class'", "diagram", "tags", "rare"],
    "string": ['"one: two # three', '      four"', '"b"'],
    "meta": ["|"],
}
SET = """(text) => import('/static/document.js').then(({editor}) => {
  const view = editor();
  view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}});
})"""
SPANS = """([name, expected]) => {
  const found = [...document.querySelectorAll('.cm-content .tok-' + name)].map((span) => span.textContent);
  return JSON.stringify(found) === JSON.stringify(expected);
}"""

TO_THE_END = """import('/static/document.js').then(({editor}) => {
  editor().dispatch({selection: {anchor: editor().state.doc.length}});
})"""


@pytest.fixture(scope="module")
def running(studio):
    """A studio for all tests of this module, since each test replaces the whole text."""
    return studio


@pytest.fixture
def editor(page):
    page.locator(".cm-content").wait_for()
    return page


@pytest.mark.parametrize("name", COLOURED)
def test_keys_texts_and_comments_are_told_apart(editor, name):
    editor.evaluate(SET, TEXT)
    editor.wait_for_function(SPANS, arg=[name, COLOURED[name]])  # the parser works in slices of time


@pytest.mark.parametrize(
    ("line", "depth"),
    [("    when:", 6), ("    diagram: |", 6), ("    class: cut", 4), ("  - id: a", 4), ("  - a < 2", 2)],
)
def test_a_line_below_one_that_only_begins_something_is_further_in(editor, line, depth):
    editor.evaluate(SET, line)
    editor.locator(".cm-content").focus()
    editor.evaluate(TO_THE_END)
    editor.keyboard.press("Enter")
    editor.keyboard.type("x")
    assert editor.evaluate("import('/static/document.js').then(({text}) => text())").split("\n")[1] == " " * depth + "x"
