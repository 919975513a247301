"""Tests of analysis streams: lines that Sabaki and Lizzie read, ends of streams, refused arguments."""

import random
import threading

import pytest
from analysis_readers import lizzie, sabaki
from gtp_talk import Talk
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.games.match import match_rules
from littlego.games.vertices import parse_vertex, vertex_text
from littlego.players.gtp import kata
from littlego.players.gtp.analysis import AT_ONCE, SHOWN, UNKNOWN, solved_values
from littlego.players.gtp.kata import parse_arguments
from littlego.players.gtp.protocol import GtpError
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS

# 24 moves of a game between two players with our patterns. White's position is lost with 9 moves left, and Black's is
# won with 8 left.
GAME = "C3 C4 B3 D3 D2 D4 E2 B4 A4 B2 C2 A2 A3 E3 B1 B5 C1 A5 D5 pass A1 E4 E1 E5"


def ours(moves=0, rules=None):
    """Return a conversation with our player after these moves of the game."""
    talk = Talk(player="ours") if rules is None else Talk(rules, player="ours")
    for number, vertex in enumerate(GAME.split()[:moves]):
        assert talk.ask(f"play {'bw'[number % 2]} {vertex}") == "="
    return talk


def test_a_transcript_where_the_game_is_solved():
    talk = ours(16)
    assert talk.ask("kata-analyze b 50 maxmoves 3") == (
        "=\ninfo move A5 visits 350 winrate 1.000000 scoreMean 0.50 scoreLead 0.50 order 0 pv A5 "
        "info move C1 visits 317 winrate 1.000000 scoreMean 0.50 scoreLead 0.50 order 1 pv C1 "
        "info move A1 visits 138 winrate 1.000000 scoreMean 0.50 scoreLead 0.50 order 2 pv A1"
    )
    assert talk.ask("lz-analyze b 50 maxmoves 2") == (
        "=\ninfo move A5 visits 350 winrate 10000 order 0 pv A5 info move C1 visits 317 winrate 10000 order 1 pv C1"
    )
    assert talk.said == [
        "analysis: winrates and shown leads are exact: the position is solved; visits follow from points"
    ]


def test_a_transcript_where_nothing_is_known():
    talk = ours(1)
    line = talk.ask("kata-analyze 50 maxmoves 2").splitlines()[1]
    assert line == (
        "info move C4 visits 183 winrate 0.500000 order 0 pv C4 info move B3 visits 183 winrate 0.500000 order 1 pv B3"
    )
    assert talk.said == ["analysis: visits follow from the patterns' points; unknown winrates are shown as 0.5"]
    talk.ask("kata-analyze 50")
    assert len(talk.said) == 1  # the message is repeated only if it changes


def test_no_prior_is_told_and_no_dialect_is_offered_that_front_ends_take_for_another():
    talk = ours(1)
    assert "prior" not in talk.ask("kata-analyze") + talk.ask("lz-analyze")
    known = talk.ask("list_commands").split()
    assert {"kata-analyze", "lz-analyze", "kata-genmove_analyze", "lz-genmove_analyze"} <= set(known)
    assert not {"analyze", "genmove_analyze"} & set(known)


@pytest.mark.parametrize("moves", [10, 12, 15, 19, 23])
def test_sabaki_and_lizzie_read_the_exact_values(moves):
    talk = ours(moves)
    position = talk.session.position
    values = {vertex_text(move, 5): value for move, value in solved_values(position, 2.5).items()}
    shown = sabaki(talk.ask("kata-analyze maxmoves 30").splitlines()[1])
    assert {move for move, *_ in shown} == values.keys() - {"pass"}
    for move, visits, percent, lead, line in shown:
        assert (percent / 100, lead) == values[move]
        assert 10 <= visits <= 1000 and line[0] == move
    told = lizzie(talk.ask("lz-analyze maxmoves 30").splitlines()[1])
    assert {move: percent / 100 for move, _, percent, _ in told} == {move: one.winrate for move, one in values.items()}
    assert [one for one in told if one[0] != "pass"] == [(move, *rest, line) for move, *rest, _, line in shown]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), ply=st.integers(0, 9), komi=st.sampled_from([2.5, 0, 2, 7.25]))
def test_lines_of_any_position_can_be_read(seed, ply, komi):
    talk = Talk(player="ours")
    talk.ask(f"komi {komi}")
    draw = random.Random(seed)
    for _ in range(ply):
        if not talk.session.over:
            position = talk.session.position
            talk.session.play(position.colour, draw.choice([*points_of(position.legal()), PASS]))
    answer = talk.ask("kata-analyze")
    if talk.session.over:
        assert answer == "="
        return
    (line,) = answer.splitlines()[1:]
    shown = sabaki(line)
    assert len(lizzie(talk.ask("lz-analyze").splitlines()[1])) <= SHOWN
    assert len(shown) <= SHOWN and len({move for move, *_ in shown}) == len(shown)
    legal = talk.session.position.legal()
    assert all(legal >> parse_vertex(move, 5) & 1 for move, *_ in shown)
    assert all(percent == 100 * UNKNOWN and lead is None for _, _, percent, lead, _ in shown)


def test_a_match_is_analysed_too():
    talk = Talk(match_rules(7), player="ours")
    talk.ask("play b D4")
    shown = sabaki(talk.ask("kata-analyze w 20").splitlines()[1])
    assert len(shown) == SHOWN and {percent for _, _, percent, _, _ in shown} == {100 * UNKNOWN}


