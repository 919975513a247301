"""The komi of an SGF game, read from the different forms in which programs write KM.

The Fox Go server writes hundredths of points, and gokifu.com keeps these values in copies of Fox's games. In some
games, the value is half the komi: KM[375] means 3.75 points for each player, a komi of 7.5. The engine KataGo
accepts the same forms (cpp/dataio/sgf.cpp, getKomiOrFail); the program Lizzie reads any value from 200 on as
hundredths. Chinese files count komi in stones: KM[3.75] is a komi of 7.5.
"""

from __future__ import annotations

import re

from littlego.records.sgf import Node

DEFAULT = "6.5"
_NUMBER = re.compile(r"[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})")
_FOX = ("foxwq", "SGFC:2.0")  # values of AP
_SCALED_FROM = 200  # points: larger than any komi in use, as in Lizzie
_FOX_SCALED_FROM = 25
_EACH = (2.0, 4.0)  # points: a komi in hundredths in this range applies to each player


def komi_of(root: Node, size: int) -> tuple[str, str]:
    """Return (the komi as text for Game.of_record, a warning).

    The komi is '' if the file gives no valid komi. If KM is missing, the function reads KO instead, but ignores a
    number that is not a multiple of 0.5. The warning reports an invalid or converted value, or the use of KO; otherwise
    it is ''.
    """
    name = "KM" if root.text("KM").strip() or not root.text("KO").strip() else "KO"  # Sina writes KO
    text = root.text(name).strip().replace(",", ".")
    if not text:
        return "", ""
    given = f"{name}[{root.text(name).strip()[:20]}]"
    komi = float(text) if _NUMBER.fullmatch(text) else None
    if komi is not None and name == "KO" and 2 * komi % 1:
        return "", ""
    found = None if komi is None else _in_points(komi, size, _is_fox(root))
    if found is None:
        allowed = f"a whole or half number from -{size * size} to {size * size}"
        return "", f"{given} is not a valid komi for this board; expected {allowed}; read as {DEFAULT}"
    plain = name == "KM" and found == komi
    return f"{found:g}", "" if plain else f"{given} read as a komi of {found:g}"


def _is_fox(root: Node) -> bool:
    return any(mark in value for value in root.properties.get("AP", ()) for mark in _FOX)


def _in_points(komi: float, size: int, is_fox: bool) -> float | None:
    """Return the komi, in points, for a value of KM or KO.

    Return None if the value is invalid for this board size.
    """
    most = size * size
    scaled_from = _FOX_SCALED_FROM if is_fox else min(_SCALED_FROM, most / 2)
    if abs(komi) >= scaled_from and komi % 25 == 0:
        points = komi / 100
        if _EACH[0] <= abs(points) <= _EACH[1] or 2 * points % 1:
            points *= 2
        if 2 * points % 1 == 0 and abs(points) < scaled_from:
            return points
    if 2 * komi % 1 and 4 * komi % 1 == 0 and abs(komi) <= _EACH[1]:  # counted in stones
        return 2 * komi
    return komi if 2 * komi % 1 == 0 and abs(komi) <= most else None
