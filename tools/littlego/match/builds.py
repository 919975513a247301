"""The commands that build and start C++ and Java programs, similar to the course's commands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl")
COMPILERS = {
    "my_player.cpp": ("g++", "-O2", "-o", "my_player", "my_player.cpp"),
    "my_player11.cpp": ("g++", "-std=c++11", "-O2", "-o", "my_player11", "my_player11.cpp"),
    "my_player.java": ("javac", "-encoding", "UTF-8", "-d", ".", "my_player.java"),
}
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
_MAIN = re.compile(r"^[ \t]*(?:int|void|auto|signed)\s+main\s*\(", re.M)
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.M)
NAMES = ("my_player3.py", "my_player.py", *COMPILERS)  # the files that the course runs


def command_of(name: str, files: dict[str, str]) -> tuple[str, ...]:
    """Return the command that runs a compiled program in its folder."""
    if name.endswith(".java"):
        package = _package_of(files[name])
        return "java", "-cp", ".", f"{package}.my_player" if package else "my_player"
    return ("./" + name.removesuffix(".cpp"),)


def _package_of(path: str) -> str:
    """Return the package of a Java source, or '' if the source declares no package."""
    found = _PACKAGE.search(_read_source(path))
    return found[1] if found else ""


def builds_of(name: str, files: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield alternative commands that compile a program; the caller tries them in order.

    The iterator is empty for a Python program. As in the course, a C++ program is compiled together with the other .cpp
    files of its folder. Unlike the course's command, our command omits each of these other files that has its own
    main function or that another file includes. For Java, the second command, if any, names all .java files of the
    folder, because javac looks for a class only in the file named after the class.
    """
    if name not in COMPILERS:
        return
    beside = [other for other in sorted(files) if os.sep not in other and other.endswith(os.path.splitext(name)[1])]
    beside = [other for other in beside if other not in NAMES]
    if name.endswith(".cpp"):
        apart = _find_apart(name, files)
        yield (*COMPILERS[name], *(other for other in beside if other not in apart))
        return
    yield COMPILERS[name]
    if beside:
        yield (*COMPILERS[name], *beside)


def _find_apart(name: str, files: dict[str, str]) -> dict[str, str]:
    """Return {C++ source that the compile command omits: the reason}."""
    sources = [file for file in files if file.endswith((".cpp", *HEADERS))]
    texts = {file: _read_source(files[file]) for file in sources}
    included = {os.path.normpath(os.path.join(os.path.dirname(file), other)): file
                for file, text in texts.items() for other in _INCLUDED.findall(text)}  # fmt: skip
    apart = {file: f"{included[file]} includes it" for file in sources if file.endswith(".cpp") and file in included}
    mains = {file: "it has its own main function" for file in sources if _MAIN.search(texts[file]) and file != name}
    return {file: why for file, why in {**mains, **apart}.items() if os.sep not in file and file not in NAMES}


def _read_source(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def odd_builds(name: str, files: dict[str, str], builds: list[tuple[str, ...]]) -> list[str]:
    """Return remarks on differences between our commands for a program and the course's commands."""
    if not builds or name.endswith(".cpp"):
        apart = _find_apart(name, files) if builds else {}
        return [f"{file} is omitted from the compile command, because {why}; the course compiles all .cpp files"
                for file, why in apart.items() if file.endswith(".cpp")]  # fmt: skip
    package = _package_of(files[name])
    return [f"the class is {package}.my_player, but the course starts my_player, without a package"] * bool(package)
