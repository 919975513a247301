"""Tests that `littlego dev attack` reproduces inputs, stores and shrinks faults, and handles Ctrl-C."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from bubblewrap import needs_bubblewrap

from littlego.cli.main import main
from littlego.dev.attack import attacking, cli, guided, kept, mutator, traps
from littlego.dev.attack.attacking import (
    TARGETS,
    Fault,
    Findings,
    Part,
    attack_part,
    fault_in,
    made_from,
    scratch,
    shrink,
)
from littlego.dev.attack.mutator import mutate
from littlego.dev.attack.studio_requests import SLOW, request_of
from littlego.dev.attack.targets import Target, Violation, check_shown
from littlego.dev.attack.turns import judge
from littlego.editor.methods import JOBS, METHODS
from littlego.sandbox import sandbox

KEPT = sorted((Path(__file__).parents[2] / "data" / "attack").iterdir())
SEED = 3  # seed of the short attack
PROMISED = "no fault"
ONE = b"X O .\n. X O\n. . ."


def answer(data: bytes) -> str:
    """Return the output of a file reader with deliberate bugs."""
    if b"XX" in data:
        raise ZeroDivisionError(data)
    if b"OO" in data:
        time.sleep(60)
    return "\x1b[31m" if b".." in data else "fine"


@pytest.fixture
def bad(monkeypatch, tmp_path):
    """Replace the target `drawing` by a faulty target; enter an empty folder and return it."""
    target = Target("drawing", "", lambda: [b"X X", b"O O O", b". . . ."], answer, (b"X", b"."))
    monkeypatch.setitem(TARGETS, "drawing", target)
    monkeypatch.setattr(attacking, "PATIENCE", 0.02)
    monkeypatch.chdir(tmp_path)
    attacking.seeds_of.cache_clear()
    yield tmp_path
    attacking.seeds_of.cache_clear()


# -- inputs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TARGETS)
def test_valid_files_are_answered_as_promised(name):
    seeds = attacking.seeds_of(name)
    with scratch():
        for data in seeds[:: max(1, len(seeds) // 8)]:
            assert fault_in(name, data) == ""


@pytest.mark.parametrize("name", TARGETS)
def test_a_key_always_gives_the_same_input(name):
    inputs = [made_from(name, f"{name}:0:{number}") for number in range(20)]
    attacking.seeds_of.cache_clear()
    kept._tournament.cache_clear()
    kept._outcomes.cache_clear()
    assert inputs == [made_from(name, f"{name}:0:{number}") for number in range(20)]
    assert len(set(inputs)) > 10 and inputs[0] != made_from(name, f"{name}:1:0")


def test_mutations_leave_nothing_out():
    rng = Random(0)
    made = {mutate(ONE, rng, (b"word",), b"other\nlines\n") for _ in range(3000)}
    assert b"" in made and any(len(data) > 1000 for data in made)
    assert {b"word", b"lines", b"\r\n", b"\0", b"\xff\xfe", b"\x1b[31m", b"99999999999999999999"} == {
        part
        for part in (b"word", b"lines", b"\r\n", b"\0", b"\xff\xfe", b"\x1b[31m", b"99999999999999999999")
        if any(part in data for data in [*made, *(mutate(b"7 8\n" * 3, rng) for _ in range(3000))])
    }


def test_values_of_json_get_other_types():
    """Mutations change each value of each line to every other type, and the lines stay valid JSON."""
    lines = [[0.5, {"a": "text"}], {"sealed": 1}]
    rng, made = Random(0), set()
    for _ in range(1000):
        data = bytearray("\n".join(map(json.dumps, lines)).encode())
        mutator._change_value(data, rng, (), b"")
        first, second = map(json.loads, bytes(data).split(b"\n"))
        made |= {f"{type(one).__name__} {place}" for place, one in [("line", first), ("last", second)]}
        if isinstance(first, list) and len(first) > 1:
            made |= {f"{type(first[0]).__name__} number", f"{type(first[1]).__name__} object"}
    kinds = {"NoneType", "bool", "int", "float", "str", "list", "dict"}
    assert {f"{kind} {place}" for kind in kinds for place in ("line", "last", "number", "object")} <= made
    damaged = bytearray(b"no JSON")
    mutator._change_value(damaged, rng, (), b"")
    assert damaged == b"no JSON"


def test_graded_games_are_changed_behind_their_digests(monkeypatch):
    """The attack recomputes digests, so that some changed files pass the check of digests."""
    refused = Counter()
    with scratch():
        for number in range(300):
            said = TARGETS["graded"].run(made_from("graded", f"graded:0:{number}"))
            refused["digest" if "match its digest" in said else "damaged" if ": damaged: " in said else "read"] += 1
    assert min(refused.values()) > 10 and len(refused) == 3


def test_the_smallest_input_is_found():
    assert shrink(b"a lot of text, X in it, and X again", lambda data: data.count(b"X") > 1) == b"XX"
    assert shrink(b"", lambda data: True) == b""


# -- assertions ------------------------------------------------------------------------------------------------

EMPTY = b"\n".join([b"1"] + [b"00000"] * 10)


@pytest.mark.parametrize(
    ("data", "status", "output", "wrong"),
    [
        (EMPTY, 0, b"2,2\n", ""),
        (EMPTY, 0, b"PASS\n", ""),
        (b"nonsense", 1, b"PASS\n", ""),
        (EMPTY, 0, b"", "readable"),
        (EMPTY, 1, b"2,2\n", "readable"),
        (EMPTY, 0, b"5,0\n", "readable"),
        (EMPTY, 0, b"2,2", "readable"),
        (b"nonsense", 0, b"2,2\n", "unreadable"),
        (EMPTY[:-5] + b"00001", 0, b"4,4\n", "illegal"),
    ],
)
def test_a_wrong_answer_is_seen(data, status, output, wrong):
    if not wrong:
        judge(data, status, output)
        return
    with pytest.raises(Violation, match=wrong):
        judge(data, status, output)


def test_what_a_terminal_would_obey_is_seen():
    check_shown("two\nlines, a\ttab, \u00e9")
    for character in "\x1b\x07\r\x9b\u202e\ud800":
        with pytest.raises(Violation, match="control character"):
            check_shown(f"a{character}b")


def test_each_kind_of_fault_is_seen(bad):
    assert fault_in("drawing", b"X X") == ""
    assert fault_in("drawing", b"XX").startswith("ZeroDivisionError at test_attack_command.py:")
    assert fault_in("drawing", b"OO") == "no answer within 0.02 s"
    assert "control character" in fault_in("drawing", b"..")


def test_too_much_cpu_is_seen(bad, monkeypatch):
    monkeypatch.setattr(attacking, "LONGEST", 0.02)
    monkeypatch.setattr(attacking, "PATIENCE", 60)

    def burn(data: bytes) -> str:
        while True:
            pass

    monkeypatch.setitem(TARGETS, "drawing", TARGETS["drawing"].__class__("drawing", "", lambda: [b""], burn))
    assert fault_in("drawing", b"") == "no answer within 0.02 s of CPU time"


BREAKING = [
    ("littlego.editor.players.is_offered", lambda name, players: True, "opens /etc/passwd",
     b'POST /api/jobs/reply\n{"game": "little-go;", "player": "qlearning:/etc/passwd"}'),
    ("littlego.files.is_guarded", lambda path: False, "writes ", b'POST /api/jobs/compile\n{}'),
    ("littlego.studio.studio.file_in", lambda *_: Path("outside/secret.yaml").absolute(),
     "the content of a file outside", b'POST /api/open\n{"file": "patterns.yaml"}'),
    ("littlego.editor.answers.games.why_illegal", lambda *_: {}[1], "KeyError at ",
     b'POST /api/ask/move\n{"revision": 1, "game": "little-go;", "move": "2,2"}'),
    ("littlego.studio.studio.Studio.edit", lambda *_: {}[1], "Violation at studio_requests.py",
     b'POST /api/edit\n{"revision": 1, "changes": []}'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "broken", "what", "data"), BREAKING, ids=[one[2] for one in BREAKING])
def test_a_promise_of_the_studio_that_is_broken_is_seen(monkeypatch, name, broken, what, data):
    with scratch():
        assert fault_in("studio", data) == ""
        monkeypatch.setattr(name, broken)
        assert what in fault_in("studio", data)


def test_requests_are_drawn_for_every_method_and_every_parameter():
    drawn = {line.split(b" ")[1].decode() for number in range(4000) for line in [request_of(Random(number))]}
    wanted = {f"/api/{kind}/{name}" for kind, table in (("ask", METHODS), ("jobs", JOBS)) for name in table}
    seldom = {f"/api/{kind}/{name}" for kind in ("ask", "jobs") for name in SLOW}
    assert {name for name in wanted - seldom if "test-" not in name} <= {name.partition("\n")[0] for name in drawn}


# -- the command -----------------------------------------------------------------------------------------------


def test_faults_are_kept_shrunk_and_replayed(bad, capsys):
    assert main(["dev", "attack", "drawing", "--inputs", "300", "-j", "1", "--json", "report.json"]) == 1
    report = json.loads((bad / "report.json").read_text())
    found = report["formats"]["drawing"]
    assert (found["inputs"], report["next_start"]) == (300, 300)
    kept = {path.read_bytes() for path in (bad / "attack-faults").iterdir()}
    assert kept == {b"XX", b"OO", b".."}
    capsys.readouterr()
    for path in (bad / "attack-faults").iterdir():
        assert main(["dev", "attack", "--replay", str(path)]) == 1
        assert PROMISED not in capsys.readouterr().out
    (bad / "drawing-fine").write_bytes(b"X X")
    assert main(["dev", "attack", "--replay", "drawing-fine"]) == 0
    assert capsys.readouterr().out == f"drawing: {PROMISED}\n"


def test_a_run_goes_on_where_another_ended():
    whole = attack_part(Part("drawing", 3, 0, 30))
    halves = Findings()
    halves.add(attack_part(Part("drawing", 3, 0, 13)))
    halves.add(attack_part(Part("drawing", 3, 13, 17)))
    assert (whole.inputs, whole.faults) == (halves.inputs, halves.faults) == (30, [])


@pytest.mark.parametrize(("stop", "status"), [(KeyboardInterrupt, 130), (SystemExit(143), 143)], ids=["^C", "TERM"])
def test_being_stopped_keeps_what_was_done(monkeypatch, tmp_path, capsys, stop, status):
    monkeypatch.chdir(tmp_path)
    seen = []

    def interrupted(part: Part) -> Findings:
        if len(seen) == 3:
            raise stop
        seen.append(part)
        return attack_part(part)

    monkeypatch.setattr(cli, "attack_part", interrupted)
    monkeypatch.setattr(cli, "PART", 5)
    words = ["dev", "attack", "sgf", "drawing", "--inputs", "1000", "-j", "1", "--json", "report.json"]
    assert main(words) == status
    report = json.loads((tmp_path / "report.json").read_text())
    assert [report["formats"][name]["inputs"] for name in ("sgf", "drawing")] == [10, 5]
    assert report["next_start"] == 5 and "interrupted" in capsys.readouterr().err


def test_minutes_end(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(["dev", "attack", "drawing", "--minutes", "0.00001", "-j", "1", "--json", "report.json"]) == 0
    assert json.loads((tmp_path / "report.json").read_text())["next_start"] <= attacking.PART


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--replay", "nowhere"], "expected one FORMAT: input"),
        (["yaml", "--replay", "nowhere"], "cannot read nowhere: No such file"),
        (["--guided", "--minutes", "1"], "use --inputs N"),
        (["nonsense"], "'nonsense' is not one of"),
    ],
)
def test_what_cannot_be_done_is_said(words, said, capsys):
    assert main(["dev", "attack", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_fuzzer_that_did_not_run_is_said(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "run_guided", lambda *words: None)
    assert main(["dev", "attack", "drawing", "--guided", "--inputs", "1"]) == 2
    assert "the fuzzer did not run" in capsys.readouterr().err


def test_without_the_fuzzer_a_line_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)

    def missing(name: str):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(guided, "import_module", missing)
    assert main(["dev", "attack", "drawing", "--guided", "--inputs", "1"]) == 2
    assert "needs the Python module atheris" in capsys.readouterr().err


# -- the attack itself -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_faults_that_were_found_stay_mended(path):
    with scratch():
        assert fault_in(path.name.partition("-")[0], path.read_bytes()) == ""


@pytest.mark.parametrize("name", TARGETS)
def test_some_inputs_of_each_format(name):
    assert attack_part(Part(name, SEED, 0, 60)).faults == []


@pytest.mark.attack
@pytest.mark.parametrize("name", TARGETS)
def test_many_inputs_of_each_format(name):
    assert {fault.kind: fault.what for fault in attack_part(Part(name, 1, 0, 10_000)).faults} == {}


@pytest.mark.attack
@pytest.mark.parametrize("name", TARGETS)
def test_inputs_that_a_fuzzer_chooses(name, tmp_path, monkeypatch):
    pytest.importorskip("atheris")
    monkeypatch.chdir(tmp_path)
    assert main(["dev", "attack", name, "--guided", "--inputs", "3000", "--json", "report.json"]) == 0
    assert json.loads((tmp_path / "report.json").read_text())["formats"][name]["inputs"] > 2000


@pytest.mark.parametrize(("text", "is_fine"), [("a\xa0b\t\n", True), ("\x1b[2J", False), ("\u202e", False)])
def test_a_no_break_space_is_a_space_and_what_steers_is_told(text, is_fine):
    if is_fine:
        check_shown(text)
        return
    with pytest.raises(Violation):
        check_shown(text)


def test_making_a_slow_fault_smaller_ends_in_time(monkeypatch):
    monkeypatch.setattr(attacking, "LONGEST_SHRINKING", 0.0)
    assert shrink(b"a lot of text", lambda data: True) == b"a lot of text"


def test_a_fault_is_kept_and_counted_even_if_the_run_is_stopped_meanwhile(monkeypatch, tmp_path):
    def stopped(fault):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "smallest", stopped)
    run = cli._Run(["yaml"], 1, 0, tmp_path, 1, None)
    fault = Fault("yaml", "yaml:1:0", "no answer within 2 s of CPU time", b"slow")
    run.found["yaml"].faults.append(fault)
    with pytest.raises(KeyboardInterrupt):
        run.keep(fault)
    assert "1 fault" in run.text()
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"slow"]


# -- programs --------------------------------------------------------------------------------------------------


@needs_bubblewrap
def test_a_program_that_breaks_a_promise_is_a_finding(monkeypatch, capsys, tmp_path):
    text = "open('output.txt', 'w').write('PASS')"
    monkeypatch.setattr(cli, "HOSTILE", {"passes": (text, ""), "is silent": (text, "a report")})
    monkeypatch.setattr(traps, "HOSTILE", cli.HOSTILE)
    assert main(["dev", "attack", "--programs", "-j", "1", "--json", str(tmp_path / "found.json")]) == 1
    shown = capsys.readouterr().out
    assert "is silent: the report does not contain 'a report'" in shown
    assert shown.endswith("2 programs, 1 of them failed\n")
    found = json.loads((tmp_path / "found.json").read_text())["programs"]
    assert [one["name"] for one in found if one["faults"]] == ["is silent"]


def test_hostile_programs_do_not_run_without_the_sandbox(monkeypatch, capsys):
    monkeypatch.setattr(sandbox, "why_not", lambda: sandbox.MISSING)
    monkeypatch.setattr(cli, "attack_host", lambda name: pytest.fail("ran"))
    assert main(["dev", "attack", "--programs"]) == 2
    assert "bubblewrap is not installed" in capsys.readouterr().err
