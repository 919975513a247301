"""Tests of compiling patterns to patterns.txt: format, order, exact bytes, examples, file on disk."""

from __future__ import annotations

import binascii
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from drawn_patterns import FILE, changed
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.knowledge.compiler import compile_text
from littlego.knowledge.examples import run_examples
from littlego.knowledge.firing import firings_for
from littlego.knowledge.model import CLASSES
from littlego.knowledge.textfile import to_bytes, write
from littlego.rules import patternfile
from littlego.rules.position import PASS, WHITE
from littlego.rules.turn import least_moves_made

ROOT = Path(__file__).parents[2]
PASSING = """\
  - id: pass-when-winning
    class: pass
    summary: "End the game: a pass answers a pass, and White is ahead."
    priority: 5
    move: pass
    when: passed and margin2 > 0
    rare: games seldom see a pass
    examples:
      matches:
        - colour: white
          board: |
            . . . . .
            . X . . .
            X O . . .
            . X . . .
            . . . . .
          previous: |
            . . . . .
            . X . . .
            X O . . .
            . X . . .
            . . . . .
          move: pass
      no_match:
        - colour: white
          board: |
            . . . . .
            . X . . .
            X O . . .
            . X . . .
            . . . . .
"""


def compiled(text: str) -> bytes:
    data, problems, _ = compile_text(text, "patterns.yaml")
    assert data is not None, "\n".join(map(str, problems))
    return data


def said(text: str) -> list[str]:
    return [str(problem) for problem in compile_text(text, "patterns.yaml")[1]]


def base_of(text: str):
    return compile_text(text, "patterns.yaml", with_examples=False)[2]


def test_the_header_holds_checksum_and_source_hash():
    head, _, body = compiled(FILE).partition(b"\n")
    digest = hashlib.sha256(FILE.encode()).hexdigest()
    assert head.decode() == f"littlego-patterns 2 little-go {binascii.crc32(body):08x} {digest} 1 5"


def test_a_pattern_is_a_line_of_eleven_fields():
    line = compiled(FILE + PASSING).decode().splitlines()[1:3]
    assert line[0].split("\t") == [
        "take",
        "capture",
        "900",
        "3",
        "-",
        "O*",
        "A.",
        "100 ~A size *",
        "",
        "~A liberties 1 ==",
        "Take a chain whose last liberty is here.",
    ]
    assert line[1].split("\t")[3:10] == ["2", "pr", "", "", "0", "", "passed ; margin2 0 >"]


def test_the_players_reader_understands_it(tmp_path):
    path = tmp_path / "patterns.txt"
    write(compiled(FILE + PASSING), path)
    book = patternfile.load(str(path))
    assert [pattern.id for pattern in book.patterns] == ["take", "pass-when-winning"]
    assert book.starts == [0, 80, 81]  # on 5x5 two adjacent cells have 80 placements, and a pass has one
    assert book.patterns[1].passes and book.patterns[1].rare


@pytest.mark.parametrize(
    ("conditions", "lefts"),
    [
        (["liberties(A) == 1"], range(25)),
        (["moves_left <= 3"], [1, 2, 3]),
        (["moves_left == 5"], [5]),
        (["move_number <= 2"], [23, 24]),
        (["colour == 2", "moves_left >= 20"], [21, 23]),
        (["moves_left > 2", "moves_left <= 6", "colour == 1"], [4, 6]),
        # not a range of numbers, so the player tests this condition during the turn
        (["not moves_left == 5"], range(25)),
        (["colour == 1 or moves_left == 5"], range(25)),
        (["moves_left == 5 and moves_left == 6"], []),
    ],
    ids=lambda one: None if isinstance(one, range) else str(one),
)
def test_a_turn_leaves_out_what_cannot_apply_with_its_moves_left(tmp_path, conditions, lefts):
    path = tmp_path / "patterns.txt"
    asked = "".join(f"      - {condition}\n" for condition in conditions)
    write(to_bytes(base_of(changed("      - liberties(A) == 1\n", asked))), path)
    full, read = patternfile.load(str(path)), [patternfile.load(str(path), left=left) for left in range(1, 25)]
    assert [left for left, book in enumerate(read, 1) if book.patterns] == [left for left in lefts if left]
    assert all([*book.cells] == [*full.cells] and book.starts == full.starts for book in read if book.patterns)
    assert all(not book.cells and book.starts == [0] for book in read if not book.patterns)


