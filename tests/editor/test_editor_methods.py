"""Tests of the page's methods: checks of parameters, suggestions for misspelt names, name collisions."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from typing import Any, Literal

import pytest
import studio_methods  # noqa: F401 - registers the methods that these tests call

from littlego.editor.methods import (
    JOBS,
    METHODS,
    Method,
    Refusal,
    answer,
    answer_modules,
    ask,
    find,
    is_a,
    load_answers,
)
from littlego.editor.session import Session, Snapshot


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (int, [0, -3], [True, 1.0, "1", None]),
        (float, [1, 0.5], [True, "1"]),
        (bool, [True, False], [0, 1, None]),
        (str, ["", "x"], [1, None, ["x"]]),
        (str | None, ["x", None], [1]),
        (list[str], [[], ["a"]], [["a", 1], "a", None, {}]),
        (list[list[int]], [[[1]]], [[1], [["1"]]]),
        (dict[str, int], [{}, {"a": 1}], [{"a": "1"}, []]),
        (Literal["a", 1], ["a", 1], ["b", True, 1.0]),
        (Any, [None, 1, {}], []),
    ],
)
def test_values_of_json_are_held_to_annotations(kind, good, bad):
    assert all(is_a(value, kind) for value in good)
    assert not any(is_a(value, kind) for value in bad)


def function(session, *, pattern: str, number: int = 1, edges: list[str] | None = None):
    return {"pattern": pattern}


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({}, "lacks the required parameter 'pattern'"),
        ({"patern": "x"}, "no parameter 'patern'. Did you mean pattern?"),
        ({"pattern": "x", "zzz": 1}, "It takes pattern, number, edges."),
        ({"pattern": 3}, "parameter 'pattern': found '3'; expected str"),
        ({"pattern": "x", "edges": [1]}, r"expected list\[str\] | None"),
    ],
)
def test_parameters_that_do_not_fit_are_told(parameters, said):
    with pytest.raises(Refusal, match=said) as told:
        Method("test", function).checked(parameters)
    assert told.value.code == "invalid"


def test_parameters_that_fit_are_passed_on_as_they_are():
    assert Method("test", function).checked({"pattern": "x", "edges": None}) == {"pattern": "x", "edges": None}


def test_one_name_is_for_one_function():
    find(METHODS, "outline")
    with pytest.raises(ValueError, match="two functions are called outline"):
        ask("outline")(function)
    with pytest.raises(ValueError, match="unknown lane 'fast'"):
        ask("test-other", lane="fast")


def test_all_answers_are_found_and_each_has_a_docstring():
    load_answers()
    modules = {method.function.__module__ for table in (METHODS, JOBS) for method in table.values()}
    assert {f"littlego.editor.answers.{name}" for name in ("compiling", "editing")} <= set(answer_modules()) & modules
    for table in (METHODS, JOBS):
        for name, method in table.items():
            assert name.startswith("test-") or method.function.__doc__, name


FIND = """
import json, sys
from littlego.editor.methods import JOBS, METHODS, find, load_answers
for table, names in zip((METHODS, JOBS), json.loads(sys.argv[1])):
    for name in names:
        assert find(table, name).name == name
        assert name != "outline" or "littlego.editor.answers.comparing" not in sys.modules
assert not load_answers.cache_info().misses
"""


def test_a_method_is_found_without_importing_all_answers():
    load_answers()
    ours = [[name for name in table if not name.startswith("test-")] for table in (METHODS, JOBS)]
    names = [["outline", *ours[0]], ours[1]]
    subprocess.run([sys.executable, "-c", FIND, json.dumps(names)], check=True)


def test_a_refusal_comes_out_of_another_process_whole():
    found = pickle.loads(pickle.dumps(Refusal("stale", "why", revision=3)))
    assert found.as_json() == {"problem": {"code": "stale", "text": "why", "revision": 3}}


def test_what_is_asked_directly_is_what_a_worker_answers():
    session = Session()
    session.take(Snapshot(1, "text"))
    assert answer(session, "test-echo", {"value": 3}) == {"value": 3, "length": 4}
    with pytest.raises(Refusal, match="unknown method or job 'test-ecko'. Did you mean test-echo?"):
        answer(session, "test-ecko", {})
