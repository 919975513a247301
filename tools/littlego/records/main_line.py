"""The reader of an SGF game's main line: its rules, its initial position and its moves.

The reader tolerates most departures from the standard and from our rules and adds one warning for each kind of
departure. An error in the middle of a game ends the record at the error; the earlier positions stay valid.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NoReturn

from littlego.games.boards import move_text
from littlego.games.game import all_have_liberties, game_named, name_for_board, ruleset_named, why_illegal
from littlego.games.handicap import fixed_handicap
from littlego.games.kinds import BoardSizeError, UnknownRulesetError
from littlego.games.little_go import game_of
from littlego.games.match import NAME as MATCH
from littlego.games.sizes import LITTLE_GO_SIZES, SGF_SIZE
from littlego.match.referee import COLOURS
from littlego.records.komi import komi_of
from littlego.records.records import MOST_MOVES, Boards, Played, Record, RecordError, Remark, before_move
from littlego.records.sgf import Node, Root, SgfError, move_of, points_in, read_games
from littlego.rules.geometry import make_grid
from littlego.rules.position import BLACK, PASS, WHITE, Position
from littlego.rules.ruleset import Ruleset

_COLOURS = {"B": BLACK, "W": WHITE}
_PLAYERS = {"b": BLACK, "1": BLACK, "w": WHITE, "2": WHITE}  # FF[3] has 1 and 2 by mistake
_SETUP = ("AB", "AW", "AE")
_EARLY = 100  # number of first moves; if one of these moves is on a handicap point, the handicap was placed freely


def game_sgf(text: str, ruleset: str | None = None, refuse_other: bool = True) -> Record:
    """Return the main line of the first SGF game in a text, including setup stones.

    ruleset, refuse_other: see ruleset_of_sgf. Raise RecordError if not even the initial position can be read.
    """
    try:
        return main_line_of(read_games(text)[0], ruleset, refuse_other)
    except SgfError as error:
        raise RecordError(str(error)) from None


def main_line_of(root: Node, ruleset: str | None = None, refuse_other: bool = True) -> Record:
    """Return the main line of an SGF game; for the arguments see game_sgf.

    Raise RecordError if not even the initial position can be read.
    """
    walk = _Walk(root, ruleset_of_sgf(root, ruleset, refuse_other))
    for node in root.main_line():
        try:
            walk.read(node)
        except RecordError as error:
            if walk.start is None:
                raise
            walk.broken = str(error)
        if walk.broken:
            break
    return walk.record()


def moved_nodes(root: Node, record: Record) -> list[Node]:
    """Return the node of each move of a record. The record must be the result of main_line_of(root)."""
    line = (node for node in root.main_line() for name in _COLOURS for _ in node.properties.get(name, ()))
    return [
        next(node for node in line if (node.line, node.column) == (played.line, played.column))
        for played in record.moves
    ]


class _Walk:
    """The state of the reader of a main line: the current position, and the setup for the next move.

    setup: the board (Black's stones, White's stones) if stones were set up since the last move, else None. mover: (the
    colour, the node) of a PL property since the last move, or None.
    """

    def __init__(self, root: Node, rules: Ruleset) -> None:
        self.root, self.rules = root, rules
        self.start: Position | None = None
        self.position: Position | None = None
        self.setup: Boards | None = None
        self.mover: tuple[int, Node] | None = None
        self.moves: list[Played] = []
        self.broken = ""
        self.over = 0  # the number of the move that ended the game
        self._remarks: dict[str, Remark] = {}  # the first warning of each kind
        self._more: dict[str, int] = {}  # the number of further warnings of a kind
        self._handicap = _handicap_of(root)
        self._remark_root()

    def read(self, node: Node) -> None:
        """Read a node; raise RecordError for an error that ends the record at this node."""
        if any(name in node.properties for name in _SETUP):
            self._set_up(node)
        played = [
            (_COLOURS[name], value) for name in node.properties if name in _COLOURS for value in node.properties[name]
        ]
        mover = self._mover_of(node)
        if mover and (not played or played[0][0] == mover):
            self.mover = mover, node
        if len(played) > 1:
            self._remark("more moves", node, f"{len(played)} moves in a node; read one after the other")
        for colour, value in played:
            self._play(node, colour, value)
        if mover and played and played[0][0] != mover:
            self.mover = mover, node
        self.broken = node.broken

    def record(self) -> Record:
        """Return the record of the nodes read so far; raise RecordError for an impossible initial position."""
        if self.start is None:
            self._begin(None)
        assert self.start is not None and self.position is not None
        final = None
        if self.moves and not self.over and not self.broken:
            colour = self.mover[0] if self.mover else self.position.colour
            if self.setup is not None or colour != self.position.colour:
                final = self.setup or (self.position.black, self.position.white), colour
        remarks = [*self._reader_warnings(), *map(self._counted, self._remarks)]
        remarks.sort(key=lambda remark: remark.number)
        return Record(self.start, self.moves, final, tuple(remarks), self.broken)

    def _reader_warnings(self) -> list[Remark]:
        """Return the SGF reader's warnings, each with the number of the first move after the warning's place."""
        warnings = self.root.warnings if isinstance(self.root, Root) else []
        places = [(played.line, played.column) for played in self.moves]
        return [
            Remark(text, line, column, 1 + sum(place < (line, column) for place in places))
            for text, line, column in warnings
        ]

    def _remark(self, kind: str, node: Node, text: str) -> None:
        self._more[kind] = self._more.get(kind, -1) + 1
        self._remarks.setdefault(kind, Remark(text, node.line, node.column, len(self.moves) + 1))

    def _counted(self, kind: str) -> Remark:
        remark, more = self._remarks[kind], self._more[kind]
        return remark._replace(text=f"{remark.text}; further warnings of this kind: {more}") if more else remark

    def _remark_root(self) -> None:
        kind = self.root.text("GM").strip()
        if kind not in ("", "1"):
            self._remark("game", self.root, f"GM[{kind[:20]}] is another game; expected GM[1], Go; read as Go")
        if not self._has_own_rules() and game_of(self.rules).name == MATCH:
            _, warning = komi_of(self.root, self.rules.size)
            if warning:
                self._remark("komi", self.root, warning)

    def _has_own_rules(self) -> bool:
        return self.root.text("RU").strip() == self.rules.name

    def _set_up(self, node: Node) -> None:
        boards = self._boards()
        self.setup = _set_up(node, *boards, self.rules.size)
        if self.setup == boards and self.start is not None:
            self.setup = None
            return
        if self.start is not None:
            text = f"stones are set up after move {len(self.moves)}; read as a new position"
            self._remark("setup", node, text)
        if not all_have_liberties(*(self.setup or boards), make_grid(self.rules.size)):
            _refuse(node, "not a position of Go: a chain that is set up has no liberty")

    def _boards(self) -> Boards:
        if self.setup is not None:
            return self.setup
        return (self.position.black, self.position.white) if self.position else (0, 0)

    def _mover_of(self, node: Node) -> int:
        """Return the colour that PL names, or 0 if PL is missing or invalid."""
        if "PL" not in node.properties:
            return 0
        text = node.text("PL").strip()
        colour = _PLAYERS.get(text[:1].lower(), 0)
        if not colour:
            self._remark("player", node, f"PL[{text[:20]}] is not a player; expected B or W; ignored")
        return colour

    def _begin(self, first: int | None) -> None:
        """Create the initial position. first: the colour of the first move, or None if there are no moves."""
        black, white = self.setup or (0, 0)
        colour = first or (self.mover[0] if self.mover else 0)
        if not black and self._handicap > 1 and colour != BLACK:
            black = self._place_handicap(white)
        colour = colour or (WHITE if black and not white else BLACK)  # White moves first after a handicap
        game = game_of(self.rules)
        try:
            value = self.root.text(game.setup_property).strip()
            self.start = self.position = game.set_up_from((black, white), colour, value)
        except ValueError as error:
            raise RecordError(f": {error}") from None
        self.setup = None

    def _place_handicap(self, white: int) -> int:
        """Return the mask of the star points for a handicap (HA) without handicap stones (AB).

        Return 0 if the board has no star points for this handicap, or if a white stone or an early move is on one of
        the points.
        """
        given = f"HA[{self._handicap}] without its stones"
        try:
            stones = sum(1 << point for point in fixed_handicap(self.rules.size, self._handicap))
        except ValueError:
            stones = 0
        if not stones or stones & (white | self._early_points()):
            self._remark("handicap", self.root, f"{given}; expected AB; read without handicap stones")
            return 0
        self._remark("handicap", self.root, f"{given}; expected AB; read with stones on the star points")
        return stones

    def _early_points(self) -> int:
        """Return the mask of the points at which the first _EARLY moves are played."""
        values = [
            value for node in self.root.main_line() for name in _COLOURS for value in node.properties.get(name, ())
        ]
        moves = [move_of(value, self.rules.size) for value in values[:_EARLY]]
        return sum(1 << move for move in {move for move in moves if move is not None and move != PASS})

    def _play(self, node: Node, colour: int, value: str) -> None:
        number, size = len(self.moves) + 1, self.rules.size
        move = move_of(value, size)
        if move is None:
            _refuse(node, f"move {number} is {value[:20]!r}, not a point of a board of size {size}")
        if number > MOST_MOVES:
            raise RecordError(f": more than {MOST_MOVES:,} moves; expected at most {MOST_MOVES:,}")
        if self.start is None:
            self._begin(colour)
        assert self.position is not None
        if self._is_left_out(node, move):
            return
        self._remark_mover(node, colour)
        played = Played(move, colour, node.line, node.column, self.setup)
        position = before_move(self.position, played)
        if position.ruleset.length and not position.left:
            _refuse(node, f"move {number}, {move_text(move, size)}: the stones on the board leave no moves")
        wrong = why_illegal(position, move)
        if wrong == "it repeats an earlier board":
            self._remark("repetition", node, f"move {number} {wrong[3:]}; accepted, because other rules allow this")
            played = replace(played, setup=(position.black, position.white))
            position = before_move(self.position, played)
            wrong = why_illegal(position, move)
        if wrong:
            _refuse(node, f"move {number}, {move_text(move, size)}: {wrong}")
        self.moves.append(played)
        self.over = number if position.ends_with(move) else 0
        self.position = position.play(move)
        self.setup = self.mover = None

    def _is_left_out(self, node: Node, move: int) -> bool:
        """Return whether to skip a move because the game is over; warn about a move after the end.

        In a match, a stone played after the end is not skipped, because the players may continue; the current board
        becomes the setup before the move.
        """
        if not self.over or self.setup is not None:
            return False
        end = f"the game ended with move {self.over}"
        if move == PASS or self.rules.length:
            what = "another pass" if move == PASS else "another move"
            self._remark("end", node, f"{what}, but {end}; ignored")
            return True
        assert self.position is not None
        self._remark("resumed", node, f"{end}, but moves follow; read as a game that continues")
        self.setup = self.position.black, self.position.white
        return False

    def _remark_mover(self, node: Node, colour: int) -> None:
        """Add a warning if a move's colour contradicts PL or the order of turns."""
        assert self.position is not None
        if self.mover is not None:
            if self.mover[0] != colour:
                said = self.mover[1].text("PL").strip()[:20]
                self._remark("player", self.mover[1], f"PL[{said}], but {COLOURS[colour]} moves next; PL is ignored")
        elif self.setup is None and colour != self.position.colour:
            is_handicap = len(self.moves) < self._handicap and all(one.colour == BLACK for one in self.moves)
            if not (is_handicap and colour == BLACK):
                what = f"{COLOURS[colour]} moves, but it is {COLOURS[self.position.colour]}'s turn"
                self._remark("turn", node, f"move {len(self.moves) + 1}: {what}; accepted as in the file")