def test_patterns_are_sorted_by_priority_then_id():
    twice = FILE + FILE.split("patterns:\n")[1].replace("id: take", "id: again") + PASSING.replace("5\n", "901\n", 1)
    assert [pattern.id for pattern in base_of(twice).ranked()] == ["pass-when-winning", "again", "take"]


def test_a_one_pattern_edit_changes_the_header_and_two_lines():
    before = compiled(FILE + PASSING).splitlines()
    after = compiled(changed("Take a chain", "Take it", FILE) + PASSING).splitlines()
    assert [row for row, (a, b) in enumerate(zip(before, after, strict=True)) if a != b] == [0, 1]


def test_cheap_conditions_come_first_and_ands_are_split():
    text = changed(
        "      - liberties(A) == 1\n", "      - alive(A) == 0 and moves_left > 1\n      - liberties(A) == 1\n"
    )
    pattern = base_of(text).patterns[0]
    assert pattern.when == ["moves_left 1 >", "~A liberties 1 ==", "~A alive 0 =="]
    assert pattern.when_text == ["alive(A) == 0 and moves_left > 1", "liberties(A) == 1"]
    assert pattern.specificity == 5


def test_edges_and_several_stones_of_one_label():
    text = changed("      O *\n", "      + - - -\n      | O * O\n")
    text = changed("      A *\n", "      + - - -\n      | A . A\n", text)
    pattern = base_of(text).patterns[0]
    assert pattern.rows == ["+---", "|O*O"] and pattern.label_rows == ["....", ".A.A"]
    assert pattern.specificity == 4


def test_a_failing_example_shows_its_board_and_line():
    text = changed("          move: 2,2\n", "          move: 0,0\n")
    [problem] = said(text)
    assert problem.startswith("patterns.yaml:16:11 P070 `take` fires for 2,2; expected it to fire for 0,0; nearest")
    assert "\n    - board: |\n      ^\n" in problem and "\n     0(.). . . .\n" in problem


def test_an_example_that_must_not_match_fails_too():
    text = changed("            . O . . .\n", "            X O . . .\n")
    [problem] = said(text)
    assert problem.startswith("patterns.yaml:24:11 P071 `take` fires for 2,2; expected it not to fire anywhere")


def test_a_move_narrows_what_must_not_match():
    text = changed("            . O . . .\n", "            X O . . .\n") + "          move: "
    assert said(text + "0,0\n") == [] and said(text + "2,2\n") != []


def test_a_todo_example_may_fail_and_is_remembered():
    todo = FILE[FILE.index("        - board") : FILE.index("      no_match")].replace("        - b", "      - b", 1)
    text = FILE + "    todo_match:\n" + todo.replace("          ", "        ").replace("move: 2,2", "move: 4,4")
    assert said(text) == []
    outcomes = list(run_examples(base_of(text)))
    assert [(outcome.example.kind, outcome.passed) for outcome in outcomes] == [
        ("matches", True),
        ("no_match", True),
        ("todo_match", False),
    ]


def test_examples_are_not_run_on_request():
    text = changed("          move: 2,2\n", "          move: 0,0\n")
    assert compile_text(text, "patterns.yaml", with_examples=False)[0] is not None


def test_x_is_the_side_to_move():
    pattern = base_of(FILE + PASSING).patterns[1]
    position = pattern.examples[0].position()
    assert position.colour == WHITE and position.passed and position.left == 24 - 7
    assert position.own == position.white == 1 << 6 | 1 << 10 | 1 << 16
    assert list(firings_for(pattern, position)) == [PASS]
    assert not pattern.examples[1].position().passed


