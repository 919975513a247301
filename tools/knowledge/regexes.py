"""What of drawings and expressions a regular expression can hold, for editors that know the schema alone.

Each is read the same by Python and by JavaScript with its `u` flag, and refuses nothing that the reader accepts.
Brackets that balance, labels that the diagram has, chains with liberties: these are left to the compiler.
"""

from __future__ import annotations

from rules.vocabulary import FACTS
from tools.knowledge.diagrams import EDGES, LETTERS, MOVE, SYMBOLS, most_labelled
from tools.knowledge.keys import NAME_SHAPE

_BREAK = r"[\n\u0085\u2028\u2029]"
_BLANK = r"[^\S\n\u0085\u2028\u2029]*"  # within a line
_CONTROL = r"\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_LETTERS = "".join(sorted(LETTERS))
_NUMBER = r"(?![0-9]{10})0*(?:1000000|[0-9]{1,6})(?![0-9A-Za-z_.])"
_COMPARISON = "(?:[<>=!]=|[<>])"

TEXT = rf"^\s*[^\s{_CONTROL}][^{_CONTROL}]*$"
NAME = rf"^\s*{NAME_SHAPE}\s*$"


def symbols(known: str) -> str:
    """Match a drawing in which only these symbols stand."""
    return rf"^[\s{_escaped(known)}]*$"


def board(size: int) -> str:
    """Match a drawing of so many rows of so many points, whatever their symbols."""
    return _drawing(_rows(_row(r"\S", size), size, size))


def diagram(size: int) -> str:
    """Match a shape whose rows are of equal length, that fits on the board, and whose edges are where edges can be."""
    return _drawing(
        "|".join(
            _shape(left, right, width, size)
            for left in ("", r"\|")
            for right in ("", r"\|")
            for width in ([size] if left and right else range(1, size + 1))
        )
    )


def _shape(left: str, right: str, width: int, size: int) -> str:
    """Match all rows of a shape of that many columns of points; left, right: its side edges, '' for none."""
    row = _row(rf"[^\s{_escaped(''.join(EDGES))}]", width, left, right)
    flat = _row("-", width, left and r"\+", right and r"\+")
    rows, whole = _rows(row, 1, size), _rows(row, size, size)
    return rf"{flat}{_BREAK}{whole}{_BREAK}{flat}|(?:{flat}{_BREAK})?{rows}|{rows}{_BREAK}{flat}"


def labels(size: int) -> str:
    """Match letters over some diagram: rows of equal length, no more letters than a placement has room for."""
    few = rf"(?=[^{_LETTERS}]*(?:[{_LETTERS}][^{_LETTERS}]*){{0,{most_labelled(size)}}}$)"
    most_cells = size + 2  # with both edges
    return _drawing("|".join(_rows(_row(r"\S", width), 1, most_cells) for width in range(1, most_cells + 1)), few)


def point(size: int) -> str:
    """Match a move as examples write it."""
    number = rf"0?[0-{size - 1}]"
    return rf"^\s*{number}\s*,\s*{number}\s*$"


EXACTLY_ONE_MOVE = rf"^(?:[^{MOVE}]*\{MOVE}[^{MOVE}]*|[\s|+-]*)$"  # or no point at all, which is another mistake
NO_MOVE = rf"^[^{MOVE}]*$"
NO_MOVE_ASKED = rf"^(?![\s\S]*[(,]\s*\{MOVE})"
NO_LABEL_ASKED = r"^(?![\s\S]*[(,]\s*[A-Z])"
A_FACT = rf"\b(?:{'|'.join(name for name, *_ in FACTS)})\b"


def known_names() -> str:
    """Match an expression all of whose words are facts, labels, numbers, `and`, `or` or `not`."""
    words = "|".join([*(name for name, *_ in FACTS), "and", "or", "not", f"[{_LETTERS}]", "[0-9][0-9A-Za-z_]*"])
    return rf"^(?:[^0-9A-Za-z_]|(?:{words})(?![0-9A-Za-z_]))*$"


def expression() -> str:
    """Match an expression: operands and operators in turn, each fact with its arguments, comparisons not chained."""
    operand, plain = _operand(r"[\s(]*{}[\s)]*"), _operand(r"\s*{}\s*")
    chained = rf"{_COMPARISON}\s*(?:-\s*)*{plain}(?:\s*[-+*]\s*(?:-\s*)*{plain})*\s*{_COMPARISON}"
    signs = r"(?:not\b\s*)*(?:-\s*)*"
    opened, closed = rf"(?:{signs}\(\s*)*{signs}", r"\s*(?:\)\s*)*"
    joined = rf"(?:(?:and|or)\b\s*{opened}|(?:{_COMPARISON}|[-+*])\s*(?:-\s*)*(?:\(\s*{opened})?)"
    return rf"^(?![\s\S]*{chained})\s*{opened}{operand}{closed}(?:{joined}{operand}{closed})*$"


def _operand(argument: str) -> str:
    """Match a number or a fact's call; argument: what may stand around a label, as anything may stand in brackets."""
    calls = [_calls(kinds, argument) for kinds in dict.fromkeys(kinds for _, _, kinds, _, _ in FACTS)]
    return f"(?:{'|'.join([_NUMBER, *calls])})"


def _calls(kinds: tuple[str, ...], argument: str) -> str:
    """Match a call of a fact with arguments of these kinds."""
    names = rf"(?:{'|'.join(name for name, _, known, _, _ in FACTS if known == kinds)})(?![0-9A-Za-z_])"
    if not kinds:
        return rf"{names}(?:\s*\(\s*\))?"
    letters = {"chain": f"[{_LETTERS}]", "point": f"[{_LETTERS}{MOVE}]"}
    arguments = ",".join(argument.format(letters[kind]) for kind in kinds)
    return rf"{names}\s*\({arguments}\)"


def _row(cell: str, width: int, left: str = "", right: str = "") -> str:
    cells = f"(?:{cell}{_BLANK}){{{width}}}"
    return _BLANK + (left + _BLANK if left else "") + cells + (right + _BLANK if right else "")


def _rows(row: str, least: int, most: int) -> str:
    return rf"{row}(?:{_BREAK}{row}){{{least - 1},{most - 1}}}"


def _drawing(rows: str, ahead: str = "") -> str:
    return rf"^{ahead}(?:{_BLANK}{_BREAK})*(?:{rows})(?:{_BREAK}{_BLANK})*$"


def _escaped(characters: str) -> str:
    """Return the characters as they stand in a character class."""
    return "".join("\\" + one if one in r"\]^-" else one for one in characters)


DIAGRAM_SYMBOLS = symbols("".join([*SYMBOLS, *EDGES]))
BOARD_SYMBOLS = symbols("XO.")
LABEL_SYMBOLS = symbols("".join(sorted({*LETTERS, *SYMBOLS, *EDGES})))
