"""Tests that the site's WebAssembly decides and solves like numba's code, which has the same sources."""

from __future__ import annotations

import ast
import json
import subprocess
from base64 import b64decode
from importlib import import_module

import numpy as np
import pytest
from npm_packages import needs_node

from littlego.dev.regenerate.products import WASM
from littlego.engines.compiled.engine import codes_of, compile_book, decide_many, fires_many
from littlego.engines.compiled.matching import POINT_FIELD, POINT_SHIFT, indexed
from littlego.engines.compiled.programs import HOW_MANY, scratch_size
from littlego.engines.compiled.reasons import reasons_many
from littlego.engines.compiled.states import parts
from littlego.judging.corpora import RECORDED, corpora_of
from littlego.paths import PACKAGE, PATTERNS_TXT
from littlego.rules.patternfile import load_bytes
from littlego.rules.positionkey import LEFT_AT
from littlego.rules.ruleset import LITTLE_GO
from littlego.studio.site.build import HERE
from littlego.studio.site.in_browser import REPLACED
from littlego.truth.labels.labels import legal_many, load
from littlego.truth.solver.search import NODES, make_scratch, search
from littlego.truth.solver.solver import GOAL
from littlego.truth.solver.table import make_table

BITS = 16
PLACES = 256  # see littlego.studio.site.wasm.exported


def in_node(**questions):
    """Return the answers of the WebAssembly, run by node."""
    support = PACKAGE.parents[1] / "tests" / "support" / "engine_in_node.mjs"
    command = ["node", str(support), str(WASM.parents[1] / "static" / "engine.js"), str(WASM)]
    run = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def solved(code) -> list[int]:
    """Return [answer, number of searched nodes] of the search compiled by numba, with an empty table."""
    scratch, stop = make_scratch(), np.zeros(1, np.int64)
    answer = search(*parts(code), GOAL, make_table(BITS), *scratch, stop)
    return [int(answer), int(scratch[2][NODES])]


def assert_same_reasons(found, wanted):
    """Assert that the WebAssembly's reasons equal `wanted`: moves, kinds, roles, and places of firings."""
    assert found["reasons"] == np.stack([wanted.moves, wanted.kinds], axis=1).ravel().tolist()
    assert b64decode(found["roles"]) == wanted.roles.tobytes()
    placed = np.frombuffer(b64decode(found["placed"]), np.int8).reshape(-1, 8, PLACES)
    assert list(zip(*(column.tolist() for column in placed.nonzero()), strict=True)) == wanted.placements(PLACES - 1)


@needs_node
def test_all_recorded_decisions_and_five_hundred_solved_positions_are_equal():
    book = load_bytes(PATTERNS_TXT.read_bytes(), PATTERNS_TXT.name, LITTLE_GO)
    record = corpora_of(LITTLE_GO.name).on_record(RECORDED, corpora_of(LITTLE_GO.name).record)
    codes, program = codes_of(record.positions()), compile_book(book)
    labelled = load().codes
    some = labelled[(labelled >> LEFT_AT >= 7) & (labelled >> LEFT_AT <= 14)][::23][:500]
    assert len(codes) >= 6370 and len(some) == 500
    rows = np.stack([np.array(one, np.int64) for one in (book.cares, book.values, book.cells, book.cells)], axis=1)
    points = rows[:, 2] >> POINT_SHIFT & POINT_FIELD
    starts, order = indexed(rows, points)
    found = in_node(
        placements=list(map(str, rows.ravel())),
        points=points.tolist(),
        starts=len(starts),
        most=len(starts) + len(order),
        codes=list(map(str, codes)),
        program=program.tolist(),
        scratch=scratch_size(int(program[HOW_MANY])),
        patterns=len(book.patterns),
        table=1 << BITS,
        positions=[[*map(int, parts(code)), GOAL] for code in some],
    )
    assert found["indexed"] == [*starts, *order]
    assert found["decided"] == np.stack(decide_many(codes, program), axis=1).ravel().tolist()
    assert list(map(bool, found["fires"])) == fires_many(codes, program)
    assert found["legal"] == legal_many(codes).tolist()
    assert_same_reasons(found, reasons_many(codes, program))
    assert found["solved"] == [solved(code) for code in some]


@pytest.mark.parametrize("name", [name for name in REPLACED if name != "package"])
def test_a_page_s_module_offers_functions_of_the_module_in_whose_place_it_is(name):
    tree = ast.parse((HERE / "in_browser" / f"{name}.py").read_text(encoding="utf-8"))
    offered = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")}
    replaced = import_module("littlego." + REPLACED[name].replace("/", "."))
    assert offered and [one for one in offered if not hasattr(replaced, one)] == []
