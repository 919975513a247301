"""Tests of match mutants: an example or a recorded decision kills each, or `mutate` shows a new board."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from corpora import use
from fitted_games import drawn_game
from match_patterns import drawn, entry, example, file_of

from littlego.cache import Cache
from littlego.cli.main import main
from littlego.engines.large.book import LargeBook
from littlego.engines.large.search import decide_large
from littlego.engines.reasons.foresight import book_order
from littlego.judging.corpora import sampled
from littlego.judging.mutation import trial
from littlego.judging.mutation.trial import DECISION, EXAMPLE, SURVIVED, Setup, find_pins, laboratory, try_all_mutants
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import knowledge_of
from littlego.knowledge.textfile import pattern_line
from littlego.records.packed_games import add_games
from littlego.rules.patternfile import Pattern

HANE = entry(
    "hane",
    "    points: 60\n    diagram: |\n      * .\n      X O\n    when: line(*) >= 2\n",
    example(drawn(9, X="3,3", O="3,4"), "move: 2,3"),
    example(drawn(9, X="3,3", O="3,4 2,4"), "move: 2,3"),
)
SLIDE = entry(
    "run",
    "    sequence: |\n      O 1\n      ? 2\n",
    example(drawn(9, O="3,3"), "move: 3,4"),
    example(drawn(9, X="3,3"), "move: 3,4"),
)


def chance_games(number: int):
    return [drawn_game(seed, defaultdict(float, touch=12.0)) for seed in range(number)]


@pytest.fixture
def setup(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    add_games(tmp_path / "games.xz", chance_games(4))
    text = file_of(HANE, SLIDE)
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    names = [name for corpus in sampled(chance_games(4), 15).values() for name in corpus.names]
    record = "".join(f"{name} PASS\n" for name in names)  # the moves of the unchanged patterns
    (tmp_path / "record.txt").write_text(record, encoding="utf-8")
    return Setup(text, "mine.yaml", record, "record.txt", str(tmp_path / "games.xz"), cached=False)


def test_what_kills_a_mutant(setup):
    results = {one.name: one.result for one in try_all_mutants(setup, ["hane"], 1)}
    assert results["cell 0,1 .->?"] == EXAMPLE and results["star to 0,1"] == EXAMPLE
    assert {results[name] for name in results if name.startswith("points")} != {EXAMPLE}
    assert all(result != EXAMPLE for name, result in results.items() if name.startswith(("points", "priority")))


def test_a_sequence_is_changed_as_a_whole_and_counted_once(setup):
    first, second = (try_all_mutants(setup, [name], 1) for name in ("run-1", "run-2"))
    assert not second and {one.pattern for one in first} == {"run-1"}
    results = {one.name: one.result for one in first}
    assert results["cell 0,0 O->X"] == EXAMPLE and results["cell 0,0 O->?"] == EXAMPLE
    lab = laboratory(setup)
    changed = {mutant.name: known for mutant, known in lab.mutants("run-1")}
    assert changed["cell 0,0 O->X"].rows == ["X*", "?."] and changed["cell 0,0 O->X"].companions[0].rows == ["OO", "?*"]
    assert "edge top drawn" in results and not any("one line out" in name for name in results)
    here = {lab.places("run-1").of(mutant) for mutant, _ in lab.mutants("run-1") if mutant.name.startswith("cell")}
    assert [setup.text.splitlines()[line - 1][column - 1] for line, column in here] == ["O"]


def test_a_board_that_would_kill_a_survivor_does(setup):
    left = [one for one in try_all_mutants(setup, ["hane"], 1) if one.result == SURVIVED]
    pins = find_pins(setup, left, 1)
    lab = laboratory(setup)
    for (pattern, _), pin in pins.items():
        again = compile_text(file_of(HANE), "mine.yaml", with_examples=False)[2].patterns[0]
        assert pattern == "hane" and again.id == lab.patterns[pattern].id
        assert (pin.move in _moves(again, pin)) == pin.must_fire


def _moves(pattern, pin):
    from littlego.knowledge.firing import moves_fired

    return moves_fired(pattern, pin.position())


def test_a_decision_that_kills_is_one_that_changes(setup):
    killed = [one for one in try_all_mutants(setup, ["hane", "run-1"], 1) if one.result == DECISION]
    lab = laboratory(setup)
    assert killed
    for one in killed:
        changed = dict((mutant.name, known) for mutant, known in lab.mutants(one.pattern))[one.name]
        lines = {pattern.id: pattern_line(pattern) for pattern in (changed, *changed.companions)}
        patterns = [Pattern(lines.get(pattern.id) or line) for pattern, line in book_lines(lab)]
        book = LargeBook("match", 19, sorted(patterns, key=book_order))
        position = lab.positions[one.by]
        assert decide_large(position, book).move != decide_large(position, lab.book).move, one


def book_lines(lab):
    """Return (pattern, its line of patterns.txt) for each pattern of the book."""
    known = knowledge_of(compile_text(lab.setup.text, "mine.yaml", with_examples=False)[2], "mine.yaml")
    return zip(lab.book.patterns, known.lines, strict=True)


def test_what_is_kept_between_runs_is_what_is_found(setup, tmp_path, monkeypatch):
    monkeypatch.setattr(trial, "Cache", partial(Cache, folder=tmp_path / "kept"))
    fresh = try_all_mutants(setup, ["hane"], 1)
    kept = replace(setup, cached=True)
    assert try_all_mutants(kept, ["hane"], 1) == fresh
    for name in ("_failing", "_changing"):
        monkeypatch.setattr(trial._Trial, name, lambda *_: pytest.fail("tried again"))
    assert try_all_mutants(kept, ["hane"], 1) == fresh


def test_a_record_of_no_kept_game_is_told(setup, capsys):
    Path("record.txt").write_text("0123456789ab:3 4,4\n", encoding="utf-8")
    assert main(["mutate", "hane", "-f", "mine.yaml", "--decisions", "record.txt", "--fresh", "-j", "1"]) == 2
    assert "0123456789ab:3 is not a position of the games" in capsys.readouterr().err


def test_the_command(setup, capsys, monkeypatch):
    use(monkeypatch, "match", games=Path("games.xz"))
    asked = ["mutate", "hane", "-f", "mine.yaml", "--decisions", "record.txt", "--fresh", "-j", "1"]
    assert main([*asked, "--fail-under", "1", "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    score = told["score"]
    assert score["example"] > 0 and sum(score[name] for name in ("example", "decision", "survived")) > 10