def test_the_ko_of_a_previous_board_is_seen():
    boards = """\
        - board: |
            . O X . .
            O . O X .
            . O X . .
            . . . . .
            . . . . .
          previous: |
            . O X . .
            O X . X .
            . O X . .
            . . . . .
            . . . . .
          move: 1,1
"""
    old = FILE[FILE.index("        - board") : FILE.index("      no_match")]
    [problem] = said(changed(old, boards))
    assert "`take` fires nowhere; expected it to fire for 1,1" in problem
    free = boards[: boards.index("          previous")] + "          move: 1,1\n"
    assert said(changed(old, free)) == []


@pytest.mark.parametrize("black, white, colour, made", [(0, 0, 1, 0), (0, 0, 2, 1), (1, 0, 2, 1), (3, 1, 1, 6)])
def test_moves_left_default_to_the_most_that_the_stones_allow(black, white, colour, made):
    assert least_moves_made((1 << black) - 1, (1 << white) - 1, colour) == made


def test_bytes_and_text_compile_alike():
    assert compile_text(FILE.encode(), "patterns.yaml")[0] == compiled(FILE)


def test_bytes_that_are_not_utf8_are_named_with_their_place():
    data = FILE.encode().replace(b"whose", b"wh\xf6se")
    assert [str(problem)[:47] for problem in compile_text(data, "patterns.yaml")[1]] == [
        "patterns.yaml:5:29 P001 the byte 0xf6; expected"
    ]


def test_windows_line_ends_are_read_alike():
    crlf = base_of(FILE.replace("\n", "\r\n")).patterns[0]
    assert crlf == base_of(FILE).patterns[0]
    [problem] = said(changed("      O *", "      O #", FILE).replace("\n", "\r\n"))[:1]
    assert problem.startswith("patterns.yaml:9:9 P021 unknown symbol")


def test_the_bytes_depend_on_the_source_alone(tmp_path):
    (tmp_path / "patterns.yaml").write_text(FILE + PASSING, encoding="utf-8")
    found = set()
    for seed in ("0", "1"):
        command = [sys.executable, "-c", COMPILE, str(tmp_path / "patterns.yaml")]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        found.add(subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, check=True).stdout)
    assert found == {compiled(FILE + PASSING)}


COMPILE = """
import sys
from littlego.knowledge.compiler import compile_text
sys.stdout.buffer.write(compile_text(open(sys.argv[1], 'rb').read(), 'patterns.yaml')[0])
"""


def test_every_class_is_accepted():
    for kind in CLASSES:
        assert base_of(changed("class: capture", f"class: {kind}")).patterns[0].kind == kind


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_file_never_crashes_the_compiler(data):
    text = FILE + PASSING
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    junk = data.draw(st.text(alphabet="\t\n :-|*&!'\"[]{}#%@,>?XO.A5\\u\x85\ufeff\x00é", max_size=8))
    damaged = text[:start] + junk + text[end:]
    compiled_bytes, problems, _ = compile_text(damaged, "p", with_examples=False)
    assert (compiled_bytes is None) == bool(problems)
    lines = damaged.count("\n") + damaged.count("\x85") + 1
    assert all(1 <= problem.line <= lines and problem.column >= 1 for problem in problems)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_random_bytes_never_crash_the_compiler(data):
    assert compile_text(data, "p")[1] != []


@pytest.mark.parametrize(
    "text", ["[" * 3000, "a: " * 50, '"\\UFFFFFFFF"', "%YAML 1." + "9" * 5000 + "\n--- a", "a\n---\nb"]
)
def test_hostile_yaml_is_refused(text):
    assert said(text)


def test_a_pattern_with_an_alias_is_not_tried_on_examples():
    [problem] = said(changed("id: take", "id: *take"))
    assert "the alias `*take`" in problem


def test_the_empty_board_is_the_opening():
    empty = "            . . . . .\n" * 5
    text = changed(FILE[FILE.index("            . . . . .\n            . X . . .\n            . O") :], empty)
    position = base_of(text).patterns[0].examples[1].position()
    assert (position.left, position.passed, position.own) == (24, True, 0)
