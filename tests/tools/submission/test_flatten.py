"""Sources with imports from rules/ become sources with imports from files beside them, and nothing else changes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.submission.flatten import MADE_BY, PLAYER, CannotFlatten, flat_sources, flattened

ROOT = Path(__file__).parents[3]

LIFE, ENGINE = "littlego_life.py", "littlego_engine.py"
REWRITTEN = [
    ("from rules.engine import decide\n", "from littlego_engine import decide\n", [ENGINE]),
    ("from rules.life import a as b, c\n", "from littlego_life import a as b, c\n", [LIFE]),
    ("from rules.life import (\n    a,\n    c,\n)\nx = 1\n", "from littlego_life import a, c\nx = 1\n", [LIFE]),
    ("from rules import life\n", "import littlego_life as life\n", [LIFE]),
    (
        "from rules import life, engine as e\n",
        "import littlego_life as life; import littlego_engine as e\n",
        [LIFE, ENGINE],
    ),
    ("def f():\n    from rules.life import a; a()\n", "def f():\n    from littlego_life import a; a()\n", [LIFE]),
    ("é = 'é'; from rules.life import a\r\n", "é = 'é'; from littlego_life import a\r\n", [LIFE]),
]
UNTOUCHED = [
    '"""from rules.life import a"""\n# from rules.life import a\n',
    "import sys\nfrom binascii import crc32\nfrom rulesets import x\n",
]


@pytest.mark.parametrize(("source", "flat", "needed"), REWRITTEN)
def test_only_imports_of_rules_change(source, flat, needed):
    found, modules = flattened(source.encode(), "rules/some.py")
    assert found == MADE_BY + flat.encode()
    assert sorted(modules) == sorted(needed)


@pytest.mark.parametrize("source", UNTOUCHED)
def test_all_else_stays(source):
    assert flattened(source.encode(), "rules/some.py") == (MADE_BY + source.encode(), [])


@pytest.mark.parametrize(
    "source",
    [
        "import rules.engine\n",
        "import rules\n",
        "import sys, rules.life\n",
        "from . import life\n",
        "from .life import a\n",
        "from rules.life import *\n",
        "from rules.deep.life import a\n",
    ],
)
def test_what_has_no_flat_form_is_named_with_its_place(source):
    with pytest.raises(CannotFlatten, match=r"rules/some\.py:2:1: found `.*`, which has no flat form; expected"):
        flattened(b"x = 1\n" + source.encode(), "rules/some.py")


def test_the_whole_engine_is_flattened():
    files = flat_sources(ROOT)
    assert list(files) == sorted(files) and PLAYER in files
    modules = {f"littlego_{path.stem}.py" for path in (ROOT / "rules").glob("*.py")}
    assert modules - set(files) == {"littlego___init__.py"}
    for name, data in files.items():
        for node in ast.walk(ast.parse(data, name)):
            assert not (isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "rules")


def test_flat_modules_differ_from_their_sources_in_imports_only():
    for name, data in flat_sources(ROOT).items():
        source = ROOT / (name if name == PLAYER else f"rules/{name.removeprefix('littlego_')}")
        assert without_imports(data) == without_imports(source.read_bytes())


def without_imports(source: bytes) -> str:
    return ast.dump(WithoutImports().visit(ast.parse(source)))


class WithoutImports(ast.NodeTransformer):
    def visit_Import(self, node):  # noqa: N802
        return None

    visit_ImportFrom = visit_Import  # noqa: N815
