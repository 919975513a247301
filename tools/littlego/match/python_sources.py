"""Syntax errors and imported modules of a Python program, found without running it.

The sources are parsed by the interpreter that will run the program, because only this interpreter knows its own syntax
and modules. The interpreter runs in the sandbox if a sandbox is used.
"""

from __future__ import annotations

import json
import sys
from typing import Any, NamedTuple

from littlego.sandbox import sandbox
from littlego.sandbox.interpreters import Interpreter
from littlego.sandbox.limited import run_limited

SECONDS = 60  # limit in CPU seconds for reading all sources of a program
# Modules that only Python 2 has and that students use.
OF_PYTHON_2 = frozenset(
    ("Queue", "ConfigParser", "urllib2", "urlparse", "StringIO", "cStringIO", "cPickle", "__builtin__", "thread")
)
PACKAGES = {  # module -> its package, if the names differ
    "cv2": "opencv-python",
    "PIL": "pillow",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "yaml": "pyyaml",
    "dateutil": "python-dateutil",
}
# A script for Python 2.7 and 3. The script follows imports from the program through the files of the program's folder,
# and prints a JSON object on standard error: the first syntax error of each file, the imported third-party modules that
# are installed, the imported modules that are missing, and for each file the first place with syntax that Python 2.7
# lacks and the first place with syntax that Python 3.7 lacks.
_READER = r"""
import sys
sys.path = [place for place in sys.path if place]
import ast, json, os
main = sys.argv[1]
errors, there, missing, only3, seen, waiting = [], {}, [], [], set(), [main]
std = os.path.dirname(os.path.realpath(os.__file__))
builtin = set(sys.builtin_module_names)

def place_of(name):
    if name in builtin:
        return std
    if sys.version_info[0] == 2:
        import imp
        try:
            return imp.find_module(name)[1] or std
        except ImportError:
            return None
    from importlib.util import find_spec
    try:
        spec = find_spec(name)
    except Exception:
        return None
    if spec is None:
        return None
    if spec.origin in ('built-in', 'frozen'):
        return std
    return spec.origin or (list(spec.submodule_search_locations or []) + [std])[0]

def own(base, name):
    parts = [part for part in name.split('.') if part]
    found = []
    for count in range(1, len(parts) + 1):
        path = os.path.join(base, *parts[:count])
        found += [p for p in (path + '.py', os.path.join(path, '__init__.py')) if os.path.isfile(p)]
        if os.path.isdir(path):
            found += ['']
    return found

def foreign(name):
    if name in there or name in missing:
        return
    place = place_of(name)
    if place is None:
        missing.append(name)
        return
    real = os.path.realpath(place)
    inner = real[len(std):].split(os.sep)
    if not real.startswith(std) or 'site-packages' in inner or 'dist-packages' in inner:
        folder, version = os.path.dirname(place), ''
        if os.path.basename(place).startswith('__init__'):
            folder = os.path.dirname(folder)
        for entry in os.listdir(folder) if os.path.isdir(folder) else []:
            first, dash, rest = entry.partition('-')
            if first.lower() == name.lower() and entry.endswith('.dist-info'):
                version = rest[:-len('.dist-info')]
        there[name] = version

def new(node):
    if sys.version_info[0] == 2:
        return False
    names = ('JoinedStr', 'AnnAssign', 'Nonlocal', 'YieldFrom', 'AsyncFunctionDef', 'Await', 'NamedExpr', 'Starred')
    if type(node).__name__ in names[:-1]:
        return True
    if isinstance(node, ast.FunctionDef):
        every = node.args.args + node.args.kwonlyargs
        return bool(node.args.kwonlyargs or node.returns or [a for a in every if a.annotation])
    if isinstance(node, ast.Raise):
        return node.cause is not None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == 'super':
            return not node.args
        return node.func.id == 'print' and bool(node.keywords) and not future
    return False

while waiting and len(seen) < 500:
    path = waiting.pop(0)
    if path in seen or not path:
        continue
    seen.add(path)
    try:
        with open(path, 'rb') as file:
            data = file.read()
        tree = compile(data, path, 'exec', ast.PyCF_ONLY_AST, 1)
        compile(data, path, 'exec', 0, 1)
    except SyntaxError as error:
        text = (error.text or '')
        if isinstance(text, bytes):
            text = text.decode('utf-8', 'replace')
        errors.append([path, error.lineno or 0, error.offset or 0, str(error.msg)[:200], text.strip()[:100]])
        continue
    except (ValueError, TypeError) as error:
        errors.append([path, 0, 0, str(error)[:200], ''])
        continue
    except Exception:
        continue
    nodes = list(ast.walk(tree))
    future = any(isinstance(n, ast.ImportFrom) and n.module == '__future__' for n in nodes)
    only3 += [[path, n.lineno] for n in nodes if new(n)][:1]
    if sys.version_info >= (3, 8):
        try:
            ast.parse(data, path, feature_version=(3, 7))
        except SyntaxError as error:
            only3.append([path, error.lineno or 0, str(error.msg)[:200]])
    here = os.path.dirname(path)
    hidden = set()  # imports for type checkers only, which no run executes
    for node in nodes:
        test = getattr(node, 'test', None) if isinstance(node, ast.If) else None
        if 'TYPE_CHECKING' in (getattr(test, 'id', ''), getattr(test, 'attr', '')):
            hidden.update(id(inner) for child in node.body for inner in ast.walk(child))
    for node in nodes:
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            wanted = [(alias.name, '') for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            wanted = [(node.module, '')] + [(node.module + '.' + a.name, node.module) for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = here
            for _ in range(node.level - 1):
                base = os.path.dirname(base)
            for alias in node.names:
                waiting += own(base, ((node.module or '') + '.' + alias.name))
            continue
        else:
            continue
        for name, inside in wanted:
            mine = own('.' if sys.version_info[0] == 3 else here or '.', name)
            waiting += [os.path.normpath(p) for p in mine if p]
            if not mine and not inside:
                foreign(name.partition('.')[0])
found = {'errors': errors[:5], 'there': sorted(there.items())[:20], 'missing': sorted(missing)[:20], 'only3': only3[:4]}
sys.stderr.write(json.dumps(found))
"""


