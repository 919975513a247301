"""Positions from user input: a drawn board, an input.txt, or a move of a game record."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace

from littlego.cli.arguments import ArgumentError
from littlego.files import read_limited, read_open
from littlego.games.boards import BoardError, move_text, parse_board
from littlego.games.little_go import little_go_of
from littlego.games.match import NAME as MATCH
from littlego.games.match import MatchPosition, MatchRuleset, last_move, match_rules
from littlego.games.sizes import LITTLE_GO_SIZES, MATCH_SIZES
from littlego.match.referee import COLOURS
from littlego.printable import printable
from littlego.records.charsets import Decoded, decode_sgf, is_sgf
from littlego.records.main_line import game_sgf
from littlego.records.records import Record, RecordError, Remark, game_json, parse_point
from littlego.rules.geometry import around
from littlego.rules.position import BLACK, PASS, WHITE, Position, chains, from_boards
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import INPUT, InputError, least_moves_made, parse_input, positions_seen

STANDARD_INPUT = "-"
LARGEST_FILE = 1_000_000  # bytes; a game record has about a hundredth of this size
_NUMBERED = re.compile(r"(.+):(\d{1,9})")
_JSON = re.compile(r"\s*\{")
Boards = tuple[int, int]  # (Black's stones, White's)
Tell = Callable[[str], None]
_INPUT_LINE = re.compile(r"\d+")
_FORMS = "a drawn board, an input.txt, or a game as .sgf or .json"


def warn_user(line: str) -> None:
    """Print a warning about an input file to standard error."""
    print(f"littlego: {line}", file=sys.stderr)


def position_at(
    where: str,
    colour: str | None = None,
    left: int | None = None,
    previous: str | None = None,
    ruleset: str | None = None,
    encoding: str | None = None,
    tell: Tell = warn_user,
) -> Position:
    """Return the first position that `positions_at` returns: the position with the most moves left."""
    return positions_at(where, colour, left, previous, ruleset, encoding, tell)[0]


def positions_at(
    where: str,
    colour: str | None = None,
    left: int | None = None,
    previous: str | None = None,
    ruleset: str | None = None,
    encoding: str | None = None,
    tell: Tell = warn_user,
) -> list[Position]:
    """Return the positions that an argument names.

    The argument is FILE, `-` for standard input, or FILE:MOVE for the position before move MOVE of a game record. The
    list has one position for a game record, a match or a given `left`. Otherwise, it has a position for each possible
    number of moves left, the largest number first. colour, left: the side to move and the number of moves left from the
    command line, or None. previous: the file with the board before a drawn board's last move, or None. ruleset: the
    name of the ruleset for a drawn board, or for an SGF file that names none of our rulesets. encoding: the encoding of
    an SGF file, or None to detect it. tell: a function called with each one-line warning about the encoding of a game
    record, or about the record up to the returned position. Raise ArgumentError for invalid input.
    """
    name, number = _split_move_number(where)
    text, warning = _load_text(name, encoding)
    name, where = "standard input" if name == STANDARD_INPUT else printable(name), printable(where)
    if previous and not is_drawing(text):
        raise ArgumentError(
            f"--previous {previous}: {name} already contains the board before the last move; omit --previous"
        )
    if is_game(text):
        if colour:
            raise ArgumentError(f"--colour {colour}: {name} already gives the side to move; omit --colour")
        _tell_of(name, [Remark(warning)] if warning else [], tell)
        position = _position_in_record(name, text, number, ruleset, tell)
        return [position if left is None else _with_left(position, left)]
    if number is not None:
        raise ArgumentError(f"{where}: a move number needs a game record, .sgf or .json; {name} is not a game record")
    return positions_in(name, text, colour, left, previous, ruleset)


def is_game(text: str) -> bool:
    """Return whether a text may be a game in SGF or JSON."""
    return bool(_JSON.match(text) or is_sgf(text.encode("utf-8", "replace")))


def _is_input(text: str) -> bool:
    return bool(_INPUT_LINE.fullmatch(text.strip().partition("\n")[0].strip()))


def is_drawing(text: str) -> bool:
    """Return whether a text may be a drawn board, because it is neither a game nor an input.txt."""
    return not is_game(text) and not _is_input(text)


def positions_in(
    name: str,
    text: str,
    colour: str | None = None,
    left: int | None = None,
    previous: str | None = None,
    ruleset: str | None = None,
) -> list[Position]:
    """Return the positions that a drawn board or an input.txt describes, as in positions_at.

    name: the text's name in errors. Raise ArgumentError for invalid input.
    """
    if _is_input(text):
        if colour:
            raise ArgumentError(f"--colour {colour}: line 1 of {name} gives the side to move; omit --colour")
        return _from_input(name, text, left)
    mover = WHITE if colour == "white" else BLACK
    return _drawn_positions(name, text, mover, left, previous, ruleset or LITTLE_GO.name)


def point_at(text: str, size: int) -> int | None:
    """Return the point on the board that a text `row,column` names, or None for any other text."""
    return parse_point(re.sub(r"\s*,\s*", ",", text.strip()), size)


def move_at(text: str, size: int, option: str) -> int:
    """Return the move (a point or PASS) that an option's value names.

    option: the option's name in the message. Raise ArgumentError for an invalid value.
    """
    move = PASS if text.strip().lower() == "pass" else point_at(text, size)
    if move is None:
        raise ArgumentError(f"{option} {text}: expected row,column, each from 0 to {size - 1}, or pass")
    return move


def _split_move_number(where: str) -> tuple[str, int | None]:
    numbered = _NUMBERED.fullmatch(where)
    return (numbered[1], int(numbered[2])) if numbered and not os.path.exists(where) else (where, None)


def _load_text(name: str, encoding: str | None = None) -> Decoded:
    """Return the decoded text of a file or of standard input. encoding: the encoding of an SGF file."""
    try:
        is_input = name == STANDARD_INPUT
        data = read_open(sys.stdin.buffer, LARGEST_FILE) if is_input else read_limited(name, LARGEST_FILE)
    except (OSError, ValueError) as error:  # ValueError is raised for an invalid file name
        why = getattr(error, "strerror", None) or error
        raise ArgumentError(f"cannot read {printable(name)}: {why}; expected {_FORMS}") from None
    name = printable(name)
    try:
        decoded = decode_sgf(data, encoding) if is_sgf(data) else Decoded(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        decoded = Decoded("\0")
    if "\0" in decoded.text:
        raise ArgumentError(f"{name}: not a text file; expected {_FORMS}")
    if not decoded.text.strip():
        raise ArgumentError(f"{name}: empty; expected {_FORMS}")
    return decoded


def _tell_of(name: str, remarks: Iterable[Remark], tell: Tell) -> None:
    for remark in remarks:
        tell(f"{name}{remark}")


def _position_in_record(name: str, text: str, number: int | None, ruleset: str | None, tell: Tell) -> Position:
    """Return the record's position before move `number`.

    Without `number`, return the final position or, if the last move ended the game, the position before that move.
    """
    try:
        game = _read_record(text, ruleset)
        positions = game.positions()
    except RecordError as error:
        raise ArgumentError(f"{name}{error}") from None
    if game.broken and (number is None or number > len(positions)):
        raise ArgumentError(f"{name}{game.broken}; {name}:{len(positions)} is the last position before this error")
    if number is not None and not 1 <= number <= len(positions):
        raise ArgumentError(
            f"{name}:{number}: the record has {len(game.moves)} moves; expected a move from 1 to {len(positions)}"
        )
    _tell_of(name, game.remarks_up_to(number), tell)
    return positions[-1 if number is None else number - 1]


def _from_input(name: str, text: str, left: int | None) -> list[Position]:
    lines = text.strip().splitlines()
    width = len(lines[1].strip()) if len(lines) > 1 else 0
    size = width if LITTLE_GO_SIZES.allow(width) else LITTLE_GO.size
    try:
        colour, previous, current = parse_input(text.strip().encode("utf-8"), size)
    except InputError as error:
        raise ArgumentError(str(error).replace(INPUT, name, 1)) from None
    return positions_of(name, size, previous, current, colour, left)


def drawn_position(name: str, text: str, colour: int, left: int | None) -> Position:
    """Return the Little-Go position of a drawn board.

    name: the board's name in errors. colour: the side to move. left: the number of moves left, or None for the largest
    possible number.
    """
    return _drawn_positions(name, text, colour, left, None)[0]


def _drawn_positions(
    name: str, text: str, colour: int, left: int | None, previous: str | None, ruleset: str = LITTLE_GO.name
) -> list[Position]:
    size, *stones = _read_drawing(name, text)
    board, read = (stones[0], stones[1]), _POSITIONS[ruleset]
    if previous is None:  # the last move is unknown, since a drawing does not show it
        return read(name, size, None, board, colour, left)
    size_before, *stones = _read_drawing(previous, _load_text(previous).text)
    if size_before != size:
        raise ArgumentError(f"--previous {previous}: the board's size is {size_before}, but {name} has size {size}")
    return read(name, size, (stones[0], stones[1]), board, colour, left)


def _match_positions(
    name: str, size: int, previous: Boards | None, current: Boards, colour: int, left: int | None
) -> list[Position]:
    """Return a list that contains only the match position of a drawn board.

    Only stones captured by the last move count as prisoners. Raise ArgumentError if `left` is given, if a match cannot
    have the board's size, or for the reasons given in match_position.
    """
    if left is not None:
        raise ArgumentError(f"--left {left}: a match has no move limit; omit --left")
    if not MATCH_SIZES.allow(size):
        raise ArgumentError(f"{name}: the board's size is {size}; expected {MATCH_SIZES.text} for a match")
    return [match_position(name, match_rules(size), current, colour, previous)]


def match_position(
    name: str,
    ruleset: MatchRuleset,
    board: Boards,
    colour: int,
    before: Boards | None = None,
    previous: str = "--previous",
    prisoners: tuple[int, int] | None = None,
    last: int | None = None,
    own_last: int | None = None,
) -> MatchPosition:
    """Return the match position for a board. board: (Black's stones, White's stones) after the last move.

    before: the board before the last move, or None if unknown. last: the last move, a point or PASS, if it is known and
    `before` is None. own_last: the last move of the side to move, if known. prisoners: the numbers of prisoners that
    Black and White hold, or None to count only stones captured by the last move. name, previous: the names of `board`
    and `before` in errors. Raise ArgumentError if a chain has no liberty, if no move leads from `before` to `board`, or
    if the last move captured more stones than `prisoners` allows.
    """
    position = ruleset.start(board, colour, prisoners or (0, 0), last, own_last)
    _check_liberties(name, position)
    if before is None:
        return position
    other = BLACK + WHITE - colour
    move, start = last_move(before, board, other), ruleset.start(before, other)
    if move is not None and (move == PASS or start.legal() >> move & 1):
        after = start.play(move)
        if (after.black, after.white) == board:
            earlier = [held - made for held, made in zip(prisoners or after.prisoners, after.prisoners, strict=True)]
            if min(earlier) < 0:
                held = ",".join(map(str, after.prisoners))
                raise ArgumentError(f"{name}: fewer prisoners than the last move captured; expected at least {held}")
            return ruleset.start(before, other, (earlier[0], earlier[1]), own_last).play(move)
    raise ArgumentError(f"{previous}: no move of {COLOURS[other]} leads from this board to {name}")


def _read_drawing(name: str, text: str) -> tuple[int, int, int]:
    """Return (size, black, white) of a drawn board; raise ArgumentError for an invalid drawing."""
    try:
        return parse_board(text)
    except BoardError as error:
        line = "" if error.row is None else f", row {error.row}"
        column = "" if error.column is None else f", column {error.column}"
        raise ArgumentError(f"{name}{line}{column}: {error}") from None


def positions_of(
    name: str, size: int, previous: Boards | None, current: Boards, colour: int, left: int | None
) -> list[Position]:
    """Return a position for each number of moves left that two successive boards allow.

    previous, current: (Black's stones, White's stones). `previous` is the board before the last move, or None if
    unknown. left: the number of moves left, or None for every possible number. name: the boards' name in errors. Raise
    ArgumentError for too many stones, a chain without liberties or an impossible `left`.
    """
    ruleset = little_go_of(size)
    most = ruleset.length - least_moves_made(current[0], current[1], colour)
    if most < 1:
        raise ArgumentError(f"{name}: more stones than {ruleset.length - 1} moves can place")
    position = from_boards(ruleset, previous, current, colour, most)
    _check_liberties(name, position)
    if left is not None:
        return [_with_left(position, left)]
    return positions_seen(ruleset, colour, previous, current, {})


def _check_liberties(name: str, position: Position) -> None:
    """Raise ArgumentError if a chain has no liberty."""
    size = position.ruleset.size
    for stones, symbol in ((position.black, "X"), (position.white, "O")):
        for chain in chains(stones, position.grid):
            if not around(chain, position.grid) & ~(position.black | position.white):
                place = move_text((chain & -chain).bit_length() - 1, size)
                raise ArgumentError(f"{name}: the chain of {symbol} at {place} has no liberty; remove its stones")


def _with_left(position: Position, left: int) -> Position:
    """Return the position with `left` moves left; raise ArgumentError if `left` is not allowed."""
    ruleset, colour = position.ruleset, position.colour
    if not ruleset.length:
        raise ArgumentError(f"--left {left}: the ruleset {ruleset.name} has no move limit; omit --left")
    most = ruleset.length - least_moves_made(position.black, position.white, colour)
    if not 1 <= left <= most or (most - left) % 2:
        raise ArgumentError(
            f"--left {left}: expected an {'odd' if most % 2 else 'even'} number from 1 to {most}, because "
            f"{COLOURS[colour]} is to move"
        )
    untouched = colour == BLACK and not position.black | position.white
    passed = left == ruleset.length if untouched else position.passed  # a pass as the first move ends the game
    return Position(ruleset, position.black, position.white, colour, position.ko, passed, left)


def record_at(name: str, otherwise: str, encoding: str | None = None) -> Record:
    """Return the game in an SGF or JSON file; raise ArgumentError if it cannot be read.

    otherwise: the ruleset, `little-go` or `match`, for an SGF file that names none of our rulesets. encoding: the
    encoding of an SGF file, or None to detect it.
    """
    text, warning = _load_text(os.path.join(os.curdir, name), encoding)  # here `-` is a file name
    try:
        record = _read_record(text, otherwise, refuse_other=False)
    except RecordError as error:
        raise ArgumentError(f"{printable(name)}{error}") from None
    return replace(record, remarks=(Remark(warning), *record.remarks)) if warning else record


def _read_record(text: str, ruleset: str | None, refuse_other: bool = True) -> Record:
    return game_json(text) if _JSON.match(text) else game_sgf(text, ruleset, refuse_other)


# Game name -> function that returns the positions of a drawn board.
_POSITIONS = {LITTLE_GO.name: positions_of, MATCH: _match_positions}