def test_the_player_moves_while_it_is_analysed():
    for command in ("kata-genmove_analyze", "lz-genmove_analyze"):
        talk, other = ours(16), ours(16)
        info, played = talk.ask(f"{command} b 50").splitlines()[1:]
        assert info.startswith("info move A5 visits 350 winrate 1") and played == "play A5"
        assert other.ask("play b A5") == "=" and talk.ask("genmove w") == other.ask("genmove w")


def test_there_is_nothing_to_analyse_after_the_end():
    talk = ours(24)
    assert talk.ask("kata-analyze b 50") == "="
    assert talk.ask("kata-genmove_analyze b") == "=\nplay pass"


class Stream:
    """An analysis stream in a thread, with its output and an input line that the test can send."""

    def __init__(self, talk, command):
        self.lines, self.wrote, self.input = [], threading.Semaphore(0), threading.Event()
        self.asked = 0  # how often the stream polled for input
        name, *arguments = command.split()
        self.thread = threading.Thread(
            target=kata.STREAMS[name], args=(talk.session, arguments, self.write, self.pending), daemon=True
        )
        self.thread.start()

    def write(self, line):
        self.lines.append(line)
        self.wrote.release()

    def pending(self, seconds=None):
        self.asked += seconds == 0
        return self.input.wait(seconds)


def test_a_stream_ends_with_any_input_and_not_before():
    stream = Stream(ours(16), "kata-analyze b 1")
    assert stream.wrote.acquire(timeout=60)
    stream.thread.join(0.2)
    # the stream prints one line, however long the analysis lasts
    assert stream.thread.is_alive() and len(stream.lines) == 1
    stream.input.set()
    stream.thread.join(60)
    assert not stream.thread.is_alive() and len(stream.lines) == 1


def test_what_the_solver_finds_meanwhile_is_a_second_line(monkeypatch):
    monkeypatch.setattr(kata, "AT_ONCE", 4)
    stream = Stream(ours(17), "kata-analyze w 50")
    assert stream.wrote.acquire(timeout=60) and stream.wrote.acquire(timeout=60)
    stream.input.set()
    stream.thread.join(60)
    first, second = map(sabaki, stream.lines)
    assert {percent for _, _, percent, _, _ in first} == {50.0}
    assert {percent for _, _, percent, _, _ in second} == {0.0}  # White has lost
    assert stream.asked > 5  # before each move


def test_input_stops_the_search(monkeypatch):
    monkeypatch.setattr(kata, "AT_ONCE", 4)
    talk = ours(17)
    assert len(talk.ask("kata-analyze w 50").splitlines()) == 2  # `=` and one line, since the input has already ended
    assert "unknown winrates" in talk.said[-1]


def test_how_far_it_is_solved_at_once():
    assert kata.AT_ONCE == AT_ONCE < kata.PATIENT


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("x", "invalid color"),
        ("green 50", "invalid color"),
        ("b x", "interval not an integer"),
        ("b 1.5", "interval not an integer"),
        ("-5", "invalid color"),
        ("b interval", "interval not an integer"),
        ("b 50 interval x", "interval not an integer"),
        ("b maxmoves many", "maxmoves not an integer"),
        ("b 50 maxmoves -1", "maxmoves below 0"),
        ("b 50 minmoves", "minmoves not an integer"),
        ("b 50 foo", "invalid argument foo"),
        ("b 50 foo 1", "invalid argument foo"),
        ("b 50 ownership", "invalid argument ownership"),
        ("b 50 ownership maybe", "invalid argument ownership"),
        ("b 50 avoid", "invalid color"),
        ("b 50 avoid x C3 1", "invalid color"),
        ("b 50 avoid b", "invalid coordinate"),
        ("b 50 avoid b C9 1", "invalid coordinate"),
        ("b 50 avoid b C3,,D3 1", "invalid coordinate"),
        ("b 50 allow b C3", "depth of allow not an integer"),
        ("b 50 allow b C3 x", "depth of allow not an integer"),
    ],
)
def test_arguments_that_cannot_be_read_are_refused(arguments, message):
    talk = ours(0)
    for command in kata.STREAMS:
        assert talk.ask(f"{command} {arguments}") == f"? {message}"
    assert len(talk.session.states) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "50",
        "w 50",
        "W interval 50",
        "white 50 maxmoves 4 minmoves 2",
        "interval 50 ownership true pvVisits false rootInfo true",
        "w avoid b C3 1",
    ],
)
def test_what_front_ends_ask_is_understood(arguments):
    talk = ours(1)
    assert talk.ask(f"kata-analyze {arguments}").startswith("=\ninfo move ")


def test_moves_may_be_left_out():
    talk = ours(16)

    def moves(arguments):
        lines = talk.ask(f"kata-analyze {arguments}").splitlines()[1:]
        return [move for line in lines for move, *_ in sabaki(line)]

    every = moves("b maxmoves 30")
    assert moves("b") == every[:SHOWN]
    assert moves("b maxmoves 1") == every[:1]
    assert moves("b maxmoves 1 minmoves 3") == every[:3]
    assert moves(f"b avoid b {every[0]},{every[2]} 1") == [every[1], *every[3:]][:SHOWN]
    # avoiding a move for White does not restrict Black's moves
    assert moves(f"b avoid w {every[0]} 1") == every[:SHOWN]
    assert moves(f"b allow b {every[3]},{every[1]} 1 allow b {every[0]} 1") == [every[0], every[1], every[3]]
    assert talk.ask("kata-analyze b maxmoves 0") == "="


WORDS = "b w 50 interval maxmoves avoid allow b C3 C9 ownership true -1 x"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=7))
def test_arguments_are_read_or_refused_and_nothing_else(words):
    try:
        asked = parse_arguments(words, BLACK, 5)
    except GtpError as error:
        assert str(error)
    else:
        assert asked.shows(PASS) or asked.only is not None
