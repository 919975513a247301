"""Tests of flattened sources: imports from rules/ become imports of siblings; annotations are removed."""

from __future__ import annotations

import ast

import pytest

from littlego.paths import HOME
from littlego.submission.folder import MADE_BY, PLAYER, FlattenError, flat_sources, flatten_source

LIFE, ENGINE = "littlego_life.py", "littlego_engine.py"
REWRITTEN = [
    ("from rules.engine import decide\n", "from littlego_engine import decide\n", [ENGINE]),
    ("from .engine import decide\n", "from littlego_engine import decide\n", [ENGINE]),
    ("from .life import a as b, c\n", "from littlego_life import a as b, c\n", [LIFE]),
    (
        "from . import life, engine as e\n",
        "import littlego_life as life; import littlego_engine as e\n",
        [LIFE, ENGINE],
    ),
    ("def f():\n    from .life import a; a()\n", "def f():\n    from littlego_life import a; a()\n", [LIFE]),
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
    found, modules = flatten_source(source.encode(), "rules/some.py")
    assert found == MADE_BY + flat.encode()
    assert sorted(modules) == sorted(needed)


WITHOUT_TYPES = [
    ("from __future__ import annotations\nimport sys\n", "import sys\n"),
    ("x: int = 5  # five\n", "x = 5  # five\n"),
    ("class A:\n    x: int\n", "class A:\n    pass\n"),
    (
        "def f(a: int, *b: str, c: 'A' = 3, **d: x) -> list[int]:  # why\n    return a\n",
        "def f(a, *b, c = 3, **d):  # why\n    return a\n",
    ),
    (
        "def f(\n    a: int,\n    b: int,\n) -> None:\n    c: int = (a -b)\n",
        "def f(\n    a,\n    b,\n):\n    c = (a -b)\n",
    ),
    ("TYPE_CHECKING = False  # as typing\nif TYPE_CHECKING:\n    from rules.life import A\nx = 1\n", "x = 1\n"),
    ("if TYPE_CHECKING:\n    from rules.life import A\nelse:\n    A = tuple  # of masks\n", "A = tuple  # of masks\n"),
]


@pytest.mark.parametrize(("source", "flat"), WITHOUT_TYPES)
def test_what_is_for_type_checkers_alone_stays_behind(source, flat):
    assert flatten_source(source.encode(), "rules/some.py") == (MADE_BY + flat.encode(), [])


@pytest.mark.parametrize("source", UNTOUCHED)
def test_all_else_stays(source):
    assert flatten_source(source.encode(), "rules/some.py") == (MADE_BY + source.encode(), [])


@pytest.mark.parametrize(
    "source",
    [
        "import rules.engine\n",
        "import rules\n",
        "import sys, rules.life\n",
        "from .. import life\n",
        "from ..life import a\n",
        "from rules.life import *\n",
        "from rules.deep.life import a\n",
        "from .life import *\n",
        "from .deep.life import a\n",
    ],
)
def test_what_has_no_flat_form_is_named_with_its_place(source):
    with pytest.raises(FlattenError, match=r"rules/some\.py:2:1: found `.*`, which has no flat form; expected"):
        flatten_source(b"x = 1\n" + source.encode(), "rules/some.py")


def test_the_whole_engine_is_flattened():
    files = flat_sources(HOME)
    assert list(files) == sorted(files) and PLAYER in files
    modules = {f"littlego_{path.stem}.py" for path in (HOME / "rules").glob("*.py")}
    assert modules - set(files) == {"littlego___init__.py"}
    for name, data in files.items():
        for node in ast.walk(ast.parse(data, name)):
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").partition(".")[0] not in ("rules", "typing", "__future__"), name
            assert getattr(node, "annotation", None) is None and getattr(node, "returns", None) is None, name


def test_flat_modules_differ_from_their_sources_in_imports_and_types_only():
    for name, data in flat_sources(HOME).items():
        source = HOME / (name if name == PLAYER else f"rules/{name.removeprefix('littlego_')}")
        assert dump_bare(data) == dump_bare(source.read_bytes())


def dump_bare(source: bytes) -> str:
    """Return the syntax tree of a module without imports and types."""
    return ast.dump(Bare().visit(ast.parse(source)))


class Bare(ast.NodeTransformer):
    def visit_Import(self, node):  # noqa: N802
        return None

    visit_ImportFrom = visit_Import  # noqa: N815

    def visit_If(self, node):  # noqa: N802
        self.generic_visit(node)
        return node.orelse if ast.unparse(node.test) == "TYPE_CHECKING" else node

    def visit_Assign(self, node):  # noqa: N802
        return None if ast.unparse(node) == "TYPE_CHECKING = False" else node

    def visit_AnnAssign(self, node):  # noqa: N802
        return ast.Assign([node.target], node.value) if node.value else ast.Pass()

    def visit_FunctionDef(self, node):  # noqa: N802
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node):
        return ast.arg(node.arg)
