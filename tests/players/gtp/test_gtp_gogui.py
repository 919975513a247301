"""Tests of GoGui's commands: reasons as graphics, rules for its referee, sequences, and setup."""

import random
import re

import pytest
import slow_go
from gtp_talk import Talk
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.games.game import margin2, opening
from littlego.games.little_go import little_go_of
from littlego.games.match import match_rules
from littlego.games.vertices import parse_vertex, vertex_text
from littlego.players.gtp import gogui
from littlego.players.gtp.gogui import ANALYZE_COMMANDS, MOST_TEXT, Drawing, captured
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, WHITE
from littlego.rules.ruleset import LITTLE_GO

WORDS = ["BLACK", "WHITE", "CIRCLE", "COLOR", "INFLUENCE", "LABEL", "MARK", "SQUARE", "TEXT", "TRIANGLE", "VAR"]
CROSSCUT = "gogui-play_sequence b C3 w C4 b B4 w D4 b D3"  # White to play
ENDING = "C3 C4 B3 D3 D2 D4 E2 B4 A4 B2 C2 A2 A3 E3 B1 B5"
ENDGAME = "gogui-play_sequence " + " ".join(
    f"{'bw'[number % 2]} {vertex}" for number, vertex in enumerate(ENDING.split())
)  # Black to play, 8 moves left


def ours(*commands, rules=LITTLE_GO):
    talk = Talk(rules, player="ours")
    for command in commands:
        assert talk.ask(command) == "=", command
    return talk


def drawn(answer, size):
    """Return {word: points or text} of a gfx answer. LABEL has {point: text}, and `COLOR red` counts as one word."""
    assert answer.startswith("= "), answer
    found = {}
    for line in answer[2:].splitlines():
        word, *rest = line.split(" ")
        assert word in WORDS
        if word == "TEXT":
            assert word not in found  # two of these words would make GoGui open a window, so the answers avoid them
            found[word] = " ".join(rest)
            continue
        if word == "COLOR":
            word = f"COLOR {rest.pop(0)}"
        texts = rest[1::2] if word == "LABEL" else []
        points = [parse_vertex(vertex, size) for vertex in (rest[::2] if word == "LABEL" else rest)]
        assert points and all(point is not None and point >= 0 for point in points), line
        found[word] = dict(zip(points, texts, strict=True)) if word == "LABEL" else points
    return found


def test_the_commands_that_gogui_lists():
    answer = ours().ask("gogui-analyze_commands")
    assert answer == "= " + "\n".join(ANALYZE_COMMANDS)
    known = ours().ask("list_commands").split()
    for line in ANALYZE_COMMANDS:
        kind, label, command = line.split("/")
        assert kind in ("gfx", "plist", "hstring", "hpstring", "string", "param") and label
        assert command.split()[0] in known


def test_why_a_move_is_played():
    assert ours(CROSSCUT).ask("littlego-why w") == (
        "= COLOR cyan A1 B1 A2 B2\nMARK B2\n"
        "TEXT B2 rather than C2: second-line-corner +12, early-second-line-with-room +10, mirror-the-side +9, "
        "shoulder-hit +9, 3 more +15; against B2: meet-one-stone -13, your-point-is-mine -8, 1 more -2. In the "
        "opening, take the 2-2 point of an empty corner: the stone holds the corner and has room for eyes."
    )


def test_the_pattern_is_drawn_where_it_lies_whatever_the_board():
    for rules in (LITTLE_GO, match_rules(7)):
        talk = ours("gogui-play_sequence b C3 w C4 b B4 w D4 b D3", rules=rules)
        size, stones = rules.size, talk.session.position.black | talk.session.position.white
        for point in points_of(talk.session.position.legal()):
            found = drawn(talk.ask(f"littlego-fires {vertex_text(point, size)}"), size)
            assert found["MARK"] == [point]
            cells = found.get("COLOR cyan", [])
            assert not cells or point in cells  # a pattern's drawing includes its move
            assert all(0 <= cell < size * size for cell in cells) and set(found.get("LABEL", {})) <= set(cells)
            if "no pattern fires" not in found["TEXT"]:
                assert re.match(rf"{vertex_text(point, size)}: [a-z-]+ [+-]\d+", found["TEXT"])
        assert stones == talk.session.position.black | talk.session.position.white


