"""Tests of `littlego explain` and `littlego new`: output, status, and one line for each user error."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from boards import position
from knowledge_files import ROOT, YAML, book
from override_files import override
from small_knowledge import CUT, enter_cutting

from littlego.cli.main import main
from littlego.engines.draw.decisions import short_text
from littlego.engines.reasons.contrast import contrast
from littlego.knowledge.overrides import to_bytes
from littlego.match.protocol import Turn, input_text
from littlego.rules.engine import decide
from littlego.rules.position import WHITE

SMALL = ["-f", "patterns.txt"]


@pytest.fixture
def board(tmp_path, monkeypatch):
    return enter_cutting(tmp_path, monkeypatch)


def test_a_decision_in_short(board, capsys):
    assert main(["explain", board, *SMALL]) == 0
    assert capsys.readouterr().out == (
        """\
Black (X) to play move 7 (18 left, including this move).
   0 1 2 3 4
 0 . . . . .
 1 .(.)O X .
 2 . O X X .
 3 . . O . .
 4 . . . . .

Chosen: 1,1 rather than 3,3: cut-across +50, give-atari +35; against 1,1:
        room-to-move -30.
        Cut between two opposing chains that meet only diagonally.

  move   priority  points  patterns  verdict
* 1,1         500     105         3  safe
  3,3         500      50         1  safe
  0,2         500      35         3  safe
  and 17 other moves, all with their patterns: --all
