"""Tests that the digest of code depends on the code and on imported code, but not on comments."""

from __future__ import annotations

import ast
import io
import random
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.cache import ROOT
from littlego.engines.small.engine import ENGINE
from littlego.meaning import meaning_of, modules_below, read_source

SOURCES = sorted((ROOT / "rules").glob("[a-z]*.py"))
SEEDS = st.integers(0, 2**32)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def body_of(text: str) -> str:
    return read_source(text, "rules").body


def with_comments(text: str, rng: random.Random) -> str:
    """Return the source with comments before and after some of its lines, and with more blank lines."""
    ends = [t.end[0] for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.NEWLINE]
    lines = text.splitlines()
    for number in sorted(rng.sample(ends, len(ends) // 2), reverse=True):
        lines[number - 1] += rng.choice(["  # why", "  # noqa", " "])
        lines[number:number] = rng.choice([[], ["# a whole line"], ["", ""]])
    return "\n".join(lines) + "\n"


def with_docstrings(tree: ast.Module, rng: random.Random) -> None:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)) and rng.random() < 0.7:
            if ast.get_docstring(node) is not None:
                del node.body[0]
            node.body.insert(0, ast.Expr(ast.Constant(f"Said {rng.random()}.")))


def with_annotations(tree: ast.Module, rng: random.Random) -> None:
    """Annotate arguments, results and assignments with names that are imported only for annotations."""
    names = ["Any", "Optional[Any]"]

    def kind() -> ast.expr:
        return ast.parse(rng.choice(names), mode="eval").body

    class Annotating(ast.NodeTransformer):
        def visit_arg(self, node: ast.arg) -> ast.arg:
            node.annotation = kind() if rng.random() < 0.7 else None
            return node

        def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
            return node

        def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
            node.returns = kind() if rng.random() < 0.7 else None
            return self.generic_visit(node)

        def visit_Assign(self, node: ast.Assign) -> ast.stmt:
            if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name) or rng.random() < 0.5:
                return node
            return ast.AnnAssign(node.targets[0], kind(), node.value, 1)

    Annotating().visit(tree)
    added = ["from __future__ import annotations", "from typing import TYPE_CHECKING, Any, Optional"]
    added += ["if TYPE_CHECKING:\n    from rules.engine import Book", "Alias: TypeAlias = dict"]
    tree.body[1:1] = [one for text in added for one in ast.parse(text).body]


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(SOURCES), SEEDS)
def test_words_alone_do_not_change_the_meaning(path, seed):
    rng, text = random.Random(seed), path.read_text(encoding="utf-8")
    assert body_of(with_comments(text, rng)) == body_of(text)
    tree = ast.parse(text)
    with_docstrings(tree, rng)
    with_annotations(tree, rng)
    # the layout does not change the digest either
    assert body_of(ast.unparse(ast.fix_missing_locations(tree))) == body_of(text)


OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift}
OTHER |= {ast.RShift: ast.LShift, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.Gt: ast.GtE}
OTHER |= {ast.And: ast.Or, ast.Or: ast.And, ast.Not: ast.Invert, ast.Invert: ast.Not, ast.In: ast.NotIn}


NAMES = {(ast.Name, "id"), (ast.Attribute, "attr")}