def test_candidates_are_safe_or_vetoed():
    found = drawn(ours(CROSSCUT).ask("littlego-candidates b"), 5)
    assert found["MARK"] == [18]
    assert set(found["COLOR red"]) == {parse_vertex(vertex, 5) for vertex in ["D5", "C5", "E5", "E1", "A1"]}
    assert not set(found["COLOR red"]) & set(found["COLOR green"])
    assert found["LABEL"][18] == "163" and len(found["LABEL"]) == 10
    assert found["TEXT"] == "our player plays D2 with priority 500; 6 of 21 moves are vetoed"  # the pass too
    # White may lose a stone at this point
    assert "COLOR red" not in drawn(ours(CROSSCUT).ask("littlego-candidates w"), 5)


def test_why_not_a_move():
    talk = ours(CROSSCUT)
    assert talk.ask("littlego-why_not A1") == (
        "= MARK A1\nSQUARE B2\nCIRCLE A2\nTEXT B2 rather than A1: not-on-the-first-line +60, "
        "white-may-lose-a-stone +30, 12 more +126."
    )
    assert talk.ask("littlego-why_not c3") == "= MARK C3\nSQUARE B2\nTEXT C3 is illegal: there is a stone already."
    assert drawn(talk.ask("littlego-why_not b2"), 5)["TEXT"] == "B2 is the chosen move."
    assert "PASS" in drawn(talk.ask("littlego-why_not pass"), 5)["TEXT"]


def test_exact_values_and_winning_moves():
    talk = ours(ENDGAME)
    found = drawn(talk.ask("littlego-values b"), 5)
    assert found["LABEL"][parse_vertex("C1", 5)] == "+0.5"
    winning = [parse_vertex(vertex, 5) for vertex in talk.ask("littlego-winning b")[2:].split()]
    assert sorted(winning) == sorted(found["COLOR green"])
    labels = found["LABEL"].items()
    assert {point for point, text in labels if text[0] == "+"} == set(winning)
    assert {point for point, text in labels if text[0] == "-"} == set(found["COLOR red"])
    assert re.fullmatch(rf"{len(winning)} of {len(labels) + 1} moves win; the pass loses", found["TEXT"])
    talk.ask("komi 3")
    tied = drawn(talk.ask("littlego-values b"), 5)
    assert tied["COLOR yellow"] == found["COLOR green"] and "COLOR green" not in tied
    assert ours().ask("littlego-values b") == "? not solved: the solver needs Little-Go on 5x5 with 1 to 14 moves left"
    assert ours(rules=match_rules(5)).ask("littlego-winning b").startswith("? not solved")


def test_the_explanation_in_words():
    assert ours(CROSSCUT).ask("littlego-explain w").splitlines()[-4:] == [
        "* B2          500     174        12  safe",
        "  C2          500     142        10  safe",
        "  D2          500     134        12  safe",
        "  and 18 other moves, all with their patterns: littlego-candidates",
    ]


def test_what_if_a_pattern_were_not_there():
    talk = ours(CROSSCUT)
    without = talk.ask("littlego-without toward-the-centre")
    assert "Without toward-the-centre: B2 is still played." in without
    assert "toward-the-centre                 +6       -" in without
    four = talk.ask("littlego-without early-second-line-with-room second-line-corner mirror-the-side shoulder-hit")
    assert "\nand shoulder-hit: C2 is played instead of B2." in four
    assert talk.ask("littlego-without nothing-like-it") == "? no pattern `nothing-like-it`"
    assert talk.ask("littlego-without") == "? missing pattern"


def test_what_changes_is_told_on_the_largest_board_too():
    talk = ours("play b Q16", rules=match_rules())
    reason = talk.ask("littlego-why w")
    assert "COLOR" in reason
    text = next(line for line in reason.splitlines() if line.startswith("TEXT"))
    name = re.search(r"([a-z]+(?:-[a-z]+)+) [(+]", text)[1]
    assert f"Without {name}: " in talk.ask(f"littlego-without {name}")


def test_settings():
    talk = ours()
    assert talk.ask("littlego-param") == "= [bool] overrides 1\n[bool] reasons 1"
    assert talk.ask("littlego-param reasons 0") == "="
    assert talk.ask("littlego-param") == "= [bool] overrides 1\n[bool] reasons 0"
    assert not talk.session.player.with_reasons and talk.session.player.with_overrides
    talk.ask("littlego-param overrides 0")
    assert talk.session.player.overrides(LITTLE_GO) is None
    talk.ask("littlego-param overrides 1")
    assert talk.session.player.overrides(LITTLE_GO) is not None
    assert talk.ask("littlego-param komi 7") == "? unknown setting 'komi'; expected overrides or reasons"
    for wrong in ("overrides", "overrides 2", "overrides 1 1"):
        found = wrong.removeprefix("overrides").strip()
        assert talk.ask(f"littlego-param {wrong}") == f"? overrides: found {found!r}; expected 0 or 1"


