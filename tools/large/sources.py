"""Functions of rules/ with another engine's primitives in place of their own, so that nothing is written twice."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any


def source_with(module: ModuleType, replaced: dict[str, Any], by: Callable[..., Any] | None = None) -> dict[str, Any]:
    """Return the names of a module with its own functions made anew, so that these find what takes the place of a name.

    replaced: what takes the place of a name. by: what makes the functions, a compiler for one. More may be replaced in
    the answer until a function is first called.
    """
    names = dict(vars(module))
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            function = FunctionType(value.__code__, names, name, value.__defaults__)
            names[name] = by(function) if by else function
    names.update(replaced)
    return names