class SourceError(NamedTuple):
    """A syntax error in a Python source.

    The line and the column are numbered from 1; 0 means unknown. problem: the interpreter's message. text: the line's
    text.
    """

    path: str
    line: int
    column: int
    problem: str
    text: str

    def __str__(self) -> str:
        column = f":{self.column}" if self.line and self.column else ""
        shown = f": {self.text}" if self.text else ""
        return f"{self.path}{f':{self.line}' if self.line else ''}{column}: {self.problem}{shown}"


class Sources(NamedTuple):
    """An interpreter's findings in a program's sources. Each field contains only the first few findings."""

    errors: tuple[SourceError, ...] = ()  # first syntax error of each file
    there: tuple[tuple[str, str], ...] = ()  # installed third-party modules with their versions, '' if unknown
    missing: tuple[str, ...] = ()  # modules that the interpreter does not have
    only3: tuple[str, ...] = ()  # places of syntax that Python 2.7 does not have
    newer: tuple[str, ...] = ()  # places of syntax that Python 3.7 does not have, with the reason


def read_sources(folder: str, name: str, python: str) -> Sources:
    """Return an interpreter's findings in a program's sources.

    folder, name: the program's folder and file name. python: the interpreter's path. The result is empty if the
    interpreter fails to read the sources. Raise OSError if the interpreter cannot start.
    """
    command = [python, "-B", "-E", "-c", _READER, name]
    done = run_limited(command, folder, SECONDS, 5 * SECONDS, sandboxed=sandbox.is_used())
    try:
        found: dict[str, Any] = json.loads(done.began)
        return Sources(
            tuple(SourceError(*error) for error in found["errors"]),
            tuple((module, version) for module, version in found["there"]),
            tuple(found["missing"]),
            tuple(f"{place[0]}:{place[1]}" for place in found["only3"] if len(place) == 2),
            tuple(f"{place[0]}:{place[1]}: {place[2]}" for place in found["only3"] if len(place) == 3),
        )
    except (ValueError, TypeError, KeyError, IndexError):  # the reader failed; the games will show any mistake
        return Sources()


def describe_missing(module: str, version: str) -> str:
    """Return a remark on the import of a module that Python `version` lacks.

    The remark includes the remedy, if known.
    """
    if version.startswith("3") and module in OF_PYTHON_2:
        return f"imports {module}, which only Python 2 has: if the program is for Python 2, rename it my_player.py"
    if module in sys.stdlib_module_names:
        remedy = ": if the program is for Python 3, rename it my_player3.py" if version.startswith("2") else ""
        return f"imports {module}, which Python {version} does not have{remedy}"
    return (
        f"imports {module}, which this Python {version} does not have; if the course's machine has it, "
        f"use --with {PACKAGES.get(module, module)}"
    )


def describe_rejection(folder: str, name: str, version: str, others: list[Interpreter]) -> str:
    """Return the end of a message that explains why an interpreter rejects a program.

    The result is '' if the reason is unknown. `version` is the version of the Python that rejects the program `name` in
    `folder`. `others` are other interpreters on this machine.
    """
    reads = {
        python.version: not any(error.path == name for error in read_sources(folder, name, python.path).errors)
        for python in others
        if python.version != version
    }
    if version.startswith("2") and any(reads.values()):
        return ": it is a Python 3 program with the file name for Python 2; rename it my_player3.py"
    if name == "my_player.py" and version.startswith("3"):
        return "; the course runs this file with Python 2.7: if Python 2.7 is missing here, install it"
    if reads.get("2.7"):
        return ": it is a Python 2 program with the file name for Python 3; rename it my_player.py"
    return f": it needs a newer Python than {version}" if any(reads.values()) else ""


def describe_newer(name: str, version: str, sources: Sources) -> list[str]:
    """Return remarks on syntax that the local Python `version` accepts and the course's Python rejects."""
    if name == "my_player.py" and version.startswith("3") and sources.only3:
        problem = (
            "syntax of Python 3, but the course runs my_player.py with Python 2.7: rename the file to my_player3.py"
        )
        return [f"{sources.only3[0]}: {problem}"]
    if name == "my_player3.py" and sources.newer:
        return [f"{sources.newer[0]}, but the course has Python 3.7"]
    return []