def _refuse(node: Node, what: str) -> NoReturn:
    raise RecordError((f":{node.line}:{node.column}" if node.line else "") + f": {what}")


def _handicap_of(root: Node) -> int:
    text = root.text("HA").strip()
    return int(text) if re.fullmatch(r"\d{1,2}", text) else 0


def ruleset_of_sgf(root: Node, named: str | None = None, refuse_other: bool = True) -> Ruleset:
    """Return the ruleset of an SGF game; raise RecordError if the file's size or rules are invalid.

    If RU names one of our rulesets, the result is that ruleset. Otherwise, the result is `named` (`little-go` or
    `match`) on the game's board; a match has the komi from KM. If `named` is None, games on boards up to 5x5 are
    Little-Go. Games on larger boards are matches in which a pass costs no stone, because most programs have similar
    rules. refuse_other: whether to raise RecordError if RU contradicts `named`.
    """
    size, named_rules = _size_of(root), root.text("RU").strip()
    try:
        ours = ruleset_named(named_rules)
    except BoardSizeError as error:
        raise RecordError(f": its rules, RU[{named_rules}], do not name a valid board: {error}") from None
    except UnknownRulesetError:
        return _ruleset_by(root, size, named)
    if ours.size != size:
        raise RecordError(f": its rules, RU[{named_rules}], are for size {ours.size}; its board has size {size}")
    if refuse_other and named is not None and named_rules != named and not named_rules.startswith(f"{named}-"):
        raise RecordError(f": its RU property names the rules {named_rules}; omit --ruleset")
    return ours