def with_another_word(text: str, rng: random.Random) -> str:
    """Return the source without docstrings and types, with one constant, operator or name changed."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
        if isinstance(body := getattr(node, "body", None), list):
            body[:] = [one for one in body if not (is_said(one) or is_for_types(one))] or [ast.Pass()]
    choices = [
        (node, name, place)
        for node in ast.walk(tree)
        if not isinstance(node, ast.AnnAssign)
        for name, value in ast.iter_fields(node)
        for place, one in enumerate(value if isinstance(value, list) else [value])
        if isinstance(one, (ast.Constant, *OTHER))
        or isinstance(node, (ast.Name, ast.Attribute))
        and name in ("id", "attr")
    ]
    node, name, place = rng.choice(choices)
    value = getattr(node, name)
    new = changed(value[place] if isinstance(value, list) else value)
    setattr(node, name, [*value[:place], new, *value[place + 1 :]] if isinstance(value, list) else new)
    return ast.unparse(ast.fix_missing_locations(tree))


def is_for_types(node: ast.AST) -> bool:
    """Return whether a statement is an `if TYPE_CHECKING:` block, or an assignment to TYPE_CHECKING."""
    asked = node.test if isinstance(node, ast.If) else node.targets[0] if isinstance(node, ast.Assign) else None
    return asked is not None and ast.unparse(asked) == "TYPE_CHECKING"


def is_said(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def changed(value: object) -> object:
    if isinstance(value, str):
        return value + "_"
    if isinstance(value, ast.Constant):
        return ast.Constant(f"{value.value}_" if isinstance(value.value, str) else 12345)
    return OTHER[type(value)]()


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(SOURCES), SEEDS)
def test_another_constant_operator_or_name_changes_the_meaning(path, seed):
    text = path.read_text(encoding="utf-8")
    assert body_of(with_another_word(text, random.Random(seed))) != body_of(text)


@pytest.mark.parametrize(
    "old, new",
    [
        ("def f(a, b): return a", "def g(a, b): return a"),
        ("def f(a, b): return a", "def f(a, b=None): return a"),
        ("f(a, b)", "f(b, a)"),
        ("f(a)(b)", "f(a, b)"),
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = 'a'", "x = b'a'"),
        ("x[1:]", "x[:1]"),
        ("if a:\n    b()\n    c()", "if a:\n    b()\nc()"),
        ("import a", "import b"),
        ("from a import f\nf()", "from b import f\nf()"),
        ("from a import f\nf()", "from a import g as f\nf()"),
        ("from a import f\n__all__ = ['f']", "__all__ = ['f']"),
        ("class A(B):\n    x: int", "class A(B):\n    pass"),
        ("class A(B):\n    x: int", "class A(B):\n    y: int"),
        ("@d\nclass A:\n    x: int = 1", "@d\nclass A:\n    x: ClassVar[int] = 1"),
        ("@d\nclass A:\n    x: int = 1", "@d\nclass A:\n    x = 1"),
        ("@cache\ndef f(): g()", "def f(): g()"),
        ("if TYPE_CHECKING:\n    pass\nelse:\n    f()", "if TYPE_CHECKING:\n    f()"),
    ],
)
def test_what_runs_otherwise_means_something_else(old, new):
    assert body_of(old) != body_of(new)


@pytest.mark.parametrize(
    "old, new",
    [
        ("class A(B):\n    x: int", "class A(B):\n    x: str  # a text"),
        ("class A:\n    x = 1", "class A:\n    x: int = 1"),
        ("def f():\n    pass", 'def f():\n    """Do nothing."""'),
        ("def f():\n    x = []", "def f():\n    x: list[int] = []"),
        ("if TYPE_CHECKING:\n    f()\nelse:\n    g()", "g()"),
        ("from a import f, g\nf()", "from a import f\nf()"),
        ("TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from a import f\ng()", "g()"),
        ("x = (1,\n     2)", "x = 1, 2"),
        ("'a' 'b'.join(c)", "'ab'.join(c)"),
    ],
)
def test_what_runs_alike_means_the_same(old, new):
    assert body_of(old) == body_of(new)


HOUSE = {
    "__init__": "",
    "top": "from room.middle import f\n\n\ndef g():\n    from room import late\n    f(late)\n",
    "middle": "from room.low import f\n",
    "low": "def f(): return 1\n",
    "late": "x = 1\n",
    "other": "import room.top\n",
}


@pytest.fixture
def house(tmp_path):
    """Create a program of a few modules.

    Return a function that writes one of the modules and returns the digest of the top module.
    """
    (tmp_path / "room").mkdir()

    def write(name: str, text: str) -> str:
        (tmp_path / "room" / f"{name}.py").write_text(text, encoding="utf-8")
        return digest_of(tmp_path, "room.top")

    for name, text in HOUSE.items():
        (tmp_path / "room" / f"{name}.py").write_text(text, encoding="utf-8")
    return write


def digest_of(root: Path, *names: str) -> str:
    """Return the digest that a new process computes, since this process caches the sources."""
    code = "import sys; from pathlib import Path; from littlego.meaning import meaning_of as m"
    code += "; print(m(*sys.argv[2:], root=Path(sys.argv[1])))"
    return subprocess.check_output([sys.executable, "-c", code, str(root), *names], cwd=ROOT, text=True)


def test_it_covers_all_modules_below_and_no_other(house, tmp_path):
    first = house("other", "import room.top\nprint()\n")
    assert set(modules_below("room.top", root=tmp_path)) == {f"room.{n}" for n in ("top", "middle", "low", "late")} | {
        "room"
    }
    assert house("low", "def f():\n    return 1  # one\n") == first
    assert house("__init__", '"""A room."""\n') == first
    second = house("low", "def f(): return 2\n")
    third = house("late", "x = 2\n")
    fourth = house("__init__", "x = 1\n")
    assert len({first, second, third, fourth}) == 4
    # `import a package` covers the whole package, including the other module
    assert digest_of(tmp_path, "room") != fourth


def test_a_name_that_is_only_passed_on_counts(house):
    first = house("low", "def f(): return 1\n\n\ndef h(): return 2\n")
    assert house("middle", "from room.low import h as f\n") != first
    assert house("middle", "from room.low import f, h\n") == first


def test_a_module_that_is_not_there_is_named():
    with pytest.raises(ModuleNotFoundError, match="littlego.nothing"):
        meaning_of("littlego.nothing")


@pytest.mark.parametrize(
    ("relative", "absolute"),
    [
        ("from . import x", "from room.inner import x"),
        ("from .low import f", "from room.inner.low import f"),
        ("from .. import x", "from room import x"),
        ("def g():\n    from ..low import f as h\n    h()", "def g():\n    from room.low import f as h\n    h()"),
    ],
)
def test_a_relative_import_means_what_the_absolute_one_means(relative, absolute):
    assert read_source(relative, "room.inner") == read_source(absolute)


@pytest.mark.parametrize(("text", "package"), [("from . import x", ""), ("from ... import x", "room.inner")])
def test_a_relative_import_that_leads_out_of_all_packages_is_refused(text, package):
    with pytest.raises(ValueError, match="relative"):
        read_source(text, package)


def test_the_engine_is_one_package_under_two_names():
    assert modules_below("littlego.rules.turn").keys() >= {"littlego.rules.engine", "littlego.rules"}
    assert modules_below("littlego.rules.life")["littlego.rules.life"] == modules_below("rules.life")["rules.life"]


def test_a_decision_depends_on_the_engine_and_not_on_the_protocol_of_files():
    below = modules_below(*ENGINE.modules)
    assert {"rules.engine", "rules.safety", "rules.facts", "rules.patternfile"} <= set(below)
    assert "rules.turn" not in below and not [name for name in below if name.startswith("littlego")]
