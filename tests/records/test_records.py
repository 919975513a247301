"""Tests that SGF and JSON restore every position of a recorded game, and that sgfmill reads our SGF."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf, sgf_moves

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.games.boards import parse_board
from littlego.match.referee import Game, GameRecord, Move, Player, Reply, record_json
from littlego.records.inputs import position_at
from littlego.records.main_line import game_sgf
from littlego.records.records import RecordError, game_json
from littlego.records.sgf_writing import record_sgf
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, opening
from littlego.rules.ruleset import LITTLE_GO, little_go


@st.composite
def games(draw):
    """Draw a game of legal moves and passes, finished or not: (positions before each move, moves)."""
    position = opening(little_go(draw(st.sampled_from([3, 5, 9]))))
    before, moves = [position], []
    for _ in range(draw(st.integers(0, 30))):
        move = draw(st.sampled_from([*points_of(position.legal()), PASS]))
        moves.append(move)
        if position.ends_with(move):
            break
        position = position.play(move)
        before.append(position)
    return before, moves


def recorded(before, moves):
    played = tuple(
        Move(position.number, position.colour, move, 0.0, "why [not] \\ so", "", "")
        for position, move in zip(before, moves, strict=False)
    )
    return GameRecord(before[0].ruleset, ("a", "b"), 0, 0, played, BLACK, "", 1, 0, "", 0, 0)


def told(position):
    return position.black, position.white, position.colour, position.ko, position.passed, position.left


@settings(max_examples=40)
@given(games())
def test_every_position_comes_back(game):
    before, moves = game
    record = recorded(before, moves)
    for found in (game_sgf(record_sgf(record)), game_json(json.dumps(record_json(record)))):
        assert [told(position) for position in found.positions()] == [told(position) for position in before]


def test_the_number_is_the_move_to_be_made_and_without_it_the_record_goes_on(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[5];B[cc];W[bc](;B[bb])(;B[dd]))")
    numbers = [position_at(f"{file}:{number}").number for number in (1, 2, 3, 4)]
    assert numbers == [1, 2, 3, 4] and position_at(str(file)).number == 4
    assert position_at(str(file)).black == 1 << 12 | 1 << 6  # sgfmill's main line; its rows are numbered from the top
    with pytest.raises(ArgumentError, match=r"game.sgf:5: the record has 3 moves; expected a move from 1 to 4"):
        position_at(f"{file}:5")
    with pytest.raises(ArgumentError, match=r"game.sgf:0: "):
        position_at(f"{file}:0")


def test_a_game_that_is_over_stands_before_its_last_move(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[5];B[cc];W[];B[])")
    position = position_at(str(file))
    assert (position.number, position.passed) == (3, True)
    with pytest.raises(ArgumentError, match="the record has 3 moves; expected a move from 1 to 3"):
        position_at(f"{file}:4")


def test_moves_left_can_be_said_of_a_record_too(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[5];B[cc])")
    assert position_at(str(file), left=3).left == 3


def test_stones_set_up_before_the_first_move():
    record = game_sgf("(;SZ[9]HA[2]AB[cc][gg];W[ee];B[ef])", LITTLE_GO.name)
    positions = record.positions()
    assert positions[0].black == 1 << 20 | 1 << 60 and positions[0].colour == WHITE
    assert len(positions) == 3 and positions[2].left == positions[0].left - 2
    assert game_sgf("(;SZ[5]AB[cc]PL[W])").start.colour == WHITE


def test_a_record_may_name_another_encoding(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_bytes("(;SZ[5]CA[ISO-8859-1]PB[J\u00fcrgen];B[cc];W[bc])".encode("latin-1"))
    assert position_at(str(file)).number == 3


WRONG = {
    "suicide": ("(;SZ[5]\n;B[ab];W[ee]\n;B[ba];W[aa])", ":3:7: move 4, 0,0: it is suicide"),
    "a stone on a stone": ("(;SZ[5];B[cc]\n\n;W[cc])", ":3:1: move 2, 2,2: there is a stone already"),
    "brackets in a comment": ("(;SZ[5]C[a \\] B[ \n W\\[ ]\n;B[cc];W[cc])", ":3:7: move 2"),
    "truncated": ("(;SZ[5]\n;B[cc", ":2:3: truncated: the value that begins here has no end"),
    "no game": ("B[cc]", ": not an SGF file: it has no `(;`"),
    "nonsense": ("(;", ":1: invalid SGF: truncated, expected a property"),
    "size": ("(;SZ[25])", ": a board of size 25; expected size 2 to 19"),
    "tiny": ("(;SZ[1])", ": a board of size 1; expected size 2 to 19"),
    "no size": ("(;SZ[five])", ": its size, SZ[five], is not a board size"),
    "oblong": ("(;SZ[5:7])", ": a board of 5 by 7; expected a square board"),
    "off the board": ("(;SZ[5]\n;B[zz])", ":2:1: move 1 is 'zz', not a point of a board of size 5"),
    "set up off the board": ("(;SZ[5]AB[aa:gg])", ":1:2: AB has a value that is not a point of a board of size 5"),
    "set up twice": ("(;SZ[5]AB[aa]AW[aa])", ":1:2: a point is set up twice"),
    "impossible set-up": (
        "(;SZ[2]AB[aa][ab][ba][bb])",
        ":1:2: not a position of Go: a chain that is set up has no liberty",
    ),
    "moves left that cannot be": (
        "(;SZ[5]AB[cc]PL[W]LGML[22])",
        ": LGML[22] moves left; expected an odd number from 1 to 23",
    ),
    "rules of another size": (
        "(;SZ[9]RU[match-13])",
        ": its rules, RU[match-13], are for size 13; its board has size 9",
    ),
    "prisoners": ("(;SZ[9]LGPR[a]RU[match-9])", ": found LGPR[a]; expected Black's and White's prisoners"),
    "more nodes than there are": ("(;" * 60_000 + ")" * 60_000, ": more than 50,000 nodes; expected at most 50,000"),
    "broken off in each of many values": ("(;SZ[5]" + ";B[" * 200_000, ":1:10: truncated: the value"),
    "broken off after a backslash": ("(;SZ[5]C[a\\", ":1:9: truncated: the value"),
    "deep variations": ("(;SZ[5]" + "(;B[cc]" * 10_000 + ")" * 10_001, ":1:16: move 2"),
}


WRONG["more moves than there are"] = (
    "(;SZ[9]" + ";B[aa];W[bb];AE[aa][bb]" * 5_001 + ")",
    ": more than 10,000 moves; expected at most 10,000",
)


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_a_record_that_cannot_be_followed_says_where(text, message):
    with pytest.raises(RecordError) as error:
        record = game_sgf(text)
        record.positions()
        record.check_whole()
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


READ = {  # (text, moves, warning)
    "twice in turn": (
        "(;SZ[5];B[cc];B[dd])",
        2,
        ":1:14: move 2: Black moves, but it is White's turn; accepted as in the file",
    ),
    "after two passes": (
        "(;SZ[5];B[cc];W[];B[];W[dd])",
        3,
        ":1:22: another move, but the game ended with move 3; ignored",
    ),
    "text between properties": (
        "(;SZ[5]\n;{}B[cc])",
        1,
        ":2:2: skipped '{}'; expected a property such as B[cc], `;`, `(` or `)`",
    ),
    "set up later": ("(;SZ[5];B[cc];AB[aa])", 1, ":1:14: stones are set up after move 1; read as a new position"),
    "no colour": ("(;SZ[5]PL[green])", 0, ":1:2: PL[green] is not a player; expected B or W; ignored"),
    "komi": (
        "(;SZ[9]KM[six])",
        0,
        ":1:2: KM[six] is not a valid komi for this board; expected a whole or half number from -81 to 81; read as 6.5",
    ),
}


@pytest.mark.parametrize(("text", "moves", "warning"), READ.values(), ids=READ)
def test_a_fault_that_leaves_the_game_readable_is_a_warning(text, moves, warning):
    record = game_sgf(text)
    record.positions()
    record.check_whole()
    assert len(record.moves) == moves and list(map(str, record.remarks)) == [warning]


def test_a_number_of_thousands_of_digits_is_no_move():
    with pytest.raises(RecordError, match="^: not the JSON of a game: Exceeds the limit"):
        game_json('{"moves": [' + "1" * 5000 + "]}")


def test_a_whole_board_of_little_go_ends_with_its_last_move():
    moves = [{"move": "PASS" if number % 2 else f"{number // 10},{number % 10 // 2}"} for number in range(25)]
    with pytest.raises(RecordError, match="move 25.*the game ended with move 24"):
        game_json(json.dumps({"moves": moves})).positions()


class Scripted(Player):
    def __init__(self, name, replies):
        self.name, self.replies = name, list(replies)

    def choose(self, turn):
        return self.replies.pop(0)


def played(black, white):
    return Game((Scripted("Ada", black), Scripted("Bob \\ ]:", white)), LITTLE_GO).play()


def replayed(data):
    """Return (X mask, O mask, plays) of the game by sgfmill's reader and board."""
    game = sgf.Sgf_game.from_bytes(data)
    board, plays = sgf_moves.get_setup_and_moves(game)
    for colour, move in plays:
        if move is not None:
            board.play(*move, colour)
    rows = [
        [
            "." if not board.get(4 - row, column) else "X" if board.get(4 - row, column) == "b" else "O"
            for column in range(5)
        ]
        for row in range(5)
    ]
    return *parse_board("\n".join("".join(row) for row in rows))[1:], plays


