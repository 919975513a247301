"""The imports of modules, and digests of their code.

A digest ignores comments, docstrings, annotations and layout.

The key of a cached result includes a digest of the modules that compute the result; `meaning_of` returns this digest.
The digest covers these modules and all project modules that they import, at any depth. An edit to any other module
leaves the digest unchanged.

The digest also ignores blocks under `if TYPE_CHECKING:`, `from __future__` imports, annotated type aliases (`X:
TypeAlias = ...`), and unused imported names. The digest is the same on every version of Python that parses the source
in the same way. An import by name at run time is not detected: the caller must also pass the imported module.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from littlego.cache import ROOT, Cache
from littlego.paths import CODE

OWN_SOURCE = Path(__file__).read_bytes()  # part of the cache keys, so that an edit to this module invalidates the keys
PLAYER = {"my_player3", "rules"}  # modules in the player's folder; `littlego.rules` is the same package as `rules`
IGNORED = {"annotation", "returns", "type_comment", "type_params", "kind"}  # fields of syntax trees


class Import(NamedTuple):
    """An import statement: `from module import name`, or `import module` with the name "".

    `unused` is the local name that a `from` import binds if the source does not use this name, else "".
    """

    module: str
    name: str
    unused: str = ""


class Meaning(NamedTuple):
    """The digest of a file's statements, without unused imports, and a tuple of all the file's imports."""

    body: str
    imports: tuple[Import, ...]


def meaning_of(*names: str, root: Path = ROOT) -> str:
    """Return a SHA-256 digest, in hex, of modules and of their imports.

    `names` are modules such as rules.engine, or packages; a package includes all its modules. The digest also covers
    all modules below `root` that the named modules import, at any depth. Raise ModuleNotFoundError for an unknown name,
    and SyntaxError or ValueError for an invalid source.
    """
    return _meaning_of(tuple(sorted(set(names))), root)


@cache
def _meaning_of(names: tuple[str, ...], root: Path) -> str:
    modules = {name: _load(path, package_of(name, path)) for name, path in modules_below(*names, root=root).items()}
    passed_on = {(one.module, one.name) for meaning in modules.values() for one in meaning.imports}
    seen = sha256()
    for name, meaning in sorted(modules.items()):
        kept = sorted(one for one in meaning.imports if (name, one.unused) in passed_on)
        seen.update(json.dumps([name, meaning.body, kept]).encode("ascii"))
    return seen.hexdigest()


def modules_below(*names: str, root: Path = ROOT) -> dict[str, Path]:
    """Return {name: file} for modules, their packages, and all modules that they import, at any depth."""
    results: dict[str, Path] = {}
    seen: set[str] = set()
    waiting = [module for name in names for module in _modules_in(name, root)]
    while waiting:
        name = waiting.pop()
        path = None if name in seen else path_of(name, root)
        seen.add(name)
        if path is None:
            continue
        results[name] = path
        waiting.append(name.rpartition(".")[0])
        for module, attribute, _ in _load(path, package_of(name, path)).imports:
            waiting += [module, f"{module}.{attribute}"]
    return results


def package_of(name: str, path: Path) -> str:
    """Return the package from which a module's relative imports start."""
    return name if path.name == "__init__.py" else name.rpartition(".")[0]


def is_ours(name: str, root: Path = ROOT) -> bool:
    """Return whether a module lies below root."""
    return path_of(name, root) is not None


def _modules_in(name: str, root: Path) -> list[str]:
    """Return [name] for a module, or the names of all modules in a package."""
    path = path_of(name, root)
    if path is None:
        raise ModuleNotFoundError(f"there is no module {name}", name=name)
    if path.name != "__init__.py":
        return [name]
    files = (file.relative_to(path.parent).with_suffix("").parts for file in sorted(path.parent.rglob("*.py")))
    return [".".join([name, *parts]).removesuffix(".__init__") for parts in files]


def path_of(name: str, root: Path = ROOT) -> Path | None:
    """Return a module's source file below `root` (by default this project), or None for other modules."""
    first, *rest = name.split(".")
    if root != ROOT:
        path = root.joinpath(first, *rest)
    elif first in PLAYER or (first == "littlego" and rest[:1] == ["rules"]):
        path = ROOT.joinpath(*([first] if first in PLAYER else []), *rest)
    elif first == "littlego":
        path = CODE.joinpath(first, *rest)
    else:
        return None
    return next((one for one in (path.with_suffix(".py"), path / "__init__.py") if name and one.is_file()), None)


@cache
def _load(path: Path, package: str) -> Meaning:
    """Return the Meaning of a file, cached by the file's content."""
    source = path.read_bytes()
    key = sha256(b"\0".join([OWN_SOURCE, package.encode(), source])).hexdigest()[:32]
    kept = _cache().get(key)
    if kept is None:
        kept = read_source(source, package)
        _cache().put(key, kept)
    body, imports = kept
    return Meaning(body, tuple(Import(*one) for one in imports))


