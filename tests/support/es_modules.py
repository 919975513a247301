"""The page's JavaScript modules: their imports, resolved by an import map as in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from posixpath import normpath

COMMENTS = re.compile(r"/\*.*?\*/|(?<![:'\"`\\])//[^\n]*", re.S)
IMPORTS = re.compile(
    r"""(?:^|[;}\n])\s*(?:import|export)\s*(?:[\w*{}\s,$]+?\s*from\s*)?["']([^"'\n]+)["']|\bimport\(\s*["']([^"']+)["']\s*\)"""
)


def imports_of(source: str) -> list[str]:
    """Return a module's imports: package names and paths."""
    return [found[1] or found[2] for found in IMPORTS.finditer(COMMENTS.sub("", source))]


def import_map(page: str) -> dict[str, str]:
    """Return a page's import map: {package name: address of its module}."""
    (found,) = re.findall(r'<script type="importmap">(.*?)</script>', page, re.S)
    return json.loads(found)["imports"]


def resolve(name: str, importer: str, mapped: dict[str, str]) -> str | None:
    """Return the address of an imported module, or None if a browser would not find the module.

    importer: the address of the importing module.
    """
    if name.startswith(("./", "../")):
        return normpath(f"{importer.rpartition('/')[0]}/{name}")
    return name if name.startswith("/") else mapped.get(name)


def modules(static: Path) -> dict[str, str]:
    """Return {address: source} of all modules below a folder that is served as /static/."""
    return {
        f"/static/{path.relative_to(static).as_posix()}": path.read_text(encoding="utf-8")
        for path in static.rglob("*.js")
    }
