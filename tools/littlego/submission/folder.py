"""The submission: all modules and files of the player in a folder without subfolders.

`rules/engine.py` becomes `littlego_engine.py`. Imports are rewritten for the flat folder: `from .engine import decide`
in rules/ and `from rules.engine import decide` in the player both become `from littlego_engine import decide`. The
modules remain separate files, because Python caches the bytecode of modules between turns, but not that of the program
itself.

The submission contains the modules that the player imports, directly or indirectly. Code for type checkers only
(annotations, `if TYPE_CHECKING:`) is removed, so that it costs no time in a turn. Everything else, including comments,
is copied from the sources.
"""

from __future__ import annotations

import ast
import os
import tempfile
from pathlib import Path
from textwrap import dedent

from littlego.engines.choosing import load_book
from littlego.knowledge import overrides
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.problems import in_one_line
from littlego.rules.overrides import OverridesError
from littlego.rules.patternfile import PatternFileError
from littlego.rules.turn import COUNTS, INPUT, OUTPUT, as_written

PLAYER = "my_player3.py"
PACKAGE = "rules"
PREFIX = "littlego_"
MADE_BY = b"# Made by `littlego submit`; edit the sources, not this file.\n"
PATTERNS, OVERRIDES = "patterns.txt", overrides.NAME
LEFT_BY_PLAY = (INPUT, OUTPUT, COUNTS, "__pycache__")  # files that a game leaves in the folder
TYPING = "TYPE_CHECKING"  # the constant that hides imports from everything except type checkers


class SubmissionError(Exception):
    """Raised if the submission cannot be built; the message states the cause."""


class FlattenError(SubmissionError):
    """Raised for an import that cannot be rewritten for a flat folder."""


def flat_sources(root: Path) -> dict[str, bytes]:
    """Return {file name: bytes} for the player and the needed modules of rules/, sorted by name.

    A module is needed if the player imports it at run time, directly or indirectly. root: the player's folder. Raise
    FlattenError or SyntaxError (see flatten_source), and OSError if a source cannot be read.
    """
    files: dict[str, bytes] = {}
    waiting = [PLAYER]
    while waiting:
        name = waiting.pop()
        if name not in files:
            path = root / (name if name == PLAYER else f"{PACKAGE}/{name.removeprefix(PREFIX)}")
            files[name], needed = flatten_source(path.read_bytes(), path.relative_to(root).as_posix())
            waiting += needed
    return dict(sorted(files.items()))


def flatten_source(source: bytes, shown: str) -> tuple[bytes, list[str]]:
    """Return (the flattened text of a module, the names of the submitted files that the module imports).

    The flattened text has flat imports and no code for type checkers.

    `shown` is the module's path relative to the player's folder, used in messages and for relative imports. Raise
    FlattenError for an import that cannot be rewritten, and SyntaxError for invalid Python.
    """
    flattener = _Flattener(source, shown)
    flattener.visit(ast.parse(source, shown))
    for start, end, text in sorted(flattener.edits, reverse=True):
        source = source[:start] + text + source[end:]
    return MADE_BY + source, [f"{PREFIX}{module}.py" for module in flattener.modules]


