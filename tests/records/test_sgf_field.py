"""Tests that all moves of faulty files from the field (tests/data/field) are read, with warnings."""

from __future__ import annotations

from pathlib import Path

import pytest

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.editor.games import game_json
from littlego.editor.opening import open_game
from littlego.records.inputs import position_at
from littlego.records.komi import komi_of
from littlego.records.main_line import game_sgf
from littlego.records.sgf import read_games
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, WHITE

FIELD = Path(__file__).parents[1] / "data" / "field"
FILES = {  # name: (number of moves, texts that the warnings contain, in order)
    "01-sjis-undeclared.sgf": (5, [": no encoding declared; read as "]),
    "03-fox-komi.sgf": (2, [":1:2: KM[375] read as a komi of 7.5"]),
    "04-kgs-handicap.sgf": (5, []),
    "05-three-passes.sgf": (5, [":1:39: another pass, but the game ended with move 5; ignored"]),
    "06-pl-midgame.sgf": (3, []),
    "07-utf16.sgf": (2, []),
    "08-root-without-semicolon.sgf": (3, [":2:1: the root has no `;`", ":2:1: KO[6.5] read as a komi of 6.5"]),
    "14-dashes.sgf": (2, [":2:1: skipped '---'"]),
    "16-HA4-no-AB.sgf": (2, [":1:2: HA[4] without its stones; expected AB; read without handicap stones"]),
    "39-passes.sgf": (7, []),
}


def test_every_file_is_listed():
    assert sorted(path.name for path in FIELD.glob("*.sgf")) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_file_from_the_field_is_read_and_its_faults_are_told(name):
    moves, warnings = FILES[name]
    said = []
    last = position_at(str(FIELD / name), tell=said.append)
    assert len(said) == len(warnings), said
    for line, warning in zip(said, warnings, strict=True):
        assert line.startswith(f"{FIELD / name}{warning}")
    before = position_at(f"{FIELD / name}:{moves}", tell=said.append)
    assert before.number == moves
    answer = game_json(open_game(name, (FIELD / name).read_bytes()))
    assert len(answer["moves"]) + (name == "04-kgs-handicap.sgf") == moves and len(answer["remarks"]) >= len(warnings)
    assert last.ruleset.size == 9


@pytest.mark.parametrize("name", FILES)
def test_the_commands_read_a_file_from_the_field(name, tmp_path, capsys):
    assert main(["explain", str(FIELD / name)]) == 0
    assert main(["annotate", str(FIELD / name), "--moves", "1", "-o", str(tmp_path / "out.sgf")]) == 0
    said = capsys.readouterr()
    assert "Traceback" not in said.err and "1 moves annotated" in said.out
    written = game_sgf((tmp_path / "out.sgf").read_text(encoding="utf-8"))
    assert len(written.moves) == FILES[name][0]


NO_KOMI = "is not a valid komi for this board; expected a whole or half number from -361 to 361; read as 6.5"
KOMI = {  # root properties: (komi, warning)
    "KM[375]AP[foxwq]": ("7.5", "KM[375] read as a komi of 7.5"),
    "KM[375]": ("7.5", "KM[375] read as a komi of 7.5"),
    "KM[325]AP[GNU Go:3.8]AP[foxwq]": ("6.5", "KM[325] read as a komi of 6.5"),
    "KM[275]AP[foxwq]": ("5.5", "KM[275] read as a komi of 5.5"),
    "KM[350]AP[foxwq]": ("7", "KM[350] read as a komi of 7"),
    "KM[550]AP[SGFC:2.0]": ("5.5", "KM[550] read as a komi of 5.5"),
    "KM[650]": ("6.5", "KM[650] read as a komi of 6.5"),
    "KM[700]": ("7", "KM[700] read as a komi of 7"),
    "KM[750]": ("7.5", "KM[750] read as a komi of 7.5"),
    "KM[50]AP[foxwq]": ("0.5", "KM[50] read as a komi of 0.5"),
    "KM[0]AP[foxwq]": ("0", ""),
    "KM[6.5]AP[foxwq]": ("6.5", ""),
    "KM[3.75]RU[Chinese]": ("7.5", "KM[3.75] read as a komi of 7.5"),
    "KM[2,5]": ("2.5", ""),
    "KM[-10.5]": ("-10.5", ""),
    "KM[50]": ("50", ""),
    "KM[]": ("", ""),
    "": ("", ""),
    "KO[6.5]": ("6.5", "KO[6.5] read as a komi of 6.5"),
    "KM[1e9]": ("", f"KM[1e9] {NO_KOMI}"),
    "KM[6.3]": ("", f"KM[6.3] {NO_KOMI}"),
    "KM[-99999]": ("", f"KM[-99999] {NO_KOMI}"),
}