def test_who_has_no_patterns_says_so():
    talk = Talk()  # this session's player moves at random
    for command in ("why b", "candidates b", "why_not C3", "fires C3", "explain b", "without x", "param"):
        assert talk.ask(f"littlego-{command}").startswith("? random does not play by patterns"), command


@pytest.mark.parametrize("command", ["why", "candidates", "values", "winning", "explain"])
def test_after_the_end_and_without_a_colour(command):
    over = ours("gogui-play_sequence b C3 w pass b pass")
    assert over.ask(f"littlego-{command} w") == "? the game is over"
    assert ours().ask(f"littlego-{command}") == "? invalid color"
    assert ours().ask(f"littlego-{command} green") == "? invalid color"


@pytest.mark.parametrize("command", ["why_not", "fires"])
def test_a_point_that_is_none(command):
    for words in ("", " Z9", " I3", " C9"):
        assert ours().ask(f"littlego-{command}{words}") == "? invalid coordinate"


def test_a_long_text_is_cut_and_a_pass_is_nowhere():
    drawing = Drawing(5)
    drawing.mark("MARK", [PASS])
    drawing.label({PASS: "1"})
    drawing.say("1,1 " + "x" * 1000)
    assert drawing.text() == "TEXT B4 " + "x" * (MOST_TEXT - 6) + "..."


RULERS = [
    pytest.param(LITTLE_GO, "littlego", id="little-go"),
    pytest.param(little_go_of(3), "littlego", id="little-go-3"),
    pytest.param(match_rules(5), "match", id="match"),
    pytest.param(match_rules(5, 0, False), "matchnopassstoneskomi", id="match-0"),
]


@pytest.mark.parametrize(("rules", "name"), RULERS)
def test_gogui_referees_whole_games(rules, name):
    """Referee random games like GoGui: query the legal moves until none is left, and then the result.

    The test compares board, turn, legal moves, captures and result with a slow referee, or with our ruleset
    where the slow referee lacks a rule.
    """
    size = rules.size
    for seed in range(4):
        draw, talk = random.Random(seed), Talk(rules)
        assert talk.ask("gogui-rules_game_id") == f"= {name}" and talk.ask("gogui-rules_board_size") == f"= {size}"
        position, board = opening(rules), slow_go.board_of(size, 0, 0)
        taken, ended = {"X": 0, "O": 0}, False
        before = None
        for _ in range(200):
            stone, colour = ("X", "black") if position.colour == BLACK else ("O", "white")
            rows = ["".join(row.split()) for row in talk.ask("gogui-rules_board").splitlines()[1:]]
            assert rows == ["".join(board[row, column] for column in range(size)) for row in range(size)]
            assert talk.ask("gogui-rules_side_to_move") == f"= {colour}"
            legal = talk.ask("gogui-rules_legal_moves").removeprefix("=").split()
            if ended:
                assert legal == []
                break
            assert legal.pop() == "pass"
            points = {divmod(parse_vertex(vertex, size), size) for vertex in legal}
            expected = slow_go.legal(board, stone, before)
            assert points == expected if rules.length else points <= slow_go.legal(board, stone, None)
            move = PASS if draw.random() < 0.15 or not legal else parse_vertex(draw.choice(legal), size)
            assert talk.ask(f"play {colour} {vertex_text(move, size)}") == "="
            ended, position = position.ends_with(move), position.play(move)
            before = board
            if move == PASS:
                taken["O" if stone == "X" else "X"] += 0 if rules.length or not rules.pass_stones else 1
            else:
                board, gone = slow_go.play(board, divmod(move, size), stone)
                taken[stone] += len(gone)
            assert talk.ask("gogui-rules_captured_count") == f"= {taken['X']} {taken['O']}"
        lead = margin2(position) / 2
        said = f"{'Black' if lead > 0 else 'White'} wins by {abs(lead):g}." if lead else "A tie."
        assert ended and talk.ask("gogui-rules_final_result") == f"= {said}"


def test_the_24th_move_ends_little_go():
    talk = ours(ENDGAME)
    for number, vertex in enumerate(["C1", "A5", "D5", "pass", "A1", "E4", "E1"]):
        talk.ask(f"play {'bw'[number % 2]} {vertex}")
    assert talk.ask("gogui-rules_legal_moves").endswith(" pass")
    assert talk.ask("gogui-rules_final_result") == "= The game is not over."
    talk.ask("play w E5")
    assert talk.ask("gogui-rules_legal_moves") == "=" and talk.ask("gogui-rules_final_result") == "= Black wins by 0.5."


