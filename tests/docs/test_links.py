"""Tests of the pages' links: each leads to a file or a heading, and each named module exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fresh_clone import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "tools").rglob("README.md")])
WORKSHOP = ROOT / "tools" / "littlego"
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    titles = re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        if not re.match(r"https?:", link):
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            assert target.exists(), f"{page.name} links to {link}"
            assert not anchor or anchor in headings(target), f"{page.name} links to {link}"


def test_what_the_pages_for_contributors_name_is_there():
    for page in (ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md"):
        text = page.read_text(encoding="utf-8")
        named = re.findall(r"`((?:rules|tools|tests|docs|knowledge|truth|engines|studio)/[\w/.*]+)`", text)
        assert len(named) >= 5
        assert not [name for name in named if not is_there(name)]


def is_there(name: str) -> bool:
    """Return whether a file or module exists below the root or below tools/littlego. FOLDER and NAME match any name."""
    wanted = name.replace("FOLDER", "*").replace("NAME", "*")
    return any(list(folder.glob(wanted + ending)) for folder in (ROOT, WORKSHOP) for ending in ("", ".py"))


def test_the_map_has_every_room_and_module():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = [path.parent.name for path in WORKSHOP.glob("*/__init__.py")]
    modules = [path.stem for path in (ROOT / "rules").glob("*.py") if path.stem != "__init__"]
    assert not [name for name in [*rooms, *modules] if f"`{name}`" not in text]