@cache
def _cache() -> Cache:
    return Cache("meaning")


def read_source(source: str | bytes, package: str = "") -> Meaning:
    """Return the Meaning of a source text; raise SyntaxError or ValueError for an invalid source.

    Relative imports start from `package`. A relative import has the same meaning as an absolute import of the same
    module.
    """
    tree = _Absolute(package).visit(_Stripped().visit(ast.parse(source)))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | set(_names_in_all(tree))
    imports = sorted(set(_imports(tree, used)))
    seen = sha256()
    for word in _words(tree, {one.unused for one in imports}):
        seen.update(word.encode("utf-8", "surrogatepass") + b"\0")
    return Meaning(seen.hexdigest(), tuple(imports))


def _imports(tree: ast.AST, used: set[str]) -> Iterator[Import]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(name.name, "") for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                bound = name.asname or name.name
                yield Import(node.module or "", name.name, "" if bound in used or bound == "*" else bound)


def _names_in_all(tree: ast.AST) -> Iterator[str]:
    """Yield the names in a module's `__all__`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and "__all__" in (getattr(target, "id", "") for target in node.targets):
            strings = (one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant))
            yield from (one for one in strings if isinstance(one, str))


def _words(node: object, unused: set[str]) -> Iterator[str]:
    """Yield a syntax tree as texts that are the same in every version of Python.

    The texts omit line numbers, empty fields and unused imports.
    """
    if isinstance(node, ast.ImportFrom):
        names = [(one.name, one.asname or one.name) for one in node.names]
        yield from (f"from {node.module} {name} {bound}" for name, bound in sorted(names) if bound not in unused)
    elif isinstance(node, ast.AST):
        yield type(node).__name__
        for name, value in ast.iter_fields(node):
            if name not in IGNORED and value is not None and (words := [*_words(value, unused)]):
                yield name
                yield from words
        yield ")"
    elif isinstance(node, list):
        if words := [word for one in node for word in _words(one, unused)]:
            yield from ["[", *words, "]"]
    else:
        yield f"{type(node).__name__} {node!r}"


class _Absolute(ast.NodeTransformer):
    """A transformer that makes imports absolute.

    Raises ValueError for a relative import above the package.
    """

    def __init__(self, package: str) -> None:
        self.package = package.split(".") if package else []

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:  # noqa: N802 - ast's names
        if not node.level:
            return node
        if node.level > len(self.package):
            raise ValueError("a relative import outside a package")
        base = self.package[: len(self.package) - node.level + 1]
        return ast.ImportFrom(".".join([*base, *([node.module] if node.module else [])]), node.names, 0)


class _Stripped(ast.NodeTransformer):
    """A transformer that removes the parts of a syntax tree that only readers and type checkers use."""

    def __init__(self) -> None:
        self.fields_matter = False  # whether annotations may declare fields: in a class with bases or decorators

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:  # noqa: N802 - ast's names
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_Pass(self, node: ast.Pass) -> None:  # noqa: N802
        return None

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:  # noqa: N802
        named = [getattr(target, "id", "") for target in node.targets]
        return None if named == ["TYPE_CHECKING"] else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.AST]:  # noqa: N802
        if getattr(node.test, "id", getattr(node.test, "attr", "")) != "TYPE_CHECKING":
            return self.generic_visit(node)
        kept = [self.visit(one) for one in node.orelse]
        return [one for some in kept if some for one in (some if isinstance(some, list) else [some])]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:  # noqa: N802
        return None if node.module == "__future__" else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # noqa: N802
        return self._visit_inside(node, bool(node.bases or node.keywords or node.decorator_list))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:  # noqa: N802
        node.returns = None
        return self._visit_inside(node, False)

    visit_AsyncFunctionDef = visit_FunctionDef

    def _visit_inside(self, node: ast.AST, fields_matter: bool) -> ast.AST:
        outside, self.fields_matter = self.fields_matter, fields_matter
        self.generic_visit(node)
        self.fields_matter = outside
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:  # noqa: N802
        alias = getattr(node.annotation, "id", getattr(node.annotation, "attr", "")) == "TypeAlias"
        if self.fields_matter:
            names = {getattr(one, "id", getattr(one, "attr", "")) for one in ast.walk(node.annotation)}
            kind = ", ".join(sorted(names & {"ClassVar", "InitVar"}))  # ClassVar and InitVar declare special fields
            return self.generic_visit(ast.Assign([node.target, ast.Constant(kind)], node.value or ast.Constant(None)))
        return None if alias or node.value is None else self.visit_Assign(ast.Assign([node.target], node.value))
