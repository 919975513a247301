"""patterns.match.yaml and patterns.match.txt as they are committed: freshness, and what each pattern must have."""

from __future__ import annotations

from collections import Counter

import pytest

from tools.data import MATCH_TXT, MATCH_YAML
from tools.knowledge.compiler import compile_text
from tools.knowledge.keys import MATCH
from tools.knowledge.model import MATCHES, NO_MATCH
from tools.large.book import load_large

FEWEST = 250
SMALLEST_BOARD = 9  # of an example


@pytest.fixture(scope="module")
def compiled():
    """Return (bytes, problems, base) of the file, its examples run."""
    return compile_text(MATCH_YAML.read_bytes(), str(MATCH_YAML))


def test_the_knowledge_has_no_mistakes_and_all_its_examples_hold(compiled):
    assert [str(problem) for problem in compiled[1]] == []


def test_the_compiled_file_is_what_compiling_makes(compiled):
    assert MATCH_TXT.read_bytes() == compiled[0], "patterns.match.txt is not fresh: littlego regenerate patterns"


def test_the_player_reads_all_of_it(compiled):
    book, patterns = load_large(str(MATCH_TXT), MATCH.name), compiled[2].ranked()
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
