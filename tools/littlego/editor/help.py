"""Completion and hover help for keys, facts, classes and ids, with the values of facts on a board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

from littlego.editor.context import Spot, spot_at
from littlego.editor.drafts import drawn, shapes
from littlego.editor.edits import BLOCKS
from littlego.editor.entries import Entries
from littlego.editor.placements import Placement, Placements
from littlego.engines.large.vocabulary import sizes_text
from littlego.knowledge.diagrams import EDGES, SYMBOLS
from littlego.knowledge.expressions import ExpressionError, parse
from littlego.knowledge.keys import (
    CHOICE,
    FLAG,
    MEANINGS,
    NAMES,
    TEXT,
    Key,
)
from littlego.knowledge.model import CLASSES, KnownPattern
from littlego.knowledge.programs import KINDS, facts_for, mistakes, postfix, usage
from littlego.knowledge.tables import EACH
from littlego.rules.facts import FACTS
from littlego.rules.position import Position

MOST_VALUED = 12  # maximum number of facts to evaluate; with more, none is evaluated, because that would take too long
_OPERATORS = {"and": "both hold", "or": "at least one holds", "not": "does not hold"}
_CALL = re.compile(r"([A-Za-z_]\w*)(?:\s*\(([^()]*)\))?")
_OPEN_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(([^()]*)$")
_POINT_SYMBOLS = ".*"
Option = dict[str, Any]


class Board:
    """A board with the placement for which facts are evaluated; without a placement, facts have no values.

    Each pattern proposes at most one placement (see `_placement`). The board uses the proposed placement that differs
    from the position at the fewest points.
    """

    def __init__(self, patterns: Iterable[KnownPattern], position: Position | None, at: tuple[int, int] | None = None):
        self.placements: Placements | None = None
        self.placed: Placement | None = None
        fewest = inf
        for pattern in patterns if position is not None else ():
            assert position is not None
            placements = Placements(pattern, position)
            placed = _placement(placements, at)
            if placed and (differing := placements.failing(placed).bit_count()) < fewest:
                self.placements, self.placed, fewest = placements, placed, differing

    def value(self, text: str) -> int | None:
        """Return the value of an expression at the placement; None if the expression cannot be evaluated."""
        if self.placements is None or self.placed is None:
            return None
        pattern, size = self.placements.pattern, self.placements.board.size
        letters = {letter: ["?"] for letter in pattern.letters}
        try:
            tree = parse(text)
            if next(mistakes(tree, letters, pattern.passes, size), None):
                return None
            return self.placements.value(postfix(tree), self.placed)
        except ExpressionError:
            return None


def _placement(placements: Placements, at: tuple[int, int] | None) -> Placement | None:
    """Return the placement whose (symmetry, place) is `at`, if there is any.

    Otherwise return the first placement that fires, else the legal placement that differs from the board at the fewest
    points. Return None if no placement has a legal move.
    """
    if at is not None:
        named = [one for one in placements.all if (one.symmetry, one.place) == at]
        if named:
            return named[0]
    if placements.firing:
        return placements.firing[0]
    near = [one for one in placements.placed if placements.is_legal(one)]
    return min(near, key=lambda one: placements.failing(one).bit_count(), default=None)


def board_for(entries: Entries, spot: Spot, position: Position | None, at: tuple[int, int] | None) -> Board:
    """Return the board on which to evaluate facts at a place in the text.

    The board has a placement of a pattern from the entry at this place. If a condition or the points have mistakes,
    only the drawing and the labels are used.
    """
    if spot.entry is None or position is None:
        return Board((), None)
    return Board(drawn(entries, spot.entry) or shapes(entries, spot.entry), position, at)


def complete(entries: Entries, offset: int, position: Position | None, at: tuple[int, int] | None) -> dict[str, Any]:
    """Return the completions at a place in the text.

    `from` and `to` are the bounds of the characters to replace. Each of the `options` has `label`, `kind` (key, fact,
    value, label, id or word), `detail`, `info` (a sentence) and `insert` (the text to insert). If at most MOST_VALUED
    facts are offered, each fact also has `values`: the text and the value of each call on the board.
    """
    spot = spot_at(entries.cut, offset)
    prefix = entries.text[spot.begin : spot.at]
    options = [one for one in _options(entries, spot) if str(one["label"]).startswith(prefix)]
    facts = [option for option in options if option["kind"] == "fact"]
    if len(facts) <= MOST_VALUED:
        board = board_for(entries, spot, position, at)
        for one in facts:
            one["values"] = list(_values(one["label"], board))
    return {"from": spot.begin, "to": spot.end, "options": options}


def _options(entries: Entries, spot: Spot) -> Iterator[Option]:
    key = spot.declared.get(spot.key) if spot.path and not spot.is_key else None
    if _is_expression(spot):
        yield from _in_expression(entries, spot)
    elif spot.is_key and spot.declared:
        yield from _keys(entries, spot)
    elif key is not None:
        yield from _values_of_key(entries, spot, key)


def _is_expression(spot: Spot) -> bool:
    if spot.entry is None or spot.path == ("points",) and spot.is_key:
        return False
    return spot.path in (("when",), ("points",), ("points", EACH))


def _option(label: str, kind: str, detail: str = "", info: str = "", insert: str = "") -> Option:
    return {"label": label, "kind": kind, "detail": detail, "info": info, "insert": insert or label}


def _keys(entries: Entries, spot: Spot) -> Iterator[Option]:
    own = entries.text[spot.begin : spot.end]
    has = set(entries.nodes(spot.entry).values) - {own} if spot.entry and not spot.path else set()
    for name, key in spot.declared.items():
        if name not in has and key.only in ("", entries.ruleset.name):
            required = "required" if key.required else ""
            yield _option(name, "key", required, key.meaning, f"{name}: |" if key.kind in BLOCKS else f"{name}: ")


def _values_of_key(entries: Entries, spot: Spot, key: Key) -> Iterator[Option]:
    if key.kind == CHOICE:
        yield from (_option(name, "value", "", meaning) for name, meaning in key.choices.items())
    elif key.kind == FLAG:
        yield from (_option(name, "value", "", key.meaning) for name in ("true", "false"))
    elif key.kind == NAMES and spot.key == "rulesets":
        yield from (_option(name, "value", "", meaning) for name, meaning in MEANINGS.items())
    elif key.kind == NAMES:
        known = (one.patterns for entry in entries.all if (one := entries.known(entry)))
        tags = {tag for patterns in known for pattern in patterns for tag in pattern.tags}
        yield from (_option(tag, "value", "a tag of this file") for tag in sorted(tags))
    elif key.kind == TEXT:
        yield from (_option(name, "id", "a pattern") for name in entries.ids if not name.startswith("#"))


def _in_expression(entries: Entries, spot: Spot) -> Iterator[Option]:
    assert spot.entry is not None
    before = entries.text[spot.value_at : spot.at]
    called = _OPEN_CALL.search(before)
    if called and called[1] in FACTS:
        kinds, number = KINDS[called[1]], called[2].count(",")
        yield from _arguments(entries, spot, kinds[number]) if number < len(kinds) else ()
        return
    for name in facts_for(entries.ruleset.size):
        insert = f"{name}(" if KINDS[name] else name
        yield _option(name, "fact", usage(name), FACTS[name].promise, insert)
    yield from (_option(word, "word", "", meaning) for word, meaning in _OPERATORS.items())


def facts(entries: Entries) -> list[dict[str, str]]:
    """Return the facts that the file's conditions can use.

    Each fact has its usage and a one-line description.
    """
    names = facts_for(entries.ruleset.size)
    return [{"fact": name, "usage": usage(name), "text": FACTS[name].promise} for name in names]


def _arguments(entries: Entries, spot: Spot, kind: str) -> Iterator[Option]:
    """Yield the possible arguments of a fact. kind: the kind of the argument, point or chain."""
    assert spot.entry is not None
    patterns = shapes(entries, spot.entry)
    if kind == "point" and not all(pattern.passes for pattern in patterns):
        yield _option("*", "label", "the move", SYMBOLS["*"])
    for letter, symbol in _labelled(patterns).items():
        if kind == "point" or symbol not in _POINT_SYMBOLS:
            yield _option(letter, "label", f"on `{symbol}`", SYMBOLS.get(symbol, ""))


def _labelled(patterns: Iterable[KnownPattern]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pattern in patterns:
        for letters, symbols in zip(pattern.label_rows, pattern.rows, strict=False):
            pairs = zip(letters, symbols, strict=True)
            found |= {letter: symbol for letter, symbol in pairs if letter.isalpha() and letter not in found}
    return found


def _values(fact: str, board: Board) -> Iterator[dict[str, Any]]:
    """Yield a fact's values on a board.

    A fact without arguments has one value. A fact with one argument has a value for each possible argument. The
    function yields no values for a fact with several arguments.
    """
    kinds = KINDS[fact]
    if board.placements is None or len(kinds) > 1:
        return
    labels = _labelled([board.placements.pattern])
    names = {"point": ["*", *labels], "chain": [one for one, symbol in labels.items() if symbol not in _POINT_SYMBOLS]}
    for name in names[kinds[0]] if kinds else [""]:
        text = f"{fact}({name})" if name else fact
        value = board.value(text)
        if value is not None:
            yield {"text": text, "value": value}


def hover(entries: Entries, offset: int, position: Position | None, at: tuple[int, int] | None) -> dict[str, Any]:
    """Return the hover help at a place in the text.

    The keys are `from`, `to`, `title` ('' if there is no help), `text` and `values`. For a fact, `values` has the text
    and the value of the written call or, if the written call has no value, of each possible call.
    """
    spot = spot_at(entries.cut, offset)
    word = entries.text[spot.begin : spot.end]
    said = {"from": spot.begin, "to": spot.end, "title": "", "text": "", "values": []}
    if _is_expression(spot) and not spot.is_key or _is_expression(spot) and word in FACTS:
        return said | _hover_expression(entries, spot, word, board_for(entries, spot, position, at))
    if spot.is_key and word in spot.declared:
        key = spot.declared[word]
        return said | {"title": f"{word} ({key.kind}{', required' if key.required else ''})", "text": key.meaning}
    key_of_value = spot.declared.get(spot.key)
    if key_of_value is not None and word in key_of_value.choices:
        return said | {"title": word, "text": key_of_value.choices[word]}
    if word in CLASSES and spot.key == "class":
        return said | {"title": word, "text": CLASSES[word]}
    return said | _hover_cell(entries, spot)


def _hover_cell(entries: Entries, spot: Spot) -> dict[str, Any]:
    """Return the help for the drawing's symbol at a place in the text; {} if there is no symbol."""
    symbol = entries.text[spot.at : spot.at + 1]
    drawn_keys = ("diagram", "labels", "sequence", "board", "previous")
    if spot.key not in drawn_keys or spot.row == 0 or not symbol.strip():
        return {}
    meaning = {**SYMBOLS, **EDGES}.get(symbol)
    if meaning is None and spot.key == "labels" and symbol.isalpha():
        meaning = "a label: a name for this point or for the chain on it"
    return {"from": spot.at, "to": spot.at + 1, "title": symbol, "text": meaning} if meaning else {}


def _hover_expression(entries: Entries, spot: Spot, word: str, board: Board) -> dict[str, Any]:
    if word in _OPERATORS:
        return {"title": word, "text": _OPERATORS[word]}
    if word not in FACTS:
        symbol = _labelled(shapes(entries, spot.entry) if spot.entry else ()).get(word)
        said = f"the label {word}, on `{symbol}`: {SYMBOLS.get(symbol, '')}" if symbol else ""
        return {"title": word, "text": said} if symbol else {}
    calls = [one for one in _CALL.finditer(entries.text, spot.begin) if one.start() == spot.begin][:1]
    text = " ".join(calls[0][0].split()) if calls else word
    value = board.value(text)
    values = [{"text": text, "value": value}] if value is not None else list(_values(word, board))
    sizes = f" For boards of {sizes_text(word)}." if sizes_text(word) else ""
    return {"title": usage(word), "text": FACTS[word].promise + sizes, "values": values}
