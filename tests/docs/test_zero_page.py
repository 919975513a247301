"""Tests of docs/zero.md: its training commands parse, and the code has what the page names."""

import re
import shlex

import pytest
from fresh_clone import ROOT

from littlego.learning.zero.cli import zero

PAGE = (ROOT / "docs" / "zero.md").read_text(encoding="utf-8")
FOLDERS = [ROOT / "tools" / "littlego" / package / "zero" for package in ("players", "learning")]
CODE = {path.stem: path.read_text(encoding="utf-8") for folder in FOLDERS for path in folder.glob("*.py")}


@pytest.mark.parametrize("line", re.findall(r"(?:^    |`)littlego zero ([^`\n]+)", PAGE, re.MULTILINE))
def test_a_command_accepts_its_words(line):
    name, *words = shlex.split(line)
    assert zero.get_command(None, name).make_context(name, words).params["file"]


def test_the_code_has_what_the_page_names():
    rows = re.findall(r"^\| \d+ \| (.*?) \| (.*) \|$", PAGE, re.MULTILINE)
    assert len(rows) >= 9
    for modules, names in rows:
        text = "".join(CODE[module] for module in re.findall(r"`(\w+)`", modules))
        for name in re.findall(r"`(?:Network\.)?(\w+)`", names):
            assert re.search(rf"(?:def|class) {name}\b", text), name
    changes = re.findall(r"change `(.*?)`\s+to", PAGE)
    assert [sum(text.count(line) for text in CODE.values()) for line in changes] == [1, 1]


def test_the_page_names_every_method_of_a_game():
    methods = re.findall(r"    def (\w+)\(self", CODE["game"])
    assert methods and not [name for name in methods if f"`{name}`" not in PAGE]