"""
    )


def test_all_moves_with_their_patterns(board, capsys):
    assert main(["explain", board, *SMALL, "--all"]) == 0
    shown = capsys.readouterr().out
    assert "Black (X) to play move 7 (18 left" in shown and "\n 1 .(.)O X .\n" in shown
    assert "\nChosen: 1,1 rather than 3,3: cut-across +50, " in shown and "\n* 1,1         500     105 " in shown
    assert "\n    give-atari                       +35  at 1,1, mirrored" in shown
    assert len(shown_moves(shown)) == 20 and max(map(len, shown.splitlines())) <= 80


def test_the_best_moves_with_their_patterns(board, capsys):
    assert main(["explain", board, *SMALL, "--top", "2"]) == 0
    shown = capsys.readouterr().out
    assert shown_moves(shown) == ["1,1", "3,3"] and "give-atari                       +35  at 1,1" in shown
    main(["explain", board, *SMALL, "--all"])
    assert capsys.readouterr().out.startswith(shown)


def shown_moves(shown):
    return re.findall(r"^[* ] (\d,\d|PASS) ", shown, re.M)


@pytest.fixture
def bare_board(board, tmp_path):
    """Remove the patterns from the folder, and return the name of the drawn board."""
    for path in tmp_path.glob("patterns.*"):
        path.unlink()
    return board


def test_the_patterns_of_this_folder_if_no_others_are_named(board, capsys):
    assert main(["explain", board, *SMALL]) == 0
    shown = capsys.readouterr()
    assert main(["explain", board]) == 0
    again = capsys.readouterr()
    assert again.out == shown.out and again.err == "littlego: using patterns.yaml in this folder\n" + shown.err


def test_patterns_that_have_changed_since_they_were_compiled_are_read_themselves(board, capsys, tmp_path):
    written, compiled = tmp_path / "patterns.yaml", tmp_path / "patterns.txt"
    # the file's header says that it is up to date, but its body is damaged
    compiled.write_bytes(compiled.read_bytes()[:-40])
    assert main(["explain", board]) == 0
    assert "* 1,1 500 105 3 safe" in " ".join(capsys.readouterr().out.split())
    written.write_text(written.read_text().replace("priority: 500", "priority: 600"))
    assert main(["explain", board]) == 0
    assert "* 1,1 600 105 3 safe" in " ".join(capsys.readouterr().out.split())


def test_the_players_own_patterns_where_the_folder_has_none(bare_board, capsys):
    assert main(["explain", bare_board, "--no-overrides"]) == 0
    shown, told = capsys.readouterr()
    assert told == f"littlego: no patterns.yaml in this folder; using {YAML}\n"
    assert shown == short_text(contrast(decide(position(CUT, left=18), book(), complete=True))) + "\n"


@pytest.fixture
def with_override(board, tmp_path):
    """Write an override that plays 0,0 instead of 1,1 on the drawn board, beside the small patterns file."""
    (tmp_path / "overrides.txt").write_bytes(to_bytes(dict([override(position(CUT, left=18), 0)])))


def test_an_override_is_explained(board, with_override, capsys):
    assert main(["explain", board, *SMALL]) == 0
    shown = capsys.readouterr().out
    words = " ".join(shown.split())
    assert "Chosen: 0,0 rather than 1,1: an override for this position plays 0,0; the patterns prefer 1,1: " in words
    assert "\n* 0,0 " in shown and "\n  1,1         500     105" in shown
    assert max(map(len, shown.splitlines())) <= 80
    main(["explain", board, *SMALL, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["move"], told["overruled"], told["reason"]["by"]) == ("0,0", "1,1", "override")


def test_without_overrides_the_patterns_decide(board, with_override, capsys):
    assert main(["explain", board, *SMALL, "--no-overrides"]) == 0
    assert "Chosen: 1,1 rather than 3,3: cut-across +50, " in capsys.readouterr().out


def test_why_not_what_the_patterns_would_have_played(board, with_override, capsys):
    assert main(["explain", board, *SMALL, "--why-not", "1,1"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "Why not 1,1: 0,0 rather than 1,1: an override for this position plays 0,0; the patterns" in words
    assert "use --no-overrides to see why the patterns rank other moves lower." in words


def test_why_not_a_third_move_still_names_what_the_patterns_prefer(board, with_override, capsys):
    assert main(["explain", board, *SMALL, "--why-not", "3,3"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "0,0 rather than 3,3: an override for this position plays 0,0; the patterns prefer 1,1" in words
    assert "Override of 1,1: with 18 moves left the refutation is not computed." in words


def test_what_if_leaves_the_override_in_place(board, with_override, capsys):
    assert main(["explain", board, *SMALL, "--without", "cut-across"]) == 0
    assert "Without cut-across: 0,0 is still played." in capsys.readouterr().out
    assert main(["explain", board, *SMALL, "--without", "cut-across", "--no-overrides"]) == 0
    assert "Without cut-across: 1,1 is still played." in capsys.readouterr().out


# -- positions with an unknown number of moves left ------------------------------------------------------------

LATE = """\
X X X X .
X X X O X
X . O O O
X . . X O
. . O . O
"""
GIVES_WAY = ["explain", "late.txt", "--colour", "white", *SMALL]
LEFT = "Moves left: 3 or 1; the board does not show which. Assumed: 3 (the most that the stones allow)."
LAST_MOVE = (
    "With 3 moves left the player would play 3,2; with 1 left, as White's last move, that move gives the win away."
)


@pytest.fixture
def late(board, tmp_path):
    """Write a board on which White's 3,2 wins with 3 moves left, but loses the win with 1 move left."""
    (tmp_path / "late.txt").write_text(LATE)


def words_of(capsys):
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    return " ".join(shown.split())


def test_a_move_that_gives_way_is_told(late, capsys):
    assert main(GIVES_WAY) == 0
    words = words_of(capsys)
    assert "Chosen: 0,4 rather than 3,2: 3,2 loses if it is the last move. " in words
    assert " vetoed: loses if it is the last move " in words
    assert "Better, but vetoed: 3,2 (loses if it is the last move)" in words
    assert words.endswith(f"{LEFT} {LAST_MOVE} `--left N` sets the number.")
    assert main([*GIVES_WAY, "--all"]) == 0
    assert words_of(capsys).endswith(f"{LEFT} {LAST_MOVE} `--left N` sets the number.")


