"""Links to the playground for the tests of the site."""

from __future__ import annotations

from littlego.editor.cutting import Cut
from littlego.editor.links import link_to
from littlego.paths import PATTERNS_YAML


def snap_back(points: str = "7 + snapback(*)") -> str:
    """Return the text of a link to the pattern snap-back with these points."""
    cut = Cut(PATTERNS_YAML.read_text(), PATTERNS_YAML.name)
    (entry,) = (text for text in map(cut.text_of, cut.entries) if "- id: snap-back\n" in text)
    return link_to(entry.replace("points: snapback(*)", f"points: {points}"), "", "little-go").text()
