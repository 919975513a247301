"""Tests that the engine answers each random command exactly once, in process and as a program."""

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from gtp_talk import Talk, answers_of, split_answers
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.games.match import match_rules
from littlego.players.gtp.protocol import LONGEST_LINE, parse_request
from littlego.rules.ruleset import LITTLE_GO

ROOT = Path(__file__).parents[3]
GTP = [sys.executable, "-m", "littlego", "gtp", "--player", "random"]
RULES = [LITTLE_GO, match_rules(5), match_rules(9, pass_stones=False)]
COLOURS = ["b", "w", "black", "white", "B", "W", "green"]
VERTICES = ["A1", "C3", "c3", "E5", "J9", "T19", "I5", "Z0", "A99", "pass", "PASS", "resign"]
NUMBERS = ["0", "1", "2", "5", "6.5", "-3", "9", "30", "900", "99999999999", "1e400", "nan", "inf", "٣"]
OTHERS = ["dead", "alive", "seki", "black_territory", "x", "{}", "[]", '{"ko":"SIMPLE"}', "nofile.sgf", "/", ".", "#"]
WORDS = [*COLOURS, *VERTICES, *NUMBERS, *OTHERS, "\t", "\u202e", "\x1b[2J"]


def a_line(rng, names):
    """Return a line: mostly a plausible command, sometimes damaged, sometimes random bytes."""
    kind = rng.random()
    if kind < 0.03:
        return rng.randbytes(rng.randint(0, 80)).replace(b"\n", b" ")
    if kind < 0.031:
        return b"play b " + rng.randbytes(2).hex().encode() * LONGEST_LINE
    if kind < 0.35:
        colour, row = rng.choice("bw"), rng.randint(1, 9)
        line = rng.choice([f"play {colour} {rng.choice('ABCDEFGHJ')}{row}", f"genmove {colour}", "undo"])
    else:
        line = " ".join([rng.choice(names), *rng.choices(WORDS, k=rng.randint(0, 4))])
    data = bytearray((f"{rng.randint(0, 10**6)} " * (rng.random() < 0.5) + line).encode())
    for _ in range(rng.randint(1, 3) if rng.random() < 0.2 else 0):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data).replace(b"\n", b"\r") + b"\r" * (rng.random() < 0.1)


def ids_of(lines):
    """Yield the id of each line that is a command, or '' for a command without id, up to the first quit."""
    for line in lines:
        request = parse_request(line.decode("utf-8", "surrogateescape")[: LONGEST_LINE + 1])
        if request is not None:
            yield request.id
            if request.name == "quit":
                return


def check_answers(lines, answers):
    expected = list(ids_of(lines))
    assert [re.match("[=?]([0-9]*)", answer)[1] for answer in answers] == expected
    assert not [answer for answer in answers if "internal error" in answer]


def fuzz(folder, seed, lines):
    """Send at least `lines` lines, in blocks of 500 with random rulesets; no file may appear in `folder`."""
    rng, sent = random.Random(seed), 0
    while sent < lines:
        talk = Talk(rng.choice(RULES))
        names = [name for name in talk.engine.names() if name != "quit"]
        batch = [a_line(rng, names) for _ in range(500)]
        check_answers(batch, answers_of(talk.engine, batch))
        assert not [line for line in talk.said if "\n" in line]
        sent += len(batch)
    assert list(folder.iterdir()) == []


def test_each_of_3000_lines_is_answered_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fuzz(tmp_path, 1, 3_000)


@pytest.mark.slow
def test_each_of_100000_lines_is_answered_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fuzz(tmp_path, 2, 100_000)


NAMES = [name for name in Talk().engine.names() if name != "loadsgf"]
LINES = st.one_of(
    st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"")),
    st.builds(lambda *words: " ".join(words).encode(), st.sampled_from(NAMES), *[st.sampled_from(WORDS)] * 3),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, max_size=30), st.sampled_from(RULES))
def test_any_lines_are_answered_once(lines, rules):
    check_answers(lines, answers_of(Talk(rules).engine, lines))


def run(data, **options):
    done = subprocess.run(GTP, input=data, cwd=ROOT, capture_output=True, timeout=120, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_program_answers_lines_that_come_all_at_once():
    rng = random.Random(3)
    names = [name for name in NAMES if name != "quit"]
    lines = [a_line(rng, names) for _ in range(300)] + [b"7 quit", b"8 name"]
    status, out, err = run(b"\n".join(lines))
    check_answers(lines, split_answers(out))
    assert status == 0 and "Traceback" not in err and out.endswith("=7\n\n")


def test_the_end_of_the_input_ends_the_program():
    assert run(b"1 name\n2 komi 6.5") == (
        0,
        "=1 littlego\n\n=2\n\n",
        "littlego: final_score uses komi 6.5; the player's decisions use komi 2.5\n",
    )
    assert run(b"") == (0, "", "")


def test_each_answer_is_there_before_the_next_line_is_sent():
    """The engine flushes each answer, so that a front end that waits for the answer does not block."""
    engine = subprocess.Popen(GTP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    try:
        for number in range(5):
            os.write(engine.stdin.fileno(), b"%d protocol_version\n" % number)
            heard, until = b"", time.monotonic() + 60
            while not heard.endswith(b"\n\n") and time.monotonic() < until:
                heard += os.read(engine.stdout.fileno(), 1000)
            assert heard == b"=%d 2\n\n" % number
        engine.stdin.close()
        assert engine.wait(60) == 0
    finally:
        engine.kill()
        engine.stdout.close()
        engine.wait()


def test_a_front_end_that_goes_away_leaves_no_traceback():
    engine = subprocess.Popen(GTP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    engine.stdout.close()
    _, err = engine.communicate(b"name\n" * 20_000, timeout=60)
    assert engine.returncode != 0 and err == b""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--player", "human"], "standard input belongs to the front end"),
        (["--player", "nobody"], "unknown player 'nobody'"),
        (["--size", "30"], "30"),
        (["--ruleset", "match", "--size", "3"], "a match is played on boards of 5 to 19"),
        (["--komi", "6.5"], "--komi requires --ruleset match"),
    ],
)
def test_wrong_options_are_told_before_anything_is_answered(capsys, words, said):
    from littlego.cli.main import main

    assert main(["gtp", *words]) == 2
    shown = capsys.readouterr()
    assert said in shown.err and shown.out == ""
