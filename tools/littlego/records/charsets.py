"""Detection of an SGF file's encoding by the number of decoded moves and the plausibility of the text.

In Shift JIS, Big5 and GBK, the second byte of a character may be `\\` or `]`. A wrong encoding can therefore change the
structure of the decoded game, not only the comments. Hence this module compares encodings first by the numbers of moves
and of SGF faults in the decoded text, then by the plausibility of the text.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import NamedTuple

from littlego.records.sgf import START, Root, SgfError, read_games

LARGEST_HEAD = 10_000  # bytes that are searched for the encoding
LARGEST_SAMPLE = 20_000  # bytes of text from which the encoding is guessed
_DECLARED = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.: -]{1,40}?)\s*\]")
_SUPERSETS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "utf-8": "utf-8-sig",
    "utf-16": "utf-8-sig",  # a false declaration, because the declaration itself is readable in single bytes
    "ascii": "utf-8-sig",
}
# The encodings in which SGF files without a declaration occur. Latin-1, the standard's default, accepts any bytes.
_DOUBLE = ("gb18030", "cp932", "cp949", "big5hkscs", "euc_jp")
_SINGLE = ("cp1252", "cp1251", "koi8_r")
_DEFAULT = "latin-1"
_NAMES = {"cp932": "Shift JIS", "gb18030": "GBK", "cp949": "EUC-KR", "big5hkscs": "Big5", "euc_jp": "EUC-JP"}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, since the mark begins with UTF-16's mark
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SHIFTED = re.compile(rb"\x1b\$[@B]")  # ISO-2022-JP: the following ASCII bytes encode Japanese characters
_WORDS = re.compile(rb"[^\[\];]*[\x80-\xff][^\[\];]*")
_HIGH = re.compile(rb"[\x80-\xff]+")
# A single high byte beside an ASCII letter: an accented letter of a western language, such as `\xfc` in `J\xfcrgen`.
_ACCENTED = re.compile(rb"(?<=[A-Za-z])[\xc0-\xff](?![\x80-\xff])|(?<![\x80-\xff])[\xc0-\xff](?=[A-Za-z])")
_REPLACED = "\ufffd"


class Decoded(NamedTuple):
    """The text of a file, and a warning about the file's encoding ('' for no warning)."""

    text: str
    warning: str = ""


class _Reading(NamedTuple):
    """A file decoded with one encoding.

    moves, faults, lost: the numbers of moves, of the reader's warnings and errors, and of damaged characters.
    """

    encoding: str
    text: str
    moves: int
    faults: int
    lost: int


def is_sgf(data: bytes) -> bool:
    """Return whether a file may be SGF: whether it has the start of a game and does not begin with `{`."""
    wide = _wide_encoding(data)
    text = data.decode(wide or _DEFAULT, "replace").lstrip("\ufeff").lstrip()
    return not text.startswith("{") and bool(START.search(text))


def decode_sgf(data: bytes, encoding: str | None = None) -> Decoded:
    """Return the text of an SGF file, with a warning if the encoding is doubtful.

    encoding: the encoding chosen by the user, which overrides all evidence, or None to detect it. The evidence is
    considered in this order: a byte order mark, the zero bytes of UTF-16 and UTF-32, the escape sequences of ISO-2022
    or a declaration of ISO-2022 or HZ, valid UTF-8, the declared encoding (CA), a guess. A declared or guessed encoding
    is chosen only if no other encoding gives more moves.
    """
    if encoding is not None:
        return _decode_as(data, encoding)
    if mark := next((name for mark, name in _MARKS if data.startswith(mark)), _wide_encoding(data)):
        return _decode_as(data, mark)
    declared = _declared_encoding(data)
    if _SHIFTED.search(data) and (shifted := _strict(data, "iso2022_jp_ext")) is not None:
        return Decoded(shifted)
    if declared.startswith(("iso2022", "hz")) and (shifted := _strict(data, declared)) is not None:
        return Decoded(shifted)
    if (text := _strict(data, "utf-8")) is not None:
        return Decoded(text)
    return _choose(data, declared)


def _decode_as(data: bytes, encoding: str) -> Decoded:
    text = _strict(data, encoding)
    if text is not None:
        return Decoded(text.removeprefix("\ufeff"))
    text = data.decode(encoding, "replace").removeprefix("\ufeff")
    return Decoded(text, f"{text.count(_REPLACED)} characters are not valid {encoding}; some text is damaged")


