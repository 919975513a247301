"""Tests that the truth strip agrees with `grade-patterns`, and the untested parts with `mutate`."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from studio_jobs import command_json, outcome, session_of
from studio_server import SMALL

from littlego.cli.arguments import ArgumentError
from littlego.editor.answers.quality import truth, unpinned
from littlego.editor.positions import read_position
from littlego.editor.truth import OUTCOMES, strip
from littlego.knowledge.files import read_knowledge
from littlego.truth.grades.grades import MEASURES, SAID_BLUNDERED, SAID_FREE, SAID_KEPT, SAID_LOST
from littlego.truth.labels.labels import in_test, load, save

SAID = {"blundered": SAID_BLUNDERED, "kept": SAID_KEPT, "free": SAID_FREE, "lost": SAID_LOST}


@pytest.fixture
def labels(tmp_path):
    """Write every thirtieth labelled position to a file, and return the file's path."""
    path = tmp_path / "labels.npz"
    known = load()
    save(known.where(np.arange(known.codes.size) % 30 == 0), path)
    return path


@pytest.mark.parametrize("pattern", ["take-the-last-liberty", "liberties-are-strength"])
def test_a_strip_has_as_many_squares_as_the_command_counts(labels, tmp_path, pattern):
    told = [one for some in strip(read_knowledge(str(SMALL)).book, pattern, labels) for one in some.decisions]
    words = ("dev", "grade-patterns", pattern, "-f", SMALL, "--labels", labels, "--source", "all")
    counts = command_json(tmp_path, *words)["patterns"][pattern]
    for outcome_name in OUTCOMES:
        column = MEASURES.index(SAID[outcome_name])
        expected = sum(row[column] for phase in counts.values() for row in phase.values())
        assert sum(one["outcome"] == outcome_name for one in told) == expected


def test_squares_say_what_wins_and_are_never_of_the_test_part(labels):
    book = read_knowledge(str(SMALL)).book
    told = [one for some in strip(book, "liberties-are-strength", labels) for one in some.decisions]
    assert told
    assert not in_test(np.array([one["code"] for one in told])).any()
    for one in told:
        assert (one["played"] in one["winning"]) == (one["outcome"] in ("kept", "free"))
        assert read_position(one["position"]).left == one["left"]


def test_the_job_counts_what_it_tells(labels, monkeypatch):
    from littlego.editor import truth as module

    monkeypatch.setattr(module.strip, "__defaults__", (labels,))
    session = session_of(SMALL, SMALL.read_text(encoding="utf-8"))
    results, done = outcome(truth(session, pattern="liberties-are-strength"))
    told = [one for result in results for one in result["decisions"]]
    assert {name: done[name] for name in OUTCOMES} == {
        name: sum(one["outcome"] == name for one in told) for name in OUTCOMES
    }
    assert done["decides"] + done["supports"] == len(told) > 0
    with pytest.raises(ArgumentError, match="no pattern"):
        outcome(truth(session, pattern="nobody"))


@pytest.mark.slow
def test_what_is_unpinned_is_what_the_command_says_survives(tmp_path):
    path = tmp_path / "patterns.yaml"
    shutil.copy(SMALL, path)
    text = path.read_text(encoding="utf-8")
    session = session_of(path, text)
    pattern = session.entries.ids[1]
    results, done = outcome(unpinned(session, pattern=pattern))
    expected = command_json(tmp_path, "mutate", pattern, "-f", path, "--jobs", "1")
    survivors = [{key: one[key] for key in expected["survivors"][0]} for one in results] if results else []
    for one in (*survivors, *expected["survivors"]):
        one["file"] = ""  # one file name is a full path, the other a shorter path
    assert survivors == expected["survivors"]
    assert {key: done[key] for key in ("score", "reachable", "patterns", "kinds")} == {
        key: expected[key] for key in ("score", "reachable", "patterns", "kinds")
    }
    assert all((one["drawn"] is None) == (one["kill"] is None) for one in results)
