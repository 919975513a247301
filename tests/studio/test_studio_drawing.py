"""Tests that the page's code, run by node, reads and changes every drawing of our patterns."""

from __future__ import annotations

import json

import pytest
from npm_packages import eval_node, needs_node

from littlego.knowledge.compiler import compile_text
from littlego.paths import PATTERNS_YAML
from littlego.studio.app import STATIC

GRID = (STATIC / "pattern" / "grid.js").as_uri()
HEAD = f"""
import {{ readFileSync }} from "node:fs";
import * as grid from {json.dumps(GRID)};
const grids = JSON.parse(readFileSync(0, "utf8")).map(([rows, labels]) => grid.gridOf(rows, labels));
"""


def answer(script, drawings):
    """Return the value that a script passes to `tell`. The script may use `grids`, made from `drawings`."""
    return eval_node(HEAD + script, drawings)


@pytest.fixture(scope="module")
def drawings():
    """Return all distinct (drawing, labels) texts of our patterns, a line for each row, without spaces."""
    _, problems, base = compile_text(PATTERNS_YAML.read_bytes(), "patterns.yaml", with_examples=False)
    assert not problems
    found = {("\n".join(one.rows), "\n".join(one.label_rows)) for one in base.patterns if one.rows}
    assert len(found) > 50
    return sorted(found)


@needs_node
def test_a_drawing_read_and_written_is_the_same(drawings):
    written = answer("tell(grids.map((one) => [grid.drawingOf(one), grid.labelsOf(one)]));", drawings)
    for (drawing, labels), (rows, letters) in zip(drawings, written, strict=True):
        assert rows.replace(" ", "") == drawing
        named = {symbol for symbol in labels if symbol.isupper() and symbol not in "XO"}
        assert {symbol for symbol in letters if symbol.isupper()} == named


@needs_node
def test_what_grew_at_a_side_shrinks_to_what_it_was(drawings):
    script = """
    const back = (one, side) => grid.shrunk(grid.grown(one, side), side);
    tell(grids.every((one) => grid.SIDES.every((side) => JSON.stringify(back(one, side)) === JSON.stringify(one))));
    """
    assert answer(script, drawings) is True


@needs_node
def test_no_click_loses_the_move(drawings):
    script = """
    const stars = (one) => one.rows.join("").split("*").length - 1;
    const changed = [];
    for (const one of grids)
      for (let row = 0; row < one.rows.length; row += 1)
        for (let column = 0; column < one.rows[0].length; column += 1)
          for (const symbol of grid.symbolsOf(one)) changed.push([one, grid.withSymbol(one, row, column, symbol)]);
    for (const one of grids) for (const side of grid.SIDES) changed.push([one, grid.shrunk(one, side)]);
    const made = changed.filter(([, after]) => after !== null);
    tell([made.length, made.every(([before, after]) => stars(before) === stars(after)), changed.length - made.length]);
    """
    made, is_kept, refused = answer(script, drawings)
    assert is_kept
    assert made > 1000
    assert refused > 100  # refused: clicks on the move itself, and on lines that contain the move


@needs_node
def test_the_moves_of_a_sequence_go_where_they_are_put():
    script = """
    const one = { ...grids[0], isSequence: true };
    tell([
      grid.withSymbol(one, 0, 0, "2").rows, // moved
      grid.withSymbol(one, 0, 0, "3").rows, // the next one
      grid.withSymbol(one, 0, 1, "X"), // would lose a move in the middle
      grid.withSymbol(one, 0, 2, "X").rows, // takes the last one away
    ]);
    """
    assert answer(script, [[".12", ""]]) == [["21."], ["312"], None, [".1X"]]
