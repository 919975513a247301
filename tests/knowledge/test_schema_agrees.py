"""Tests that the schema accepts every file that the compiler accepts, and rejects typical mistakes."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest
from drawn_patterns import FILE
from editor_yaml import complaints
from knowledge_files import YAML

from littlego.knowledge.compiler import compile_text

WRONG = sorted((Path(__file__).parents[1] / "data" / "wrong_patterns").glob("*.yaml"))

# Codes of mistakes that an editor underlines: broken YAML, unknown or missing keys, wrong types, numbers out of range,
# and unknown words. Other mistakes are reported only by `littlego check`.
UNDERLINED = {"P003", "P006", "P008", "P009", "P011", "P014", "P015", "P016", "P017", "P029", "P040", "P067"}
ALSO = {  # other codes whose example file has a value of a wrong type
    "alias",
    "anchor-and-its-aliases",
    "merge-conflict",
    "merge-key",
    "merge-key-with-what-is-missing",
    "tag",
    "empty-matches",
    "no-patterns-at-all",
    "empty-summary",
    "rare-without-reason",
    "id-read-as-a-number-elsewhere",
    "list-as-diagram",
}
NOT = {"no-diagram", "priority-octal"}  # exceptions: a key that is optional beside another key, and an octal number


def compiler_says(text: str) -> list[str]:
    return [str(problem) for problem in compile_text(text, "p.yaml", with_examples=False)[1]]


def check(text: str) -> tuple[bool, bool]:
    """Return (whether the compiler accepts a file, whether the schema accepts the file)."""
    refused, underlined = compiler_says(text), complaints(text)
    assert refused or not underlined, f"only the schema rejects this file: {underlined}\n{text}"
    return not refused, not underlined


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_each_wrong_file_is_refused_and_underlined_where_a_key_or_its_kind_is_wrong(path):
    text = path.read_text(encoding="utf-8")
    compiles, accepted = check(text)
    codes = {said.split()[1] for said in compiler_says(text)}
    known = codes & UNDERLINED and path.stem not in NOT or path.stem in ALSO
    assert not compiles and accepted != bool(known), codes


@lru_cache(maxsize=1)
def single_patterns() -> list[str]:
    """Return one file for each shipped pattern."""
    head, *items = re.split(r"(?m)^(?=  - id: )", YAML.read_text(encoding="utf-8"))
    head = "ruleset: little-go\n" + head[head.index("phases:") : head.index("patterns:")] + "patterns:\n"
    return [head + re.sub(r"(?m)^  #.*\n", "", item) for item in items]


ODD_VALUES = (
    "5",
    "-3",
    "0x10",
    "007",
    "1.5",
    "5.0",
    "1_000",
    "90000",
    "true",
    "True",
    "no",
    "null",
    "~",
    "",
    "[]",
    "{}",
    "[a]",
    "'x'",
    "'5'",
    '"true"',
    "|",
    "pass",
    "2,2",
    " 2 , 3 ",
    "white",
    "capture",
    "X",
    "100 * size(A)",
    "0 - 5",
    "passed()",
    "not passed",
    "lead > 0 and passed",
    "(lead)",
    "size((A))",
    "1 == 1",
    "line(*)",
    "3000000",
    "A",
    "*",
    "lead > 0 > 1",
)
OTHER_KEYS = (
    "move",
    "when",
    "points",
    "sacrifice",
    "forbid",
    "previous",
    "colour",
    "to_play",
    "moves_left",
    "rare",
    "doubt",
    "tags",
    "todo_match",
    "priority",
    "id",
    "labels",
    "Class",
)
CHARACTERS = "XO.*xo?|-+ABZz#0 ()<>=!&,_91an:'\"\n\t\u00a0"


def one_change(text: str, rng: random.Random) -> str:
    """Return the file with one random edit of a line, a value, a key or a character."""
    lines, number = text.split("\n"), rng.randrange(1, text.count("\n"))
    kind = rng.randrange(7)
    if kind == 0:
        del lines[number]
    elif kind == 1:
        lines.insert(number, rng.choice(lines))
    elif kind == 2:
        lines[number] = re.sub(r"(: |- )[^:]*$", lambda found: found[1] + rng.choice(ODD_VALUES), lines[number])
    elif kind == 3:
        lines[number] = re.sub(r"\w+(?=:)", lambda found: rng.choice([*OTHER_KEYS, found[0] + "s"]), lines[number])
    else:
        at, length = rng.randrange(len(text)), rng.randrange(2)
        return text[:at] + rng.choice(CHARACTERS) * rng.randrange(1 - length, 2) + text[at + length :]
    return "\n".join(lines)


def test_they_agree_on_files_with_a_few_changes():
    rng, seen = random.Random(3), Counter()
    for _ in range(400):
        text = rng.choice([FILE, rng.choice(single_patterns())])
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            text = one_change(text, rng)
        seen[check(text)] += 1
    assert seen[True, True] >= 50 and seen[False, False] >= 100 and seen[False, True] >= 3, seen