def _ruleset_by(root: Node, size: int, named: str | None) -> Ruleset:
    """Return the ruleset of an SGF game whose RU names none of our rulesets."""
    try:
        game = game_named(named or name_for_board(size))
        return game.of_record(size, komi_of(root, size)[0], pass_stones=named is not None)
    except ValueError as error:
        raise RecordError(f": {error}") from None


def _size_of(root: Node) -> int:
    """Return the board size; raise RecordError if it is invalid."""
    text = root.text("SZ").strip() or str(SGF_SIZE)
    sides = [int(side) if re.fullmatch(r"\d{1,3}", side) else 0 for side in text.split(":")]
    if len(sides) > 2 or 0 in sides:
        raise RecordError(f": its size, SZ[{text[:20]}], is not a board size")
    if sides[0] != sides[-1]:
        raise RecordError(f": a board of {sides[0]} by {sides[-1]}; expected a square board")
    if not LITTLE_GO_SIZES.allow(sides[0]):
        raise RecordError(f": a board of size {sides[0]}; expected size {LITTLE_GO_SIZES.text}")
    return sides[0]


def _set_up(node: Node, black: int, white: int, size: int) -> tuple[int, int]:
    """Return the masks (Black's stones, White's stones) after a node's setup.

    Raise RecordError for invalid or repeated points.
    """
    black_added, white_added, emptied = (_points_of(node, name, size) for name in _SETUP)
    if black_added & white_added | (black_added | white_added) & emptied:
        _refuse(node, "a point is set up twice; expected the point in only one of AB, AW and AE")
    kept = ~(black_added | white_added | emptied)
    return black & kept | black_added, white & kept | white_added


def _points_of(node: Node, name: str, size: int) -> int:
    points = points_in([value for value in node.properties.get(name, ()) if value.strip()], size)
    if points is None:
        _refuse(node, f"{name} has a value that is not a point of a board of size {size}")
    return points
