"""Tests of choosing an engine; a third engine needs only a folder and an entry in ENGINES."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest
from knowledge_files import book

from littlego.engines import choosing
from littlego.engines.choosing import engine_for, engine_of, load_book
from littlego.engines.large.book import LargeBook
from littlego.engines.large.engine import ENGINE as LARGE
from littlego.engines.small.engine import ENGINE as SMALL
from littlego.games.game import little_go_of
from littlego.games.match import match_rules
from littlego.paths import MATCH_TXT, PATTERNS_TXT
from littlego.players.ours import OursPlayer
from littlego.rules.patternfile import PatternFileError
from littlego.rules.position import PASS, opening
from littlego.rules.ruleset import LITTLE_GO


def test_the_ruleset_chooses_the_engine_of_a_position():
    assert [engine_for(match_rules(size)) for size in (5, 9, 19)] == [LARGE] * 3
    assert [engine_for(little_go_of(size)) for size in (3, 5, 7, 8, 19)] == [SMALL] * 3 + [LARGE] * 2


def test_the_header_chooses_the_engine_of_a_patterns_file():
    assert (engine_of("little-go"), engine_of("match"), engine_of("chess")) == (SMALL, LARGE, SMALL)
    small, large = (load_book(path.read_bytes(), path.name) for path in (PATTERNS_TXT, MATCH_TXT))
    assert not isinstance(small, LargeBook) and isinstance(large, LargeBook)
    with pytest.raises(PatternFileError, match="what.txt: line 1 is not a header"):
        load_book(b"no header", "what.txt")


def test_patterns_of_a_match_are_refused_where_the_small_engine_decides():
    match = load_book(MATCH_TXT.read_bytes(), "patterns.match.txt")
    assert engine_for(little_go_of(9), match) is LARGE and engine_for(LITTLE_GO, book()) is SMALL
    with pytest.raises(PatternFileError, match="mine.txt: these patterns are for match, not for little-go"):
        engine_for(LITTLE_GO, match, "mine.txt")


def test_a_third_engine_needs_a_folder_and_an_entry(monkeypatch):
    passes = SimpleNamespace(
        decides=lambda ruleset: True,
        reads=lambda book: True,
        decide=lambda position, *_: SimpleNamespace(move=PASS),
    )
    module = ModuleType("littlego.engines.passing.engine")
    module.ENGINE = passes
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(choosing, "ENGINES", {"passing": "nothing", **choosing.ENGINES})
    assert engine_of("nothing") is passes
    assert OursPlayer().decide(opening(LITTLE_GO)).move == PASS == OursPlayer().decide(match_rules(9).opening()).move
