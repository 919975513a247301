"""Cached virtual environments for student programs: without packages, or with listed packages.

A program in an environment sees neither littlego's packages nor the site-packages of the base interpreter. An
environment without packages is a folder with a link to the interpreter. Pip installs each list of packages only once
for each interpreter.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from contextlib import suppress

from littlego import cache
from littlego.cli.arguments import ArgumentError
from littlego.sandbox.interpreters import Interpreter
from littlego.sandbox.workfolder import remove_tree

FOLDER = "environments"  # in the cache
PATIENCE = 1800  # seconds that an installation may take
SHOWN = 3  # maximum lines shown of pip's output
_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9._,-]+\])?([<>=!~]=?[A-Za-z0-9.*+!]+)?")


class EnvironmentFailure(ArgumentError):
    """Raised for an invalid list of packages, or if an environment cannot be created. The message gives a remedy."""


def split_packages(text: str) -> tuple[str, ...]:
    """Return the sorted packages of a list such as `numpy,scipy==1.7.3`.

    Raise EnvironmentFailure for an invalid name or version of a package.
    """
    packages = tuple(sorted({word.strip() for word in text.split(",")})) if text else ()
    for package in packages:
        if not _REQUIREMENT.fullmatch(package):
            raise EnvironmentFailure(
                f"{package!r} is not a package name; expected names with optional versions, such as numpy,scipy==1.7.3"
            )
    return packages


def environment(base: Interpreter, packages: tuple[str, ...] = ()) -> str:
    """Return the path of Python in an environment with `packages`; create the environment if necessary.

    base: an interpreter of Python 3 outside any environment. Raise EnvironmentFailure or OSError if the environment
    cannot be created.
    """
    cache.make_private(cache.FOLDER)
    kept = os.path.join(cache.FOLDER, FOLDER)
    os.makedirs(kept, exist_ok=True)
    status = os.stat(base.path)
    key = cache.digest(base.path, base.version, str(status.st_mtime_ns), *packages)[:24]
    place = os.path.join(kept, key)
    if not _is_ready(place, base, packages):
        remove_tree(place)
        fresh = tempfile.mkdtemp(dir=kept)
        try:
            (_install if packages else _link)(fresh, base, packages)
            with suppress(OSError):  # another process created the environment first
                os.rename(fresh, place)
        finally:
            remove_tree(fresh)
    return os.path.join(place, "bin", "python")


def _packages_folder(place: str, base: Interpreter) -> str:
    return os.path.join(place, "lib", f"python{base.version}", "site-packages")


def _is_ready(place: str, base: Interpreter, packages: tuple[str, ...]) -> bool:
    """Return whether an environment exists and, if `packages` is empty, contains no packages."""
    if not os.path.exists(os.path.join(place, "bin", "python")):
        return False
    return bool(packages) or not os.listdir(_packages_folder(place, base))


def _link(place: str, base: Interpreter, packages: tuple[str, ...]) -> None:
    """Write the essential files that `python -m venv --without-pip` creates, without starting Python."""
    os.makedirs(os.path.join(place, "bin"))
    os.makedirs(_packages_folder(place, base))
    os.symlink(base.path, os.path.join(place, "bin", "python"))
    with open(os.path.join(place, "pyvenv.cfg"), "w", encoding="utf-8") as file:
        file.write(f"home = {os.path.dirname(base.path)}\ninclude-system-site-packages = false\n")


def _install(place: str, base: Interpreter, packages: tuple[str, ...]) -> None:
    """Create an environment and install packages with pip; raise EnvironmentFailure if a step fails."""
    python = os.path.join(place, "bin", "python")
    names = ", ".join(packages)
    _run([base.path, "-I", "-m", "venv", place], f"Python {base.version} cannot create an environment for {names}",
         "install the module venv of this Python (Debian, Ubuntu: apt install python3-venv)")  # fmt: skip
    _run([python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", *packages],
         f"{names} cannot be installed for Python {base.version}",
         "check the network connection, or use --python PATH with a Python that has the packages")  # fmt: skip


def _run(command: list[str], problem: str, remedy: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentFailure(f"{problem}: {error}; {remedy}") from None
    if done.returncode:
        lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        said = [line for line in lines if line.startswith("ERROR")] or lines
        raise EnvironmentFailure(f"{problem}: {' '.join(said[-SHOWN:])}; {remedy}")