class _Flattener(ast.NodeVisitor):
    """A visitor that collects the edits for flattening a module.

    It also collects the names of the rules/ modules that the visited module imports at run time.
    """

    def __init__(self, source: bytes, shown: str):
        self.source = source
        self.lines = source.splitlines(keepends=True)
        self.shown = shown
        self.edits: list[tuple[int, int, bytes]] = []  # (start, end, replacement)
        self.modules: list[str] = []

    def visit_Import(self, node: ast.Import) -> None:  # noqa: N802
        if any(_is_ours(alias.name) for alias in node.names):
            raise self._no_flat_form(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:  # noqa: N802
        module = self._absolute(node)
        if _is_ours(module) and node.names[0].name == "*":
            raise self._no_flat_form(node)
        if module == "__future__" and [alias.name for alias in node.names] == ["annotations"]:
            self._replace_lines(node)
        elif module == PACKAGE:
            renamed = [f"import {PREFIX}{alias.name} as {alias.asname or alias.name}" for alias in node.names]
            self._replace(node, "; ".join(renamed))
            self.modules += [alias.name for alias in node.names]
        elif _is_ours(module):
            name = module.removeprefix(PACKAGE + ".")
            if "." in name:
                raise self._no_flat_form(node)
            self._replace(node, ast.unparse(ast.ImportFrom(PREFIX + name, node.names, 0)))
            self.modules.append(name)

    def _absolute(self, node: ast.ImportFrom) -> str:
        """Return the absolute name of the module that an import statement names.

        Raise FlattenError for an import with two or more leading dots, and for any relative import in a file outside
        rules/.
        """
        if node.level > 1 or (node.level and not self.shown.startswith(PACKAGE + "/")):
            raise self._no_flat_form(node)
        parts = [PACKAGE] if node.level else []
        return ".".join([*parts, *([node.module] if node.module else [])])

    def visit_If(self, node: ast.If) -> None:  # noqa: N802
        if not (isinstance(node.test, ast.Name) and node.test.id == TYPING):
            self.generic_visit(node)
            return
        # an `else` branch has the definitions for run time, which need no flattening
        otherwise = self.lines[node.orelse[0].lineno - 1 : node.end_lineno] if node.orelse else []
        self._replace_lines(node, dedent(b"".join(otherwise).decode()).encode())

    def visit_Assign(self, node: ast.Assign) -> None:  # noqa: N802
        if ast.unparse(node) == f"{TYPING} = False":
            self._replace_lines(node)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:  # noqa: N802
        if node.value is None:
            self._replace(node, "pass")
        else:
            self.edits.append((self._end(node.target), self._end(node.annotation), b""))
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        if node.annotation is not None:
            self._replace(node, node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:  # noqa: N802
        if node.returns is not None:
            arrow = self.source.rindex(b"->", 0, self._start(node.returns))
            start = len(self.source[:arrow].rstrip())
            self.edits.append((start, self._end(node.returns), b""))
        for part in (*node.decorator_list, node.args, *node.body):
            self.visit(part)

    def _replace(self, node: ast.stmt | ast.arg, text: str) -> None:
        self.edits.append((self._start(node), self._end(node), text.encode()))

    def _replace_lines(self, node: ast.stmt, text: bytes = b"") -> None:
        """Replace all lines of a statement, including a trailing comment, with `text`."""
        end = self._offset((node.end_lineno or node.lineno) + 1, 0)
        self.edits.append((self._offset(node.lineno, 0), end, text))

    def _start(self, node: ast.stmt | ast.expr | ast.arg) -> int:
        return self._offset(node.lineno, node.col_offset)

    def _end(self, node: ast.stmt | ast.expr | ast.arg) -> int:
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        """Return the byte offset of a place in the source.

        line: the line number, from 1. column: the column in UTF-8 bytes, from 0, as in `ast`.
        """
        return sum(len(text) for text in self.lines[: line - 1]) + column

    def _no_flat_form(self, node: ast.stmt) -> FlattenError:
        return FlattenError(
            f"{self.shown}:{node.lineno}:{node.col_offset + 1}: found `{ast.unparse(node)}`, which has no flat form; "
            f"expected `from .module import name` or `from . import module`"
        )


def _is_ours(module: str) -> bool:
    return module == PACKAGE or module.startswith(PACKAGE + ".")


def handed_in(root: Path, source: Path | None = None) -> dict[str, bytes]:
    """Return {file name: bytes} of the submission, sorted by name.

    `root` is the player's folder; `source` is the folder of patterns.yaml, by default `root`. Raise SubmissionError if
    patterns.txt is stale, if patterns.txt or overrides.txt is damaged, or if a source is unusable.
    """
    check_patterns(source or root)
    check_overrides(source or root)
    return player_files(root)


def player_files(root: Path) -> dict[str, bytes]:
    """Return the files that `handed_in` returns, without checking patterns.txt and overrides.txt.

    overrides.txt may be missing. Raise SubmissionError if any other file is missing or a module is invalid.
    """
    try:
        files = flat_sources(root)
        files[PATTERNS] = as_written((root / PATTERNS).read_bytes())
        if (root / OVERRIDES).is_file():
            files[OVERRIDES] = as_written((root / OVERRIDES).read_bytes())
    except (OSError, SyntaxError) as error:
        raise SubmissionError(f"cannot read a source file: {error}") from error
    return dict(sorted(files.items()))


def check_patterns(root: Path) -> None:
    """Raise SubmissionError unless patterns.txt equals the result of compiling patterns.yaml."""
    source = root / "patterns.yaml"
    try:
        present = as_written((root / PATTERNS).read_bytes())
        load_book(present, PATTERNS)
        data, problems, _ = compile_text(source.read_bytes(), source.name)
    except PatternFileError as error:
        raise SubmissionError(f"{error}: run `littlego compile`") from error
    except OSError as error:
        name = Path(error.filename).name
        remedy = ": run `littlego compile`" if name == PATTERNS else ""
        raise SubmissionError(f"cannot read {name}: {error.strerror}{remedy}") from error
    if data is None:
        raise SubmissionError(f"{source.name} does not compile: {in_one_line(problems)}")
    if data != present:
        raise SubmissionError(f"{PATTERNS} does not match {source.name}: run `littlego compile`")


def check_overrides(root: Path) -> None:
    """Raise SubmissionError if overrides.txt is unreadable or contains an invalid record. The file may be missing."""
    try:
        if (root / OVERRIDES).exists():
            overrides.read(root / OVERRIDES)
    except OverridesError as error:
        raise SubmissionError(f"{OVERRIDES} is damaged ({error}): rebuild it") from error
    except OSError as error:
        raise SubmissionError(f"cannot read {OVERRIDES}: {error.strerror}") from error


def write_files(files: dict[str, bytes], folder: Path) -> None:
    """Write the files into an existing folder."""
    for name, data in files.items():
        (folder / name).write_bytes(data)


def check_target(out: Path) -> None:
    """Raise SubmissionError unless `out` is missing, an empty folder or an earlier submission.

    Also raise SubmissionError if `out` is a broken link, if the parent folder of `out` is missing, or if the current
    folder is `out` or lies in `out`.
    """
    if not out.parent.is_dir():
        raise SubmissionError(f"{out}: its parent folder {out.parent} does not exist")
    if not out.exists():
        if out.is_symlink():
            raise SubmissionError(f"{out}: a broken link; remove it or choose another place")
        return
    if not out.is_dir():
        raise SubmissionError(f"{out}: exists and is not a folder")
    if out in (Path.cwd(), *Path.cwd().parents):
        raise SubmissionError(f"{out}: the current folder cannot be replaced while you are in it; name another folder")
    if any(out.iterdir()) and not _is_earlier_submission(out):
        strangers = sorted(path.name for path in out.iterdir() if not _may_be_replaced(path))
        stranger = strangers[0] if strangers else f"a {PLAYER} that `littlego submit` did not create"
        raise SubmissionError(
            f"{out}: contains {stranger}; expected a new or an empty folder, or an earlier submission"
        )


def _is_earlier_submission(out: Path) -> bool:
    try:
        made = (out / PLAYER).read_bytes().startswith(MADE_BY)
    except OSError:
        return False
    return made and all(_may_be_replaced(path) for path in out.iterdir())


def _may_be_replaced(path: Path) -> bool:
    """Return whether a path is a file of a submission, or has a name that a game leaves behind."""
    name = path.name
    ours = name in (PLAYER, PATTERNS, OVERRIDES) or path.match(f"{PREFIX}*.py")
    return name in LEFT_BY_PLAY or ours and path.is_file()


def put_in_place(files: dict[str, bytes], out: Path) -> None:
    """Create `out` with exactly these files; replace an empty folder or an earlier submission.

    The new folder is completed first, then renamed to `out`. If SubmissionError (see check_target) or OSError is
    raised, `out` is unchanged.
    """
    out = Path(os.path.realpath(out)) if out.exists() else out.absolute()
    check_target(out)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent, ignore_cleanup_errors=True) as beside:
        made, old = Path(beside, "made"), Path(beside, "old")
        made.mkdir()
        write_files(files, made)
        if out.exists():
            os.rename(out, old)
        try:
            os.rename(made, out)
        except BaseException:
            if old.exists():
                os.rename(old, out)
            raise
