"""Python's standard library for the studio's page, together with our packages.

The library contains bytecode for the modules that Python imports at every start.

Pyodide's library contains only source code, and compiling this code takes half of Python's start time. `littlego site`
therefore runs `compile_library` in Pyodide. Modules that a page never needs are left out, so that the first load stays
small.
"""

from __future__ import annotations

import py_compile
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_LEFT_OUT = (  # for debuggers, tests, servers, other file formats
    "_pydatetime _pyio _pyrepl bdb cProfile compileall doctest ftplib imaplib mailbox modulefinder optparse pdb "
    "pickletools plistlib poplib profile pstats pyclbr pydoc smtplib socketserver symtable tabnanny timeit trace "
    "unittest wave wsgiref xml xmlrpc"
)
LEFT_OUT = frozenset(_LEFT_OUT.split())  # top-level modules
SOURCE, COMPILED = ".py", ".pyc"


def compile_library(library: str, packages: str, compiled: str) -> None:
    """Combine Pyodide's `library` and a folder of packages into the library `compiled`.

    library, compiled: paths of zip files. The modules that this process has imported are stored as bytecode without
    docstrings and assertions. The other modules are stored as source code, which is smaller.
    """
    used = {str(getattr(module, "__file__", None)) for module in sys.modules.values()}
    with ZipFile(compiled, "w") as new:
        for name, data, file in (*_library_modules(library), *_package_modules(Path(packages))):
            if file.endswith(SOURCE) and file in used:
                name, data = str(Path(name).with_suffix(COMPILED)), _compile(data, file)
            new.writestr(ZipInfo(name), data, ZIP_DEFLATED, 9)


def _library_modules(library: str) -> Iterator[tuple[str, bytes, str]]:
    """Yield (name, content, file) of each library file that the page may need.

    file: `__file__` of the imported module. library: the path of Pyodide's library.
    """
    place = next(path for path in sys.path if path.endswith(".zip"))
    with ZipFile(library) as archive:
        for entry in archive.infolist():
            if not entry.is_dir() and module_of(entry.filename) not in LEFT_OUT:
                yield entry.filename, archive.read(entry), f"{place}/{entry.filename}"


def _package_modules(folder: Path) -> Iterator[tuple[str, bytes, str]]:
    """Yield (name, content, `__file__` of the imported module) of each file of the packages."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__"):
        yield path.relative_to(folder).as_posix(), path.read_bytes(), str(path)


def module_of(name: str) -> str:
    """Return the top-level module that a file of the library belongs to."""
    return name.partition("/")[0].removesuffix(SOURCE).removesuffix(COMPILED)


def _compile(source: bytes, file: str) -> bytes:
    """Return the content of a module's bytecode file, which Python loads without checking the source."""
    with TemporaryDirectory() as folder:
        here, there = Path(folder, "module.py"), Path(folder, "module.pyc")
        here.write_bytes(source)
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(here), str(there), file, doraise=True, optimize=2, invalidation_mode=mode)
        return there.read_bytes()