def test_a_game_replays_to_the_same_result(tmp_path):
    path, kept = tmp_path / "game.sgf", tmp_path / "game.json"
    files = ["--sgf", str(path), "--json", str(kept)]
    assert main(["play", "--black", "ours", "--white", "greedy", "--seed", "3", "--brief", *files]) == 0
    black, white, plays = replayed(path.read_bytes())
    lead = bin(black).count("1") - bin(white).count("1") - 2.5
    assert len(plays) == 24 and lead == json.loads(kept.read_text())["lead"]
    root = sgf.Sgf_game.from_bytes(path.read_bytes()).get_root()
    assert root.get("RE") == f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"
    assert (root.get("PB"), root.get("PW"), root.get("KM"), root.get_size()) == ("ours", "greedy", 2.5, 5)
    assert "open-in-the-centre" in path.read_text()


def test_points_are_counted_from_the_top_left():
    record = played([Reply(0, reason="a corner ] \\ :"), Reply(PASS)], [Reply(9), Reply(PASS)])
    game = sgf.Sgf_game.from_string(record_sgf(record))
    nodes = game.get_main_sequence()
    assert [node.get_move() for node in nodes[1:]] == [("b", (4, 0)), ("w", (3, 4)), ("b", None), ("w", None)]
    assert nodes[1].get("C") == "a corner ] \\ :" and game.get_player_name("w") == "Bob \\ ]:"


