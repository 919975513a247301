"""Tests that badges and hits equal the engine's results with one clause of the pattern removed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from knowledge_files import compiled

from littlego.editor.badges import badges
from littlego.editor.fires import fires, why_not_here
from littlego.editor.placements import Placements
from littlego.editor.positions import read_position
from littlego.engines.large.engine import ENGINE
from littlego.engines.small.engine import hits
from littlego.games.match import MatchPosition
from littlego.judging.mutation.mutants import edge_changes, with_cell
from littlego.knowledge.expressions import parse
from littlego.knowledge.firing import firings_for, near_misses
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.programs import infix, postfix
from littlego.knowledge.textfile import book_for, pattern_line
from littlego.rules.engine import canonical
from littlego.rules.geometry import image_of
from littlego.rules.patternfile import Pattern, book_of
from littlego.rules.position import Position
from littlego.rules.programs import Reading


def count_hits(pattern: KnownPattern, position: Position) -> int:
    """Return the number of placements at which a pattern fires according to the engine."""
    if isinstance(position, MatchPosition):
        moves = ENGINE.firings(position, book_for([pattern], position.ruleset))
        book = book_of("match", position.ruleset.size, [Pattern(pattern_line(pattern))])
        found = list(hits(book, ENGINE.view(position).reading, position.legal()))
        assert moves.keys() == {move for _, move, _, _ in found}
        return len(found)
    book = book_for([pattern], position.ruleset)
    table, state = canonical(position)
    return len(list(hits(book, Reading(state, book.bits), image_of(position.legal(), table))))


def left_out(pattern: KnownPattern, clause: dict) -> KnownPattern | None:
    """Return the pattern without one of its clauses, or None if the clause cannot be removed."""
    if clause["kind"] == "edge":
        name = f"edge {clause['side']} removed"
        return next(draft for named, draft, _ in edge_changes(pattern) if named == name)
    if clause["kind"] == "cell" and clause["symbol"] != "*":
        return replace(pattern, rows=with_cell(pattern.rows, clause["row"], clause["column"], "?"))
    if clause["kind"] == "condition":
        number = clause["number"]
        return replace(pattern, when=[*pattern.when[:number], *pattern.when[number + 1 :]])
    return None


def some_examples(patterns, number, seed=5):
    pairs = [(pattern, example.position()) for pattern in patterns for example in pattern.examples]
    return random.Random(seed).sample(pairs, number)


@pytest.mark.parametrize("seed", range(4))
def test_what_would_fire_without_a_clause_is_what_the_engine_lets_fire(seed):
    for pattern, position in some_examples(compiled().base.patterns, 20, seed):
        found = badges(Placements(pattern, position))
        assert found["hits"] == count_hits(pattern, position)
        for clause in found["clauses"]:
            other = left_out(pattern, clause)
            if other is None:
                assert clause["without"] is None
            else:
                assert clause["without"] == count_hits(other, position), (pattern.id, clause)


def test_clauses_asked_one_after_the_other_are_those_of_the_pattern_with_the_rest_left_out():
    for pattern, position in some_examples(compiled().base.patterns, 12, 9):
        found = badges(Placements(pattern, position))
        survivors = [clause["survive"] for clause in found["clauses"]]
        assert sorted(survivors, reverse=True) == survivors and survivors[-1] == found["hits"] <= found["all"]
        legal = next((k for k, clause in enumerate(found["clauses"]) if clause["kind"] == "legal"), None)
        if legal is not None:
            assert survivors[legal] == count_hits(replace(pattern, when=[]), position)
            first = [clause["number"] for clause in found["clauses"][legal + 1 :]][:1]
            if first:
                kept = replace(pattern, when=[pattern.when[first[0]]])
                assert survivors[legal + 1] == count_hits(kept, position)


def test_a_number_counts_with_one_less_and_one_more():
    pattern = next(one for one in compiled().base.patterns if any(when.endswith("2 >=") for when in one.when))
    number = next(k for k, when in enumerate(pattern.when) if when.endswith("2 >="))
    for example in pattern.examples:
        position = example.position()
        found = badges(Placements(pattern, position))
        [clause] = [one for one in found["clauses"] if one.get("number") == number]
        for name, limit in (("less", 1), ("more", 3)):
            program = pattern.when[number].removesuffix("2 >=") + f"{limit} >="
            changed = [program if k == number else when for k, when in enumerate(pattern.when)]
            assert clause["numbers"][0][name] == count_hits(replace(pattern, when=changed), position)


def test_a_negative_number_counts_with_one_less_and_one_more():
    pattern = next(one for one in compiled().base.patterns if "margin2 <= -3" in map(infix, one.when))
    number = [infix(when) for when in pattern.when].index("margin2 <= -3")
    for example in pattern.examples:
        found = badges(Placements(pattern, example.position()))
        [clause] = [one for one in found["clauses"] if one.get("number") == number]
        [counts] = clause["numbers"]
        assert counts["value"] == -3
        for name, limit in (("less", -4), ("more", -2)):
            changed = [*pattern.when]
            changed[number] = postfix(parse(f"margin2 <= {limit}"))
            assert counts[name] == count_hits(replace(pattern, when=changed), example.position())


def test_every_example_fires_for_the_moves_of_the_engine_with_its_points():
    for pattern, position in some_examples(compiled().base.patterns, 60, 3):
        found = fires(Placements(pattern, position))
        engine = firings_for(pattern, position)
        size = position.ruleset.size
        names = {f"{move // size},{move % size}" if move >= 0 else "pass": one.points for move, one in engine.items()}
        assert {one["move"]: one["points"] for one in found["moves"]} == names


def test_a_placement_shows_its_cells_and_labels_where_they_lie():
    [pattern] = [one for one in compiled().base.patterns if one.id == "crosscut"]
    position = next(example.position() for example in pattern.examples if example.must_fire)
    [placed, *_] = fires(Placements(pattern, position))["placements"]
    symbols = {"X": position.own, "O": position.theirs}
    for cell in placed["cells"]:
        row, column = map(int, cell["point"].split(","))
        if cell["symbol"] in symbols:
            assert symbols[cell["symbol"]] >> 5 * row + column & 1
    assert pattern.rows[placed["cells"][0]["row"]][placed["cells"][0]["column"]] == placed["cells"][0]["symbol"]


def test_why_not_is_the_nearest_miss_of_explain():
    for pattern, position in some_examples(compiled().base.patterns, 25, 4):
        for move in random.Random(1).sample(range(25), 4):
            if not position.legal() >> move & 1:
                continue
            found, misses = why_not_here([pattern], position, move), near_misses(pattern, position, move)
            if misses:
                assert (found["fires"], found["failed"]) == (False, misses[0].failed)
                failing = [one for one in found["clauses"] if one["holds"] is False]
                wanted = len(misses[0].cells) + len(misses[0].conditions) + misses[0].illegal
                assert len(failing) == wanted == found["failures"]
            else:
                assert found["fires"] == (move in firings_for(pattern, position)) or not found["fires"]


def test_why_not_says_an_edge_that_is_not_there():
    [pattern] = [one for one in compiled().base.patterns if one.rows and "+" in one.rows[0] and len(one.rows) < 5][:1]
    found = why_not_here([pattern], read_position("...../...../...../...../....."), 12)
    assert not found["fires"] and found["failed"]
