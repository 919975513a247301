"""Type checks of JSON values against a class's annotations."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

SHOWN = 40  # maximum characters of a value in a message
_NAMES: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a finite number",
    str: "a string",
    list: "a list",
    dict: "an object",
}


def find_misfit(kind: type, values: dict[str, Any]) -> str:
    """Return a message about the first value of a wrong type, or '' if all types are right.

    The message has the form `` `NAME` is VALUE; expected TYPE``. kind: a NamedTuple or a TypedDict. Missing values are
    ignored. A NamedTuple is a list in JSON; other tuples are not supported. Booleans, infinity and NaN do not count as
    numbers.
    """
    for name, wanted in _hints_of(kind).items():
        if wrong := _find_misfit(name, values[name], wanted) if name in values else "":
            return wrong
    return ""


@cache
def _hints_of(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _find_misfit(name: str, value: object, wanted: Any) -> str:
    whole, parts = get_origin(wanted) or wanted, get_args(wanted)
    fields = getattr(whole, "_fields", None)
    if whole is float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and _is_finite(value)
    elif fields:
        fits = isinstance(value, list) and len(value) == len(fields)
    else:
        fits = type(value) is whole  # excludes True, which is an int
    if not fits:
        found = json.dumps(value)
        shown = found if len(found) <= SHOWN else f"{found[:SHOWN]}..."
        expected = f"a list of {len(fields)} values" if fields else _NAMES[whole]
        return f"`{name}` is {shown}; expected {expected}"
    if not isinstance(value, list):
        return ""
    kinds = _hints_of(whole).values() if fields else parts * len(value)
    places = (_find_misfit(f"{name}[{place}]", *pair) for place, pair in enumerate(zip(value, kinds, strict=True)))
    return next(filter(None, places), "")


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an int too large for a float
        return False
