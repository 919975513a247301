"""Counting in portions: the same as at once, and no portion twice."""

from __future__ import annotations

from functools import partial

import pytest
from knowledge_files import compiled

from rules.patternfile import Pattern, book_of
from tools.cache import Cache
from tools.effects.corpora import decisions_in
from tools.effects.coverage import survey
from tools.gallery import counts
from tools.knowledge.textfile import pattern_line

LINES = tuple(pattern_line(pattern) for pattern in compiled().base.ranked())


@pytest.fixture
def few(monkeypatch, tmp_path):
    """Twelve recorded positions, in portions of five, kept in a folder of their own."""
    positions = counts.recorded()[::500][:12]
    monkeypatch.setattr(counts, "recorded", lambda: positions)
    monkeypatch.setattr(counts, "PORTION", 5)
    monkeypatch.setattr(counts, "jobs", lambda: 1)
    monkeypatch.setattr(counts, "Cache", partial(Cache, folder=tmp_path))
    return positions


def test_portions_add_up_to_the_whole(few):
    book = book_of("little-go", 5, [Pattern(line) for line in LINES])
    whole = survey(decisions_in(few, book), book)
    assert counts.counts_of(LINES) == whole
    assert whole.positions == len(few) and whole.counts


def test_what_was_counted_is_read_back(few, monkeypatch):
    portions = []

    def counting(*words):
        portions.append(words[-1])
        return survey(*words)

    monkeypatch.setattr(counts, "survey", counting)
    first = counts.counts_of(LINES)
    assert len(portions) == 3
    assert counts.counts_of(LINES) == first and len(portions) == 3
    counts.counts_of(LINES[:-1])
    assert len(portions) == 6, "other patterns are counted anew"