def test_reasons_name_points_as_go_programs_show_them():
    reasons = ["1,1 rather than 4,4: see 9,9, and 2.5 points", "the corner"]
    record = played(
        [Reply(6, reason=reasons[0], note="wrote 1,1"), Reply(PASS)], [Reply(8, reason=reasons[1]), Reply(PASS)]
    )
    nodes = sgf.Sgf_game.from_string(record_sgf(record)).get_main_sequence()
    assert nodes[1].get("C") == "B4 rather than E1: see 9,9, and 2.5 points\nwrote 1,1"
    assert nodes[2].get("C") == "the corner"


def test_the_version_in_a_file_is_the_one_that_the_command_line_tells(capsys):
    assert main(["--version"]) == 0
    name, version = capsys.readouterr().out.split()
    assert sgf.Sgf_game.from_string(record_sgf(played([Reply(PASS)], [Reply(PASS)]))).get_root().get("AP") == (
        name,
        version,
    )


@pytest.mark.parametrize(
    "reply, result, said",
    [
        (Reply(RESIGN), "W+R", None),
        (Reply(None, fault="it wrote nothing", note="exit status 1"), "W+F", "it wrote nothing"),
        (Reply(12), "W+F", "illegal move"),
    ],
)
def test_how_a_game_ends_is_in_the_result(reply, result, said):
    record = played([Reply(12), reply], [Reply(13)])
    root = sgf.Sgf_game.from_string(record_sgf(record))
    assert root.get_root().get("RE") == result and record.winner == WHITE
    assert len(root.get_main_sequence()) == 3
    assert said is None or said in root.get_last_node().get("C")


def test_a_fault_on_the_first_move_stands_at_the_root():
    record = played([Reply(None, fault="late")], [])
    text = record_sgf(record)
    assert "RE[W+F]" in text and "late" in sgf.Sgf_game.from_string(text).get_root().get("C")
    assert record.fault == BLACK


def test_a_file_that_cannot_be_written_is_told(tmp_path, capsys):
    nowhere = str(tmp_path / "no" / "a.sgf")
    assert main(["play", "--black", "random", "--white", "random", "--brief", "--sgf", nowhere]) == 2
    assert f"cannot write {nowhere}: " in capsys.readouterr().err