@pytest.mark.parametrize(("left", "move"), [("3", "3,2"), ("1", "0,4")])
def test_left_decides_for_that_number_alone(left, move, late, capsys):
    assert main([*GIVES_WAY, "--left", left, "--all"]) == 0
    words = words_of(capsys)
    assert f"Chosen: {move} rather than " in words and "Moves left" not in words and "last move" not in words
    assert main([*GIVES_WAY, "--left", left, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["left"] is None


def test_the_numbers_of_moves_left_as_json(late, capsys):
    assert main([*GIVES_WAY, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    why = "the most that the stones allow"
    assert told["left"] == {"possible": [3, 1], "believed": 3, "why": why, "refused": "3,2"}
    assert told["move"] == "0,4" and (told["reason"]["by"], told["reason"]["rival"]) == ("veto", "3,2")
    assert {one["veto"] for one in told["candidates"] if one["move"] == "3,2"} == {"loses if it is the last move"}


def test_why_not_what_gave_way_and_another_move(late, capsys):
    assert main([*GIVES_WAY, "--why-not", "3,2"]) == 0
    words = words_of(capsys)
    assert "Why not 3,2: 0,4 rather than 3,2: 3,2 loses if it is the last move. " in words
    assert words.endswith(f"{LEFT} {LAST_MOVE} `--left N` sets the number.")
    others = {one["move"]: one for one in candidates_of(late, capsys)}
    for move, one in others.items():
        assert main([*GIVES_WAY, "--why-not", move]) == 0
        words = words_of(capsys)
        said = f"{move} loses if it is the last move." in words
        assert said == (one["veto"] == "loses if it is the last move"), move


def candidates_of(late, capsys):
    main([*GIVES_WAY, "--json"])
    return json.loads(capsys.readouterr().out)["candidates"]


def test_what_if_compares_with_the_number_that_is_believed(late, capsys):
    assert main([*GIVES_WAY, "--without", "give-atari"]) in (0, 1)
    words = words_of(capsys)
    assert "Chosen: 3,2 rather than " in words and words.endswith(f"{LEFT} {LAST_MOVE} `--left N` sets the number.")
    assert main([*GIVES_WAY, "--without", "give-atari", "--left", "3"]) in (0, 1)
    assert words.startswith(words_of(capsys))


def test_the_drawing_crosses_out_what_gave_way(late, capsys):
    assert main([*GIVES_WAY, "--svg", "-"]) == 0
    assert "0,4 rather than 3,2: 3,2 loses if it is the last move" in capsys.readouterr().out


def test_in_the_usual_case_the_long_form_alone_tells(board, capsys):
    most = "18, 16, ... or 2; the board does not show which. Assumed: 18 (the most that the stones allow)."
    assert main(["explain", board, *SMALL]) == 0
    assert "Moves left" not in words_of(capsys)
    assert main(["explain", board, *SMALL, "--all"]) == 0
    assert words_of(capsys).endswith(f"Moves left: {most} `--left N` sets the number.")
    assert main(["explain", board, *SMALL, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["left"]
    assert (told["possible"], told["believed"], told["refused"]) == ([*range(18, 0, -2)], 18, None)


def test_a_position_on_record_with_fewer_moves_left(board, tmp_path, capsys):
    (tmp_path / "overrides.txt").write_bytes(to_bytes(dict([override(position(CUT, left=12), 0)])))
    assert main(["explain", board, *SMALL, "--json", "out.json"]) == 0
    words = words_of(capsys)
    assert (
        "Black (X) to play move 13 (12 left, including this move)." in words
        and "an override for this position plays 0,0" in words
    )
    assumed = "Assumed: 12 (an override exists for 12 moves left)."
    assert f"Moves left: 18, 16, ... or 2; the board does not show which. {assumed}" in words
    assert json.loads(Path("out.json").read_text())["left"]["why"] == "an override exists for 12 moves left"
    for more in (["--no-overrides"], ["--left", "18"]):
        assert main(["explain", board, *SMALL, *more]) == 0
        assert "Chosen: 1,1 rather than 3,3" in words_of(capsys)


def test_an_input_txt_does_not_tell_the_number_and_a_game_does(late, tmp_path, capsys):
    at = position(LATE, WHITE, 3)
    (tmp_path / "input.txt").write_text(input_text(Turn(at, (at.black & ~1, at.white))))
    assert main(["explain", "input.txt", *SMALL]) == 0
    assert words_of(capsys).endswith(f"{LEFT} {LAST_MOVE} `--left N` sets the number.")
    assert main(["play", "--black", "random", "--white", "random", "--brief", "--sgf", "game.sgf"]) == 0
    capsys.readouterr()
    assert main(["explain", "game.sgf:21", *SMALL, "--all"]) == 0
    assert "Moves left" not in words_of(capsys)


def test_what_explain_draws_it_reads_back(board, capsys, monkeypatch):
    main(["explain", board])
    first = capsys.readouterr().out
    drawing = "\n".join(first.splitlines()[1:7])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(drawing.encode())))
    assert main(["explain", "-"]) == 0
    assert capsys.readouterr().out == first


def test_a_game_of_ours_move_by_move(bare_board, capsys):
    assert main(["play", "--black", "ours", "--brief", "--seed", "5", "--json", "game.json", "--sgf", "game.sgf"]) == 0
    capsys.readouterr()
    moves = [move["move"] for move in json.loads(Path("game.json").read_text())["moves"]]
    for number in (1, 9, 23):
        for name in ("game.json", "game.sgf"):
            assert main(["explain", f"{name}:{number}"]) == 0
            assert f"\nChosen: {moves[number - 1]} rather than " in capsys.readouterr().out


def test_json_and_svg_go_where_they_are_sent(board, capsys):
    assert main(["explain", board, *SMALL, "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["move"] == "1,1" and "why_not" not in told and "what_if" not in told
    assert main(["explain", board, *SMALL, "--json", "out.json", "--svg", "out.svg"]) == 0
    assert "Chosen: 1,1" in capsys.readouterr().out
    assert json.loads(Path("out.json").read_text()) == told
    assert main(["explain", board, *SMALL, "--svg", "-"]) == 0
    assert capsys.readouterr().out == Path("out.svg").read_text()
    assert ElementTree.parse("out.svg").getroot().tag.endswith("svg")


def test_why_not(board, capsys):
    assert main(["explain", board, *SMALL, "--why-not", "3,3", "--json", "out.json"]) == 0
    shown = capsys.readouterr()
    words = " ".join(shown.out.split())
    assert "Why not 3,3: 1,1 rather than 3,3: cut-across +50, give-atari +35; against 1,1: room-to-move -30." in words
    assert "(2 of 3)" in words and "---" not in words and shown.err == "" and len(shown.out.splitlines()) <= 24
    told = json.loads(Path("out.json").read_text())["why_not"]
    assert told["candidate"]["points"] == 50 and len(told["near_misses"]) == 2
    assert (told["reason"]["move"], told["reason"]["rival"], told["reason"]["by"]) == ("1,1", "3,3", "points")


def test_why_not_with_all_the_points_and_near_misses(board, capsys):
    assert main(["explain", board, *SMALL, "--why-not", "3,3", "--all"]) == 0
    shown = capsys.readouterr().out
    assert "\n  cut-across                         +50       -\n" in shown and "(3 of 3)" in shown
    assert main(["explain", board, *SMALL, "--why-not", "3,3", "--all", "--most", "1"]) == 0
    assert "(1 of 3)" in capsys.readouterr().out


def test_why_not_an_illegal_move_is_one_line(board, capsys):
    assert main(["explain", board, *SMALL, "--why-not", "1,2", "--all"]) == 0
    assert capsys.readouterr().out == "Why not 1,2: 1,2 is illegal: there is a stone already.\n"


def test_why_not_warns_where_the_yaml_has_moved_on(board, capsys, tmp_path):
    edited = tmp_path / "patterns.yaml"
    edited.write_text(edited.read_text(encoding="utf-8").replace("points: 50", "points: 51", 1), encoding="utf-8")
    assert main(["explain", board, *SMALL, "--why-not", "0,0"]) == 0
    assert "patterns.yaml has changed since patterns.txt was made: run `littlego compile`" in capsys.readouterr().err


def test_what_if_a_pattern_were_gone_or_the_file_another(board, capsys, tmp_path):
    assert main(["explain", board, *SMALL, "--without", "cut-across"]) == 0
    assert "Without cut-across: 1,1 is still played." in capsys.readouterr().out
    (tmp_path / "few.yaml").write_text(_few(), encoding="utf-8")
    assert main(["explain", board, *SMALL, "--what-if", "few.yaml", "--json", "out.json"]) == 1
    assert "With few.yaml: " in capsys.readouterr().out
    assert json.loads(Path("out.json").read_text())["what_if"]["moved"] is True
    assert main(["explain", board, "--patterns", "few.yaml"]) == 0
    assert ": only-this (priority 500 before 0)" in " ".join(capsys.readouterr().out.split())


def test_what_if_the_patterns_were_those_of_a_revision(board, capsys):
    if subprocess.run(["git", "rev-parse", "HEAD:patterns.txt"], cwd=ROOT, capture_output=True).returncode:
        pytest.skip("not a git checkout")
    assert main(["explain", board, "--patterns", "HEAD:patterns.txt", "--what-if", "HEAD:patterns.yaml"]) == 0
    assert re.search(r"^With HEAD:patterns.yaml: \d,\d is still played\.$", capsys.readouterr().out, re.M)


def _few():
    """Return a patterns file whose only pattern fires in an empty corner."""
    entry = """\
    class: edge
    summary: Into the corner.
    priority: 500
    diagram: |
      + - -
      | * .
    examples:
      matches:
        - board: |
            . . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 0,0
      no_match:
        - board: |
            . . . . .
            . . . . .
            . . . . .
            . . . . .
            . . . . .
          move: 2,2
"""
    return f"ruleset: little-go\npatterns:\n  - id: only-this\n{entry}"


WRONG = [
    (["explain", "missing.txt"], "missing.txt: No such file or directory"),
    (
        ["explain", "board.txt", "--left", "99"],
        "--left 99: expected an even number from 1 to 18, because Black is to move",
    ),
    (["explain", "board.txt:2"], "board.txt:2: a move number needs a game record"),
    (["explain", "board.txt", "--patterns", "missing.txt"], "cannot read missing.txt: No such file"),
    (["explain", "board.txt", "--patterns", "board.txt"], "board.txt: line 1 is not a header"),
    (["explain", "board.txt", "--patterns", "broken.yaml"], "broken.yaml:3:"),
    (["explain", "board.txt", "--what-if", "missing.yaml"], "missing.yaml: No such file or directory"),
    (["explain", "board.txt", *SMALL, "--without", "cut-acros"], "no pattern `cut-acros`; did you mean `cut-across`?"),
    (["explain", "board.txt", "--why-not", "5,0"], "--why-not 5,0: expected row,column, each from 0 to 4, or pass"),
    (["explain", "board.txt", "--why-not", "tengen"], "--why-not tengen: expected row,column"),
    (["explain", "board.txt", "--why-not", "0,0", "--without", "cut-across"], "ask one question at a time"),
    (["explain", "board.txt", "--json", "--svg", "-"], "name a file for one of the two"),
    (["explain", "board.txt", "--json", "no/folder.json"], "cannot write no/folder.json: No such file or directory"),
    (["explain", "board.txt", "--svg", "."], "cannot write .: Is a directory"),
]


@pytest.mark.parametrize(("args", "message"), WRONG, ids=[" ".join(args) for args, _ in WRONG])
def test_a_wrong_argument_is_one_line_and_status_2(args, message, board, capsys, tmp_path):
    (tmp_path / "broken.yaml").write_text("ruleset: little-go\npatterns:\n  - id: 7\n")
    (tmp_path / "small.txt").write_text(". . .\n. X .\n. . .\n")
    assert main(args) == 2
    shown = capsys.readouterr()
    assert message in shown.err and shown.out == ""
    error = shown.err.removeprefix("littlego: using patterns.yaml in this folder\n")
    assert error.count("\n") == 1 and "Traceback" not in error


def test_a_pattern_file_that_is_compiled_is_read_without_the_libraries_of_others(board, tmp_path):
    (tmp_path / "input.txt").write_text("1\n" + "00000\n" * 10)
    heavy = "any(name in sys.modules for name in ('yaml', 'rich', 'numpy', 'jinja2'))"
    program = f"import sys; from littlego.cli.main import main; status = main(); sys.exit(9 if {heavy} else status)"
    without = ["explain", "input.txt", *SMALL, "--without", "give-atari", "--svg", "a.svg"]
    for args in (["explain", board], without, ["new", board, "--no-fit"]):
        done = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and done.stdout, done.stderr
