"""Tests that each command in docs/, run in order, prints the output that its page shows."""

from __future__ import annotations

import pytest
from printed_lines import fits

from littlego.cache import ROOT
from littlego.dev.regenerate.console_blocks import prepare, read_steps, run

PAGES = sorted((ROOT / "docs").glob("*.md"))
# Commands that take more than a few seconds, and commands that need the output of such a command. Only the slow tests
# run these commands.
LONGER = {
    "littlego arena sprt patterns.yaml patterns.txt --pairs 5 --keep same.sqlite",
    "littlego arena gauntlet ours random greedy --pairs 5 --seed 1 --keep roles.sqlite",
    "littlego arena games roles.sqlite --lost-by ours",
    "littlego arena replay roles.sqlite 7",
    "littlego arena sgf roles.sqlite 7 --output lost",
    "littlego explain lost/game-7.sgf:5 | head -n 1",
    "littlego arena report roles.sqlite --output page",
    "littlego grade --stage 1 --games 2 --repetitions 1",
    "littlego grade-class class --roster roster.csv --games 2 --stage 1 --repetitions 1",
    "littlego dev tictactoe",  # 100,000 games; the page also shows a run of 1,000
    "littlego dev train mine.txt --games 2000 --curve-every 500 --curve-games 50",
}


@pytest.mark.parametrize("left_out", [LONGER, pytest.param(set(), marks=pytest.mark.slow)], ids=["short", "whole"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_command_prints_what_its_page_shows(page, left_out, tmp_path):
    """The quick tests run all commands except LONGER; `-m slow` runs every command."""
    prepare(tmp_path)
    for step in read_steps(page.read_text(encoding="utf-8")):
        if step.command in left_out:
            continue
        printed = run(step, tmp_path)
        shown = "\n".join(printed)
        assert fits(step.printed, printed), f"{page.name}:{step.line}: $ {step.command}\nprints now:\n{shown}"


def test_there_are_pages_with_commands():
    commands = [step.command for page in PAGES for step in read_steps(page.read_text(encoding="utf-8"))]
    assert len(commands) >= 10 and set(commands) >= LONGER


DRAWN = """# A page

```console
$ echo one; echo two; echo three
one
...
three
$ cat note.txt
first
added
```

```yaml
- not for running
```
"""


def test_commands_and_texts_are_found_with_their_lines():
    page = DRAWN.replace("```yaml", "<!-- append: note.txt -->\n```yaml")
    found = read_steps(page)
    assert [(step.line, step.command, step.file) for step in found] == [
        (4, "echo one; echo two; echo three", ""),
        (8, "cat note.txt", ""),
        (15, "", "note.txt"),
    ]
    assert found[0].printed == ["one", "...", "three"] and found[2].printed == ["- not for running"]


def test_what_differs_is_noticed(tmp_path):
    (tmp_path / "note.txt").write_text("first\nadded\n")
    first, second = read_steps(DRAWN)
    assert fits(first.printed, run(first, tmp_path)) and fits(second.printed, run(second, tmp_path))
    (tmp_path / "note.txt").write_text("first\nchanged\n")
    assert not fits(second.printed, run(second, tmp_path))
    assert not fits(["one", "...", "four"], ["one", "two", "three"])
    assert not fits([], ["something"]) and fits(["..."], [])


def test_an_appended_text_ends_up_in_the_file(tmp_path):
    (tmp_path / "note.txt").write_text("first\n")
    step = read_steps(DRAWN.replace("```yaml", "<!-- append: note.txt -->\n```yaml"))[-1]
    run(step, tmp_path)
    assert (tmp_path / "note.txt").read_text() == "first\n\n- not for running\n"
