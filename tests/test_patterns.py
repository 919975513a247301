"""Tests that the committed patterns.yaml and patterns.txt are up to date and complete.

The examples are separate tests, collected from patterns.yaml itself.
"""

from __future__ import annotations

from collections import Counter

from knowledge_files import TXT, book, compiled

from littlego.knowledge.model import CLASSES, MATCHES, NO_MATCH
from littlego.rules.matching import parse_shape, placements

FEWEST = 120


def test_the_knowledge_has_no_mistakes():
    assert [str(problem) for problem in compiled().problems] == []


def test_patterns_txt_is_what_compiling_makes():
    assert TXT.read_bytes() == compiled().data, "patterns.txt is not fresh: run `littlego compile`"


def test_the_player_reads_all_of_it():
    patterns = compiled().base.ranked()
    assert [pattern.id for pattern in book().patterns] == [pattern.id for pattern in patterns]
    for index, (read, known) in enumerate(zip(book().patterns, patterns, strict=True)):
        found = book().conditions(index)
        asked = len(found.game_tests) + len(found.tests) + len(found.others)
        assert found.points and asked == len(known.when), known.id
        assert (read.kind, read.priority, read.summary) == (known.kind, known.priority, known.summary)
        assert (read.passes, read.forbid, read.sacrifice) == (known.passes, known.forbid, known.sacrifice)
        assert read.rare == bool(known.rare)


def test_the_stored_placements_are_those_of_the_shapes():
    found = book()
    words = list(zip(found.cares, found.values, found.cells, strict=True))
    for index, pattern in enumerate(found.patterns):
        stored = words[found.starts[index] : found.starts[index + 1]]
        assert stored == placements(parse_shape(pattern.rows, pattern.label_rows), found.size), pattern.id


def test_there_are_enough_patterns_and_each_teaches_and_proves_itself():
    patterns = compiled().base.patterns
    assert len(patterns) >= FEWEST
    for pattern in patterns:
        kinds = Counter(example.kind for example in pattern.examples)
        assert kinds[MATCHES] and kinds[NO_MATCH], pattern.id
        assert len(pattern.summary.split()) >= 4, pattern.id


def test_every_pattern_fits_on_the_board():
    found = book()
    assert all(found.starts[index] < found.starts[index + 1] for index in range(len(found.patterns)))


def test_every_class_is_used():
    assert {pattern.kind for pattern in compiled().base.patterns} == set(CLASSES)


def test_no_two_patterns_say_the_same():
    said = Counter(
        (tuple(pattern.rows), tuple(pattern.label_rows), tuple(pattern.when), pattern.passes, pattern.points)
        for pattern in compiled().base.patterns
    )
    assert [key for key, times in said.items() if times > 1] == []