@pytest.mark.parametrize("properties", KOMI)
def test_komi_as_programs_write_it(properties):
    root = read_games(f"(;SZ[19]{properties};B[cc])")[0]
    assert komi_of(root, 19) == KOMI[properties]


def test_no_small_board_allows_a_komi_of_fifty():
    assert komi_of(read_games("(;SZ[9]KM[50];B[cc])")[0], 9)[0] == "0.5"


QUIRKS = {  # (text, moves, colour to move, warnings)
    "a handicap as Black's moves": ("(;SZ[9]HA[2];B[gc];B[cg];W[cc])", 3, BLACK, []),
    "a handicap whose points are free": (
        "(;SZ[9]HA[2];W[ee])",
        1,
        BLACK,
        ["HA[2] without its stones; expected AB; read with stones on the star points"],
    ),
    "PL that agrees": ("(;SZ[9];B[gc];W[cc]PL[B];B[ee])", 3, WHITE, []),
    "PL that does not": (
        "(;SZ[9];B[gc];W[cc];PL[W];B[ee])",
        3,
        WHITE,
        ["PL[W], but Black moves next; PL is ignored"],
    ),
    "PL at the end": ("(;SZ[9];B[gc];W[cc];PL[W])", 2, WHITE, []),
    "PL as a number": ("(;SZ[9]AB[gc]PL[1];B[cc])", 1, WHITE, []),
    "PL as the other number": ("(;SZ[9]AB[gc]PL[2])", 0, WHITE, []),
    "play goes on after two passes": (
        "(;SZ[9];B[gc];W[];B[];W[cc])",
        4,
        BLACK,
        ["the game ended with move 3, but moves follow; read as a game that continues"],
    ),
    "stones in mid-game": (
        "(;SZ[9];B[gc];AW[dd]AE[gc];W[cc])",
        2,
        BLACK,
        ["stones are set up after move 1; read as a new position"],
    ),
    "prose between nodes": (
        "(;SZ[9];B[gc]\nNow White (a strong player) answers.\n;W[cc])",
        2,
        BLACK,
        ["skipped 'Now White'", "skipped 'a strong player'", "skipped 'answers.'"],
    ),
    "prose after a comment": ("(;SZ[9];B[gc]C[good]\n=====\n;W[cc])", 2, BLACK, ["skipped '====='"]),
    "a `)` too many": ("(;SZ[9];B[gc]);W[cc])", 2, BLACK, ["ignored an extra `)`"]),
    "no `)`": ("(;SZ[9];B[gc];W[cc]", 2, BLACK, ["truncated: the file ends"]),
    "another game": ("(;GM[4]SZ[9];B[gc])", 1, WHITE, ["GM[4] is another game"]),
    "a private property with a dot": ("(;SZ[9];B[gc].AB[aa];W[cc])", 2, BLACK, []),
    "a variation without `;`": ("(;SZ[9];B[gc](W[cc])(W[dd]))", 2, BLACK, ["a variation without `;`"] * 2),
}


@pytest.mark.parametrize("case", QUIRKS)
def test_habits_of_other_programs(case):
    text, moves, colour, warnings = QUIRKS[case]
    record = game_sgf(text)
    said = [remark.text for remark in record.remarks]
    assert len(record.moves) == moves and record.positions()[-1].colour == colour
    assert len(said) == len(warnings), said
    assert all(one.startswith(warning) for one, warning in zip(said, warnings, strict=True)), said


def test_stones_set_up_in_mid_game_are_on_the_board_from_there():
    positions = game_sgf("(;SZ[9];B[gc];AW[dd]AE[gc];W[cc])").positions()
    assert list(points_of(positions[1].black)) == [] and list(points_of(positions[1].white)) == [30]
    assert positions[2].white.bit_count() == 2


def test_the_fault_of_a_later_move_is_not_told_of_an_earlier_position(tmp_path):
    file, said = tmp_path / "game.sgf", []
    file.write_text("(;SZ[9];B[gc];W[cc];B[];W[];B[])")
    position_at(f"{file}:3", tell=said.append)
    assert not said
    with pytest.raises(ArgumentError, match="the record has 4 moves"):
        position_at(f"{file}:5", tell=said.append)


@pytest.mark.parametrize("command", ["explain", "annotate", "new", "solve", "gtp"])
def test_every_command_that_reads_sgf_takes_an_encoding(command, capsys):
    assert main([command, *([] if command == "gtp" else ["game.sgf"]), "--encoding", "x-nobody"]) == 2
    assert "expected an encoding such as shift_jis" in capsys.readouterr().err
