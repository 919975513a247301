"""Console blocks of a page: parsing and running the commands, and updating the output.

A block fenced as `console` contains lines `$ command`, each followed by the command's output; a line `...` matches any
number of lines. A block after a line `<!-- append: FILE -->` is text to append to FILE. All steps of a page run in
order, in one folder.

`littlego dev regenerate pages` writes the current output into the pages. Output with a line `...` stays unchanged.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from littlego.cache import ROOT

ANY = "..."
_BLOCK = re.compile(
    r"(?:^<!-- append: (?P<file>\S+) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)


class Step(NamedTuple):
    """A command with its expected output, or text to append to a file; for text, `command` is ''.

    line: the line number on the page, from 1.
    """

    line: int
    command: str
    printed: list[str]
    file: str = ""


def read_steps(page: str) -> list[Step]:
    """Return the page's commands and texts to append, in the order of the page."""
    steps: list[Step] = []
    for block in _BLOCK.finditer(page):
        line = page[: block.start("text")].count("\n") + 1
        if block["file"]:
            steps.append(Step(line, "", block["text"].splitlines(), block["file"]))
        elif block["kind"] == "console":
            for offset, text in enumerate(block["text"].splitlines()):
                if text.startswith("$ "):
                    steps.append(Step(line + offset, text[2:], []))
                else:
                    steps[-1].printed.append(text)
    return steps


def prepare(folder: Path) -> None:
    """Copy into `folder`, or link there, the files and folders that the pages' commands need."""
    for name in ("patterns.yaml", "patterns.txt", "patterns.match.yaml", "patterns.match.txt"):
        shutil.copy(ROOT / name, folder / name)
    for name in ("docs", "tools", "rules", "tests", "my_player3.py"):
        (folder / name).symlink_to(ROOT / name)


def run(step: Step, folder: Path) -> list[str]:
    """Run one step; return the printed lines, including standard error, or the appended lines."""
    if step.file:
        path = folder / step.file
        path.write_text(path.read_text(encoding="utf-8") + "\n".join(["", *step.printed, ""]), encoding="utf-8")
        return step.printed
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", COLUMNS="80")
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        step.command.replace(".venv/bin/littlego", "littlego"),
        shell=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=300,
    )
    return [line.rstrip() for line in done.stdout.splitlines()]


def update_page(page: str, folder: Path) -> str:
    """Return the page with its commands' current output.

    Expected output that contains a line `...` stays unchanged. folder: the folder in which the commands run.
    """
    lines, moved = page.splitlines(), 0
    for step in read_steps(page):
        printed = run(step, folder)
        if step.command and ANY not in step.printed:
            begin = step.line + moved
            lines[begin : begin + len(step.printed)] = printed
            moved += len(printed) - len(step.printed)
    return "\n".join(lines) + "\n"
