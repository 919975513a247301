"""Positions as one line of text, which fits into a URL and into a request.

    X.O../...../...../...../..... white left=17 previous=X..../...../...../...../.....

The rows come first, from the top, separated by `/`: `X` Black, `O` White, `.` empty. Options follow in any order:

    black, white          the side to move; default: black
    left=N                moves left, including the next move; default: the maximum; only in Little-Go
    previous=ROWS         the board before the last move, to detect a pass or a ko
    ruleset=NAME          little-go or match
    prisoners=2,0         prisoners that Black and White hold; only in a match
    last=3,4              the last move as row,column, or pass; only in a match
    own_last=3,4          the last move of the side to move, or pass; only in a match
    pass_stones=false     a pass does not cost a stone; only in a match
    komi=6.5              default: the usual komi; only in a match
"""

from __future__ import annotations

import re
from functools import lru_cache
from shlex import quote

from littlego.cli.arguments import ArgumentError
from littlego.games.boards import board_rows, move_text
from littlego.games.little_go import game_of
from littlego.games.match import KOMI2, MatchPosition, komi2_of, match_rules
from littlego.games.match import NAME as MATCH
from littlego.games.sizes import LITTLE_GO_SIZES, MATCH_SIZES
from littlego.knowledge.keys import MOST_PRISONERS, RULESETS
from littlego.knowledge.model import MATCHES, Example, by_colour
from littlego.printable import printable
from littlego.records.inputs import match_position, move_at, positions_of
from littlego.rules.position import BLACK, PASS, WHITE, Position
from littlego.rules.ruleset import LITTLE_GO

BOARD = "the board"  # name for messages
COLOURS = {"black": BLACK, "white": WHITE}
LONGEST = 2000  # characters; two 19x19 boards take 800
_FIELD = re.compile(r"(left|previous|ruleset|prisoners|last|own_last|pass_stones|komi)=(\S+)")
_PAIR = re.compile(r"([0-9]{1,4}),([0-9]{1,4})")
_OF_MATCH = ("prisoners", "last", "own_last", "pass_stones", "komi")
_KOMI = re.compile(r"-?[0-9]{1,4}(?:\.[05])?")


@lru_cache(maxsize=512)
def read_position(text: str, ruleset: str = LITTLE_GO.name) -> Position:
    """Return the position that a text describes. ruleset: the default ruleset.

    Raise ArgumentError for an invalid text.
    """
    rows, *words = (text.split() if len(text) <= LONGEST else []) or [""]
    size, board = _read_rows(rows, "")
    colour, fields = BLACK, dict[str, str]()
    for word in words:
        found = _FIELD.fullmatch(word)
        if word in COLOURS:
            colour = COLOURS[word]
        elif found:
            fields[found[1]] = found[2]
        else:
            raise ArgumentError(
                f"`{printable(word)}` is not a field of a position; expected black, white, or a field such as left=N"
            )
    name = fields.get("ruleset", ruleset)
    if name not in RULESETS:
        raise ArgumentError(f"ruleset={printable(name)}; expected {' or '.join(RULESETS)}")
    previous = _read_previous(fields["previous"], size) if "previous" in fields else None
    return _READERS[name](size, board, colour, previous, fields)


def _read_rows(text: str, what: str) -> tuple[int, tuple[int, int]]:
    """Return (size, (black, white)) for the rows of a board, joined by `/`. what: the field's name, for messages."""
    rows = text.split("/")
    size = len(rows)
    if not LITTLE_GO_SIZES.allow(size) or any(len(row) != size or set(row) - set("XO.") for row in rows):
        wanted = f"{LITTLE_GO_SIZES.text} rows joined by /, each with as many characters (X, O or .) as there are rows"
        raise ArgumentError(f"{what}`{printable(text[:60])}` is not a board; expected {wanted}")
    cells = "".join(rows)
    black, white = (sum(1 << at for at, cell in enumerate(cells) if cell == symbol) for symbol in "XO")
    return size, (black, white)


def _read_previous(text: str, size: int) -> tuple[int, int]:
    size_before, board = _read_rows(text, "previous=")
    if size_before != size:
        raise ArgumentError(
            f"previous={printable(text[:60])}: {size_before} rows; expected {size} rows, as on the board"
        )
    return board


