"""Tests that the committed patterns.match.yaml and patterns.match.txt are up to date and complete."""

from __future__ import annotations

from collections import Counter

import pytest

from littlego.engines.large.book import LargeBook, load_large
from littlego.engines.large.engine import ENGINE
from littlego.engines.large.search import decide_large
from littlego.judging.corpora import RECORDED_POSITIONS
from littlego.judging.recorded import read_record
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.keys import MATCH
from littlego.knowledge.model import MATCHES, NO_MATCH
from littlego.paths import ENGINE_GAMES, MATCH_DECISIONS, MATCH_TXT, MATCH_YAML, OWN_GAMES
from littlego.records.packed_games import game_digest, read_packed

FEWEST = 250
SMALLEST_BOARD = 9  # of an example
# number of moves played after a sequence begins, and the minimum share of all sequences' moves that must fire
PLIES, MET = 16, 0.8
SHARE = 30  # use every 30th recorded decision


@pytest.fixture(scope="module")
def compiled():
    """Return (bytes, problems, base) of the file, with its examples run."""
    return compile_text(MATCH_YAML.read_bytes(), str(MATCH_YAML))


def test_the_knowledge_has_no_mistakes_and_all_its_examples_hold(compiled):
    assert [str(problem) for problem in compiled[1]] == []


def test_the_compiled_file_is_what_compiling_makes(compiled):
    assert MATCH_TXT.read_bytes() == compiled[0], "patterns.match.txt is not fresh: littlego dev regenerate patterns"


def test_the_player_reads_all_of_it(compiled):
    book, patterns = load_large(MATCH_TXT.read_bytes(), "patterns.match.txt"), compiled[2].ranked()
    assert [pattern.id for pattern in book.patterns] == [pattern.id for pattern in patterns]
    for index, known in enumerate(patterns):
        found = book.conditions(index)
        assert len(found.game_tests) + len(found.tests) + len(found.others) == len(known.when), known.id


def test_there_are_enough_patterns_and_each_teaches_and_proves_itself(compiled):
    own = [pattern for pattern in compiled[2].patterns if pattern.examples]
    assert len(own) >= FEWEST
    for pattern in own:
        kinds = Counter(example.kind for example in pattern.examples)
        assert kinds[MATCHES] and kinds[NO_MATCH], pattern.id
        assert len(pattern.summary.split()) >= 4, pattern.id
        assert all(example.ruleset.size >= SMALLEST_BOARD for example in pattern.examples), pattern.id


def test_what_carries_over_from_the_course_s_game_is_shared(compiled):
    ranked = compiled[2].ranked()
    shared = [pattern for pattern in ranked if MATCH.name in pattern.rulesets and len(pattern.rulesets) > 1]
    assert len(shared) >= 10


def test_the_player_plays_what_is_on_record():
    """The test decides some recorded positions; `-m slow` and `dev regenerate match` decide all of them."""
    record = read_record(MATCH_DECISIONS)
    some = record.only(range(0, len(record.names), SHARE))
    book = load_large(MATCH_TXT.read_bytes(), "patterns.match.txt")
    assert some.decide(book) == list(some.moves)


def test_three_sizes_are_on_record_with_as_many_positions():
    sizes = Counter(position.ruleset.size for position in read_record(MATCH_DECISIONS).positions())
    assert sizes == dict.fromkeys((9, 13, 19), RECORDED_POSITIONS)


@pytest.mark.slow
def test_every_pattern_fires_in_kept_games_unless_its_author_says_why_not():
    book = load_large(MATCH_TXT.read_bytes(), "patterns.match.txt")
    silent = {pattern.id: pattern for pattern in book.patterns}
    kept = {game_digest(game): game for source in (ENGINE_GAMES, OWN_GAMES) for game in read_packed(source)}
    positions = 0
    for game in kept.values():
        left = LargeBook(MATCH.name, game.ruleset.size, list(silent.values()))
        looked_at = list(game.positions())
        positions += len(looked_at)
        for position in looked_at:
            for firings in ENGINE.firings(position, left).values():
                for firing in firings:
                    silent.pop(firing.pattern.id, None)
    print(f"{len(book.patterns)} patterns, {len(kept)} games, {positions} positions; silent: {', '.join(silent)}")
    assert [name for name, pattern in silent.items() if not pattern.rare] == []


@pytest.mark.slow
def test_our_player_takes_its_sequences_up_once_they_are_begun(compiled):
    """The player plays PLIES moves against itself from each example of a sequence's first move."""
    book = load_large(MATCH_TXT.read_bytes(), "patterns.match.txt")
    entries = {pattern.sequence: pattern for pattern in reversed(compiled[2].patterns) if pattern.sequence}
    assert len(entries) >= 10
    fired = set()
    for first in entries.values():
        for example in first.examples:
            position = example.position()
            for _ in range(PLIES if example.must_fire else 0):
                decision = decide_large(position, book)
                fired |= {firing.pattern.id for one in decision.candidates for firing in one.firings}
                position = position.play(decision.move)
    moves = [pattern.id for pattern in compiled[2].patterns if pattern.sequence]
    print(f"{len(moves)} moves of {len(entries)} sequences; not met: {', '.join(sorted(set(moves) - fired))}")
    assert len(fired.intersection(moves)) >= len(moves) * MET