def _strict(data: bytes, encoding: str) -> str | None:
    """Return the decoded text, or None if the bytes are invalid or the name is not a text encoding."""
    with suppress(LookupError, UnicodeError, ValueError):
        text = data.decode(encoding)
        return text if isinstance(text, str) else None
    return None


def _wide_encoding(data: bytes) -> str:
    """Return the UTF-16 or UTF-32 encoding that the positions of zero bytes indicate.

    The result is '' for any other encoding.
    """
    head = data[:LARGEST_HEAD]
    zeros = [head[start::4].count(0) for start in range(4)]
    if 10 * sum(zeros) < len(head):
        return ""
    many = [8 * count > len(head) // 4 for count in zeros]
    known = {
        (False, True, True, True): "utf-32-le",
        (True, True, True, False): "utf-32-be",
        (False, True, False, True): "utf-16-le",
        (True, False, True, False): "utf-16-be",
    }
    return known.get((many[0], many[1], many[2], many[3]), "")


def _declared_encoding(data: bytes) -> str:
    """Return Python's name for the encoding that CA declares, or '' if CA is missing or unknown.

    If the encoding has a superset in _SUPERSETS, return the name of the superset.
    """
    found = _DECLARED.search(data[:LARGEST_HEAD])
    with suppress(LookupError):
        name = codecs.lookup(found[1].decode("ascii").replace(" ", "-")).name if found else ""
        return _SUPERSETS.get(name, name)
    return ""


def _choose(data: bytes, declared: str) -> Decoded:
    """Return the text of a non-UTF-8 file, decoded with the declared encoding or a guess; see decode_sgf."""
    names = dict.fromkeys(filter(None, (declared, *_DOUBLE, *_SINGLE, _DEFAULT)))
    texts = {name: _lenient(data, name) for name in names}
    readings = [_read(name, text) for name, text in texts.items() if text]
    most = max((reading.moves, -reading.faults) for reading in readings)
    best = {reading.encoding: reading for reading in readings if (reading.moves, -reading.faults) == most}
    if declared in best and not best[declared].lost:
        return Decoded(best[declared].text)
    whole = [name for name in best if not best[name].lost]
    guess = _guess(data, whole)
    if guess is None:  # no plausible text: prefer a two-byte encoding that damages few characters, else use Latin-1
        letters = sum(byte > 0x7F for byte in data)
        guess = min((name for name in best if name in _DOUBLE), key=lambda name: best[name].lost, default=_DEFAULT)
        if guess not in best or 10 * best[guess].lost > letters:
            guess = _DEFAULT if _DEFAULT in best else next(iter(best))
    return Decoded(best[guess].text, _warning(best[guess], declared))


def _warning(reading: _Reading, declared: str) -> str:
    name = _NAMES.get(reading.encoding, reading.encoding)
    declares = f"CA declares {_NAMES.get(declared, declared)}, which does not fit the text"
    why = declares if declared else "no encoding declared"
    damage = f", with {reading.lost} damaged characters" if reading.lost else ""
    return f"{why}; read as {name}, which is a guess{damage}; --encoding NAME overrides the guess"


def _lenient(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding, "replace")
    except (LookupError, UnicodeError, ValueError):
        return ""
    return text if isinstance(text, str) else ""


def _read(encoding: str, text: str) -> _Reading:
    moves = faults = 0
    try:
        for game in read_games(text):
            nodes = list(game.nodes())
            moves += sum(len(node.properties.get(name, ())) for node in nodes for name in ("B", "W"))
            faults += len(game.warnings) if isinstance(game, Root) else 0
            faults += sum(bool(node.broken) for node in nodes)
    except SgfError:
        faults += 1
    return _Reading(encoding, text, moves, faults, text.count(_REPLACED))


def _guess(data: bytes, names: list[str]) -> str | None:
    """Return the most plausible encoding in `names` for a file's non-ASCII text.

    The result is None if no encoding in `names` is plausible.
    """
    from charset_normalizer import from_bytes  # lazy: almost all files are UTF-8

    sample = b" ".join(_WORDS.findall(data))[:LARGEST_SAMPLE]
    if "cp1252" in names and 2 * len(_ACCENTED.findall(sample)) >= len(_HIGH.findall(sample)):
        return "cp1252"
    candidates = [name for name in names if name != _DEFAULT]
    if not candidates:
        return None
    found = from_bytes(sample, cp_isolation=candidates, enable_fallback=False).best()
    if found is None:
        return None
    return found.encoding if found.encoding in names else None
