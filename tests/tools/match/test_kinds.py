"""Texts of one kind are counted together."""

from __future__ import annotations

import pytest

from tools.match.kinds import kinds


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (
            ["output.txt holds '2, 2' where '2,2'", "output.txt holds '0, 4' where '0,4'"],
            "output.txt holds 'i, j' where 'i,j'",
        ),
        (["illegal move 2,2: it is suicide", "illegal move 2,3: it is suicide"], "illegal move i,j: it is suicide"),
        (
            ["used 12.5 s of CPU time, the limit is 10 s", "used 11 s of CPU time, the limit is 10 s"],
            "used more CPU time than 10 s",
        ),
        (["1,500 MB on standard error", "2 MB on standard error"], "1,500 MB on standard error"),
        (["searched 17 nodes", "searched 123.5 nodes"], "searched 17 nodes"),
        (["used 12.5 s of CPU time, the limit is 10 s"] * 2, "used 12.5 s of CPU time, the limit is 10 s"),
    ],
)
def test_texts_that_differ_in_their_numbers_are_one_kind(texts, shown):
    assert kinds(texts) == [(shown, 2)]


def test_texts_of_different_kinds_stay_apart_in_their_order():
    texts = ["signal 9", "signal 11", "signal 12", "exit status 1", "exit status 2", "PASS, really", "2,2", "2,2 "]
    assert kinds(texts) == [(text, 1) for text in texts]
    assert kinds(["b 1", "a", "b 2"]) == [("b 1", 2), ("a", 1)]
