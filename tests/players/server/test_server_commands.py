"""Tests of `serve` and `join` as processes: the lines of docs/server.md, the prompt, Ctrl-C, errors."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys

import pytest

from littlego.cache import ROOT
from littlego.cli.main import main
from littlego.match.matchlog import log_text, read_log

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes and signals as POSIX has them")
TOOLS = [sys.executable, "-m", "littlego"]
PIPE = subprocess.PIPE


def server(folder, *options):
    """Start a server on a free port; return the process and its address."""
    words = [*TOOLS, "serve", "--port", "0", "--folder", str(folder), *options]
    process = subprocess.Popen(words, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True)
    return process, re.fullmatch(r"listening on (ws://127\.0\.0\.1:\d+)\n", process.stdout.readline())[1]


def player(address, *options):
    words = [*TOOLS, "join", address, *options]
    return subprocess.Popen(words, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True)


def ended(process, text=None):
    """Return the exit status, output and errors of a process that must end without a signal."""
    out, err = process.communicate(text, timeout=60)
    return process.returncode, out, err


def test_two_players_and_a_person_play_by_the_words_of_the_page(tmp_path):
    referee, address = server(tmp_path, "--auto-start", "--size", "5", "--games", "1")
    white = player(address, "--player", "greedy", "--name", "second")
    person = player(address, "--player", "human")  # either player may be the first to connect, who plays Black
    status, out, err = ended(person, "pass\nnonsense\n0,0\nexit\n")
    assert (status, err) == (0, "Waiting for a game.\n") and re.search(
        r"over, resign: lost; score: Black \S+, White", out
    )
    assert ended(white)[0] == 0
    status, out, err = ended(referee)
    assert (status, err) == (0, "") and re.search(r"game 1 over, resign: \w+ \(second\) wins", out)
    [archive] = tmp_path.glob("archive-*.json")
    log = read_log(archive)
    assert log.ending.reason == "resign" and sorted(log.names) == ["human", "second"]
    assert log_text(log) == archive.read_text()


def test_the_operator_types_and_quits_and_the_game_goes_on_in_a_new_server(tmp_path):
    referee, address = server(
        tmp_path, "--size", "5", "--mercy", "1", "--mercy-start", "100"
    )  # these commands would run for long
    players = [player(address, "--player", name, "--timeout", "40") for name in ("random", "greedy")]
    here = set()
    while len(here) < 2:
        here |= set(re.findall(r"welcome, client (\d) ", referee.stdout.readline()))
    referee.stdin.write("join 1 black\njoin 2 white\nstart\n")
    referee.stdin.flush()
    while "3. " not in referee.stdout.readline():
        pass
    status, out, err = ended(referee, "stop\nview\nquit\n")
    assert (status, err) == (0, "") and "match-5: stopped, " in out and (tmp_path / "checkpoint.json").exists()
    made = len(read_log(tmp_path / "checkpoint.json").moves)
    port = address.rpartition(":")[2]
    words = [*TOOLS, "serve", "--port", port, "--folder", str(tmp_path), "--auto-start", "--games", "1"]
    again = subprocess.Popen(words, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True)
    for one in players:
        status, out, err = ended(one)
        assert status == 0 and f", after {made} moves" in out, (out, err)
    assert ended(again)[0] == 0
    [archive] = tmp_path.glob("archive-*.json")
    assert len(read_log(archive).moves) > made


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_without_a_word_too_many(tmp_path, number):
    referee, _ = server(tmp_path)
    referee.send_signal(number)
    assert ended(referee) == (0, "", "")


def test_ctrl_c_ends_a_player_in_a_line(tmp_path):
    referee, address = server(tmp_path)
    one = player(address, "--player", "random")
    while "welcome" not in referee.stdout.readline():
        pass
    one.send_signal(signal.SIGINT)
    assert ended(one) == (130, "", "\ninterrupted\n")
    assert ended(referee, "quit\n")[0] == 0


@pytest.mark.parametrize(
    "words, said",
    [
        (["--port", "99999"], "99999 is not in the range"),
        (["--size", "4"], "4 is not in the range 5<=x<=19"),
        (["--komi", "6.3"], "--komi 6.3: expected a whole or a half number"),
        (["--ping", "0"], "expected a number above 0"),
        (["--host", "300.1.1.1"], "cannot listen on 300.1.1.1:0: "),
        (["--folder", "file"], "cannot make the folder file: "),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_what_cannot_be_served_is_said_in_a_line(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    assert main(["serve", "--port", "0", *words]) == 2
    assert said in capsys.readouterr().err.splitlines()[-1] and (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("tables", ["1", "2"])
def test_a_port_that_is_taken_leaves_no_folder_behind(tmp_path, capsys, tables):
    (tmp_path / "mine").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for folder in ("new/games", "mine/games"):
            words = ["--port", str(taken.getsockname()[1]), "--folder", str(tmp_path / folder), "--tables", tables]
            assert main(["serve", *words]) == 2
    assert "cannot listen on 127.0.0.1:" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["mine"]


def test_a_damaged_checkpoint_is_named_and_clear_puts_it_aside(tmp_path, capsys):
    (tmp_path / "checkpoint.json").write_text("{")
    assert main(["serve", "--port", "0", "--folder", str(tmp_path)]) == 2
    assert "checkpoint.json: expected a move log as JSON, found '{'" in capsys.readouterr().err
    referee, _ = server(tmp_path, "--fresh")
    assert ended(referee, "quit\n")[0] == 0
    [kept] = tmp_path.glob("discarded-*.json")
    assert kept.read_text() == "{"


def test_what_a_client_says_steers_no_terminal(tmp_path):
    from websockets.sync.client import connect

    referee, address = server(tmp_path)
    with connect(address) as client:
        client.recv()
        client.send(json.dumps({"type": "NAME", "name": "\x1b[2J\u202eevil\n" + "x" * 1000}))
        client.send("\x1b]0;owned\x07")
        client.send(json.dumps({"type": "\x1b[31m"}))
        while "is not expected now" not in (line := referee.stdout.readline()):
            assert "\x1b" not in line and len(line) < 500
    status, out, err = ended(referee, "view\nquit\n")
    assert (status, err) == (0, "") and "\x1b" not in out and "\u202e" not in out
