"""Texts that hide or disguise a terminal's output, for every place where a patterns file accepts text."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from urllib.parse import quote

from drawn_patterns import FILE
from hypothesis import strategies as st

# clears the screen, hides text, reverses text, starts a line
PAINTED = "\x1b[2J\x1b[1;1H\x9b8m\r\x07é[red]\u202e\u2028"
HOSTILE = st.text(
    st.sampled_from(
        "\0\x07\x08\t\n\r\x1b\x7f\x85\x9b\xa0\u200b\u2028\u2029\u202e\u2066\ufeff\ud800\U000e0041[]2Jm;é*a"
    ),
    min_size=1,
    max_size=12,
)


def scalar(text: str) -> str:
    """Return a text as a double-quoted YAML scalar."""
    return json.dumps(text)


# Part of a patterns file -> the same part with a hostile text: `{}` as a scalar, or `<>` as a tag.
PLACES = {
    "ruleset": ("ruleset: little-go", "ruleset: {}"),
    "key of the file": ("patterns:", "{}: 1\npatterns:"),
    "key": ("    points:", "    {}:"),
    "id": ("id: take", "id: {}"),
    "class": ("class: capture", "class: {}"),
    "summary": ("summary: Take a chain whose last liberty is here.", "summary: {}"),
    "priority": ("priority: 900", "priority: {}"),
    "points": ("points: 100 * size(A)", "points: {}"),
    "fact": ("100 * size(A)", "{}"),
    "condition": ("- liberties(A) == 1", "- {}"),
    "forbid": ("    points:", "    forbid: {}\n    points:"),
    "tags": ("    points:", "    tags: [{}]\n    points:"),
    "doubt": ("    points:", "    doubt: {}\n    points:"),
    "pass": ("    points:", "    move: {}\n    points:"),
    "YAML tag": ("class: capture", "class: !<<>> capture"),
    "move": ("move: 2,2", "move: {}"),
    "colour": ("move: 2,2", "move: 2,2\n          colour: {}"),
    "kind of example": ("      no_match:", "      {}:"),
    "board": ("- board: |\n            .", "- board: {}\n          x: |\n            ."),
    "diagram": ("diagram: |\n      O *", "diagram: {}"),
}  # fmt: skip


def hostile_patterns(place: str, text: str) -> str:
    """Return a patterns file with a hostile text in one place. place: a key of PLACES."""
    old, new = PLACES[place]
    assert FILE.count(old), place
    tag = quote(text.encode("utf-8", "surrogatepass"), safe="")
    return FILE.replace(old, new.replace("<>", tag, 1).replace("{}", scalar(text)), 1)


def write_patterns(folder: Path, text: str, name: str = "patterns.yaml") -> Path:
    """Write a patterns file and return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    return path


def steering(said: str) -> set[str]:
    """Return the characters of an output that control a terminal or are invisible, except line feeds."""
    return {one for one in said if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - {"\n"}