def test_the_point_of_a_ko_is_not_legal_and_is_drawn():
    moves = ["B2", "B3", "A3", "C2", "B4", "D3", "E5", "C4", "C3"]  # the last move captures B3
    talk = ours(*(f"play {'bw'[number % 2]} {vertex}" for number, vertex in enumerate(moves)))
    assert "B3" not in talk.ask("gogui-rules_legal_moves").split()
    assert talk.ask("gogui-rules_captured_count") == "= 1 0"
    assert drawn(talk.ask("gogui-rules_board_gfx"), 5) == {
        "CIRCLE": [12],
        "SQUARE": [11],
        "TEXT": "White to play move 10 (15 left, including this move)",
    }


def test_what_is_drawn_of_a_match():
    talk = ours("gogui-play_sequence b C3 w pass", rules=match_rules(9))
    assert talk.ask("gogui-rules_board_gfx") == "= TEXT Black to play move 3; prisoners: Black 1, White 0"
    talk.ask("play b pass")
    assert drawn(talk.ask("gogui-rules_board_gfx"), 9)["TEXT"] == talk.ask("gogui-rules_final_result")[2:]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), bad=st.integers(0, 12))
def test_a_sequence_is_played_as_a_whole_or_not_at_all(seed, bad):
    draw, talk, alone = random.Random(seed), Talk(), Talk()
    talk.ask("play b C3")
    alone.ask("play b C3")
    words = []
    for number in range(12):
        position = alone.session.position
        move = vertex_text(draw.choice([*points_of(position.legal()), PASS]), 5)
        colour = "bw"[position.colour - 1]
        if number == bad:
            words += [draw.choice(["b C3", "w Z9", "x B2"])]
            break
        words.append(f"{colour} {move}")
        assert alone.ask(f"play {words[-1]}") == "="
    kept = talk.session.states[:]
    answer = talk.ask("gogui-play_sequence " + " ".join(words))
    if bad < 12:
        assert answer.startswith("? i") and talk.session.states == kept
    else:
        assert answer == "=" and talk.ask("showboard") == alone.ask("showboard")
        assert talk.ask("gg-undo 12") == "=" and talk.session.states == kept


def test_a_position_is_set_up():
    talk = ours("gogui-setup b C3 w C2 b B2", "gogui-setup_player w")
    now = talk.session.position
    assert (now.black, now.white, now.colour, len(talk.session.states)) == (1 << 12 | 1 << 16, 1 << 17, WHITE, 1)
    assert talk.ask("gogui-setup b A1") == "? board not empty"
    talk.ask("play w A1")
    assert talk.ask("gogui-setup_player b") == "? moves have been played"
    assert talk.ask("gg-undo 2") == "? cannot undo"
    assert talk.ask("gg-undo") == "=" and talk.session.position.colour == WHITE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("b", "invalid color or coordinate"),
        ("b C9", "invalid color or coordinate"),
        ("x C3", "invalid color or coordinate"),
        ("b C3 w", "invalid color or coordinate"),
        ("b pass", "invalid coordinate"),
        ("b C3 w C3", "invalid coordinate"),
        ("b A1 w B1 w A2", "chain without liberties"),
    ],
)
def test_set_ups_that_cannot_be(arguments, message):
    talk = ours()
    assert talk.ask(f"gogui-setup {arguments}") == f"? {message}"
    assert not talk.session.position.black | talk.session.position.white


def test_the_player_may_be_set_on_the_empty_board():
    talk = ours("gogui-setup_player w")
    assert talk.ask("gogui-rules_side_to_move") == "= white"
    assert talk.ask("gogui-setup_player green") == "? invalid color"


@pytest.mark.parametrize("number", ["-1", "x", "1.5", ""])
def test_how_many_moves_are_taken_back(number):
    talk = ours("gogui-play_sequence b C3 w D3 b C4")
    expected = {"": "=", "-1": "? cannot undo"}.get(number, "? invalid number of moves")
    assert talk.ask(f"gg-undo {number}") == expected


def test_names_and_the_rest():
    talk = ours(rules=match_rules(9))
    assert talk.ask("gogui-title") == "= ours 1.0, match-9" and talk.ask("gogui-version") == "= 1.0"
    assert talk.ask("gogui-interrupt") == "=" and talk.ask("# interrupt") == ""
    assert set(gogui.COMMANDS) <= set(talk.ask("list_commands")[2:].split())


def test_captures_are_counted_over_moves_alone():
    talk = ours("gogui-setup w A5 b A4", "gogui-setup_player b", "play b B5")
    assert captured(talk.session) == (1, 0)