def _read_left(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise ArgumentError(f"left={printable(text)}; expected the number of moves left, such as 17")
    if not int(text):
        raise ArgumentError("left=0: the game is over, so there is no move; expected a position before the last move")
    return int(text)


def _in_little_go(
    size: int, board: tuple[int, int], colour: int, previous: tuple[int, int] | None, fields: dict[str, str]
) -> Position:
    for key in _OF_MATCH:
        if key in fields:
            raise ArgumentError(f"{key}={printable(fields[key])}: only a match has this field; add ruleset=match")
    left = _read_left(fields["left"]) if "left" in fields else None
    return positions_of(BOARD, size, previous, board, colour, left)[0]


def _in_match(
    size: int, board: tuple[int, int], colour: int, previous: tuple[int, int] | None, fields: dict[str, str]
) -> MatchPosition:
    if "left" in fields:
        raise ArgumentError(f"left={printable(fields['left'])}: a match has no move limit; remove `left`")
    if not MATCH_SIZES.allow(size):
        wanted = f"size {MATCH_SIZES.text}"
        raise ArgumentError(f"a match on a board of size {size}; expected {wanted}, or ruleset={LITTLE_GO.name}")
    stones = fields.get("pass_stones", "true")
    if stones not in ("true", "false"):
        raise ArgumentError(f"pass_stones={printable(stones)}; expected true or false")
    held = _PAIR.fullmatch(fields.get("prisoners", "0,0"))
    if not held or max(int(held[1]), int(held[2])) > MOST_PRISONERS:
        raise ArgumentError(
            f"prisoners={printable(fields['prisoners'])}; expected Black's and White's prisoners, such as 2,0"
        )
    prisoners = (int(held[1]), int(held[2])) if "prisoners" in fields else None
    last = move_at(fields["last"], size, "last") if "last" in fields else None
    theirs = board[BLACK + WHITE - colour - 1]
    if last is not None and last != PASS and not theirs >> last & 1:
        raise ArgumentError(
            f"last={fields['last']}: the last mover has no stone there; expected the last move's point, or pass"
        )
    own_last = move_at(fields["own_last"], size, "own_last") if "own_last" in fields else None
    possible = previous[colour - 1] if previous else ~theirs  # the opponent's move may have captured the stone
    if own_last is not None and own_last != PASS and not possible >> own_last & 1:
        raise ArgumentError(
            f"own_last={fields['own_last']}: the side to move played no stone there; expected its last move, or pass"
        )
    rules = match_rules(size, _read_komi(fields.get("komi", "")), stones == "true")
    return match_position(BOARD, rules, board, colour, previous, "previous=", prisoners, last, own_last)


_READERS = {LITTLE_GO.name: _in_little_go, MATCH: _in_match}  # by the name of the game


def _read_komi(text: str) -> int:
    """Return the komi in a text, converted to half points; '' means the usual komi."""
    found = komi2_of(float(text)) if _KOMI.fullmatch(text) else None
    if text and found is None:
        raise ArgumentError(f"komi={printable(text)}; expected a whole or half number, such as 6.5")
    return KOMI2 if found is None else found


def position_text(position: Position) -> str:
    """Return a position as text.

    Of the earlier boards, the text contains at most the board before the last move; a superko check would need every
    earlier board.
    """
    example = Example.of_position(MATCHES, position, None)
    words = [rows_text(position.ruleset.size, (position.black, position.white))]
    words.append("black" if position.colour == BLACK else "white")
    if not isinstance(position, MatchPosition):
        words.append(f"left={position.left}")
    if example.previous is not None:
        words.append(f"previous={rows_text(position.ruleset.size, by_colour(example.previous, position.colour))}")
    if isinstance(position, MatchPosition):
        words += _words_of_match(position, example)
    return " ".join(words)


def _words_of_match(position: MatchPosition, example: Example) -> list[str]:
    words = [f"ruleset={MATCH}"]
    if any(position.prisoners):
        words.append(f"prisoners={position.prisoners[0]},{position.prisoners[1]}")
    if position.last is not None and example.previous is None:
        words.append(f"last={move_text(position.last, position.ruleset.size).lower()}")
    if position.own_last is not None:
        words.append(f"own_last={move_text(position.own_last, position.ruleset.size).lower()}")
    return words + [f"{name}={value}" for name, value in game_of(position.ruleset).distinctions.items()]


def rows_text(size: int, board: tuple[int, int]) -> str:
    """Return a board, given as the masks (black, white), as rows joined by `/`."""
    return "/".join(board_rows(size, *board))


def explain_command(position: Position, filename: str, options: str = "") -> str:
    """Return the `littlego explain` command for a position; '' if no drawing can express the position.

    options: the command's further options, quoted for the shell.
    """
    return drawn_command("explain", position, " ".join(filter(None, [f"-f {quote(filename)}", options])))


def drawn_command(name: str, position: Position, options: str = "") -> str:
    """Return the shell command `littlego NAME` for a position; '' if no drawing can express the position."""
    size, example = position.ruleset.size, Example.of_position(MATCHES, position, None)
    words = [f"littlego {name} -", f"--colour {'black' if position.colour == BLACK else 'white'}"]
    if isinstance(position, MatchPosition):
        is_told = example.previous is not None or not (any(position.prisoners) or position.last is not None)
        is_told = is_told and position.own_last in (None, PASS)
        if not is_told or game_of(position.ruleset).distinctions:
            return ""  # a drawing has neither prisoners nor komi, nor the last moves
        words.append("--ruleset match")
    else:
        words.append(f"--left {position.left}")
    if example.previous is not None:
        words.append(f"--previous <({_printed(size, by_colour(example.previous, position.colour))})")
    words.append(options)
    return f"{_printed(size, (position.black, position.white))} | {' '.join(filter(None, words))}"


def _printed(size: int, board: tuple[int, int]) -> str:
    return f"printf '%s\\n' {' '.join(board_rows(size, *board))}"
