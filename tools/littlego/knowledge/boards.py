"""The reader of a pattern's examples; it also reports boards that cannot arise in a game."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import yaml

from littlego.games.little_go import game_of
from littlego.games.sizes import Sizes
from littlego.knowledge import fields
from littlego.knowledge.fields import Cells
from littlego.knowledge.keys import EXAMPLE_KEYS, EXAMPLES_KEYS, NEED_MOVE, keys_of
from littlego.knowledge.model import Example, by_colour, most_left
from littlego.knowledge.problems import plural, quoted
from littlego.knowledge.source import Source
from littlego.rules.geometry import around, count, make_grid
from littlego.rules.position import BLACK, PASS, WHITE, Position, chains, is_legal
from littlego.rules.ruleset import Ruleset

COLOURS = dict(zip(EXAMPLE_KEYS["colour"].choices, (BLACK, WHITE), strict=True))
_POINT = re.compile(r"([0-9]{1,2}) *, *([0-9]{1,2})")
_COLOUR_HINT = "draw the mover's stones as X, and write `colour: white` where White is to move"

Stones = tuple[int, int]  # masks of X and O


def read_examples(source: Source, node: yaml.Node, kind: str, ruleset: Ruleset, passes: bool) -> list[Example]:
    """Return the valid examples of a list, and report mistakes in the other examples.

    kind: the list's key, such as `matches`. passes: whether the pattern's move is a pass.
    """
    needed = f"every pattern needs an example under `{kind}`" if kind in EXAMPLES_KEYS else ""
    items = fields.items(source, node, f"`{kind}`", needed)
    known = keys_of(EXAMPLE_KEYS, ruleset.name)
    mappings = ((item, fields.mapping(source, item, known, "an example")) for item in items)
    readers = (_Reader(source, item, keys, kind, ruleset, passes) for item, keys in mappings if keys is not None)
    return [example for reader in readers if (example := reader.example())]


@dataclass
class _Reader:
    """The reader of one example. values: {key: node}. ruleset: the game's rules for the drawn board's size."""

    source: Source
    node: yaml.Node
    values: dict[str, yaml.Node]
    kind: str
    ruleset: Ruleset
    passes: bool

    def example(self) -> Example | None:
        """Return the example, or report its mistakes and return None."""
        known, values = self.source.count, self.values
        stones = self._read_board("board", values["board"]) if "board" in values else None
        if "board" not in values:
            self.source.report_at(self.node, "P008", "an example without `board`", "the key `board`")
        colour = self._read_colour(values["colour"]) if "colour" in values else BLACK
        if "to_play" in values:
            self._check_to_play(values["to_play"])
        if stones is None and not self.sizes.are_one:
            return None  # all other checks need the size, which only the board determines
        previous = self._read_board("previous", values["previous"]) if "previous" in values else None
        move = self._read_move(stones)
        if stones and colour:
            self._check_previous(stones, previous, colour)
        last, prisoners = self._read_last(stones), self._read_prisoners(stones, previous)
        own_last = self._read_own_last(stones, previous)
        if self._read_pass_stones() is False:
            self.ruleset = game_of(self.ruleset).without_pass_stones()
        left = self._read_moves_left(stones, colour) if stones and colour else None
        if self.source.count > known or stones is None or colour is None or left is None:
            return None
        line, column = self.source.place(self.node.start_mark.index)
        place = line, column
        return Example(self.kind, *place, self.ruleset, stones, previous, move, left, colour, prisoners, last, own_last)

    @property
    def sizes(self) -> Sizes:
        """The board sizes that the game allows in examples."""
        return game_of(self.ruleset).pattern_sizes

    def _read_colour(self, node: yaml.Node) -> int | None:
        word = fields.word(self.source, node, "`colour`")
        if word is not None and word not in COLOURS:
            self.source.report_at(node, "P067", f"`colour` is {quoted(word)}", " or ".join(COLOURS), _COLOUR_HINT)
        return COLOURS.get(word or "")

    def _check_to_play(self, node: yaml.Node) -> None:
        word = fields.word(self.source, node, "`to_play`")
        if word not in (None, "X"):
            self.source.report_at(node, "P067", f"`to_play` is {quoted(word)}", "X", _COLOUR_HINT)

    def _read_board(self, key: str, node: yaml.Node) -> Stones | None:
        """Return (mask of X, mask of O) for a drawn board, or report the board's mistakes and return None."""
        rows = fields.block(self.source, node, key)
        if rows is None or key == "board" and not self._settle_size(rows):
            return None
        known, size = self.source.count, self.ruleset.size
        if len(rows) != size:
            place = rows[min(size, len(rows) - 1)]
            index = place[0][1] if place else node.start_mark.index
            self.source.report(index, "P060", f"`{key}` has {plural(len(rows), 'row')}", f"{size}")
        masks = {"X": 0, "O": 0, ".": 0}
        for number, row in enumerate(rows[:size]):
            if len(row) != size:
                index = row[size][1] if len(row) > size else row[-1][1] + 1 if row else node.start_mark.index
                self.source.report(
                    index, "P060", f"row {number + 1} of `{key}` has {plural(len(row), 'point')}", f"{size}"
                )
            for column, (symbol, index) in enumerate(row):
                if symbol not in masks:
                    self.source.report(index, "P061", f"unknown symbol {quoted(symbol)} in `{key}`", "X, O or .")
                elif column < size:
                    masks[symbol] |= 1 << size * number + column
        if self.source.count > known:
            return None
        self._check_liberties(key, rows, masks)
        return (masks["X"], masks["O"]) if self.source.count == known else None

    def _settle_size(self, rows: Cells) -> bool:
        """Set the board size to the most frequent row length, if the game allows that size.

        If the game has several board sizes, but not that size, report the mistake and return False. Otherwise return
        True. For a game with a single board size, later checks report rows of another length.
        """
        [(size, _)] = Counter(map(len, rows)).most_common(1)
        if self.sizes.allow(size):
            self.ruleset = game_of(self.ruleset).resized(size)
        if self.sizes.allow(size) or self.sizes.are_one:
            return True
        wanted = f"{self.sizes.text} points, and as many rows"
        self.source.report(rows[0][0][1], "P060", f"a row of `board` has {plural(size, 'point')}", wanted)
        return False

    def _check_liberties(self, key: str, rows: Cells, masks: dict[str, int]) -> None:
        grid = make_grid(self.ruleset.size)
        for symbol in "XO":
            for chain in chains(masks[symbol], grid):
                if not around(chain, grid) & masks["."]:
                    row, column = divmod((chain & -chain).bit_length() - 1, self.ruleset.size)
                    self.source.report(
                        rows[row][column][1],
                        "P062",
                        f"a chain of {symbol} without a liberty in `{key}`",
                        expected="a board that can arise in a game",
                        hint="remove the captured stones",
                    )

    def _read_move(self, stones: Stones | None) -> int | None:
        """Return the example's move (a point or PASS), or None for a missing or malformed move. Report mistakes.

        For a value that is not text, report the mistake and return PASS.
        """
        node = self.values.get("move")
        if node is None:
            if self.kind in NEED_MOVE:
                self.source.report_at(self.node, "P008", "an example that must match, without `move`", "the key `move`")
            return None
        word = fields.text(self.source, node, "`move`")
        if word is None or word == "pass" and self.passes:
            return PASS
        size, point = self.ruleset.size, _POINT.fullmatch(word)
        if self.passes or not point or max(int(point[1]), int(point[2])) >= size:
            wanted = "`pass`, the pattern's move" if self.passes else f"`row,column`, each from 0 to {size - 1}"
            self.source.report_at(node, "P063", f"`move` is {quoted(word)}", wanted)
            return None
        move = size * int(point[1]) + int(point[2])
        if stones and (stones[0] | stones[1]) >> move & 1:
            self.source.report_at(node, "P064", f"`move` is {quoted(word)}, where a stone stands", "an empty point")
        return move

    def _read_last(self, stones: Stones | None) -> int | None:
        """Return the point of O's last move, or None. Report mistakes.

        The result is None if `last` is missing or malformed, or if the example has `previous`.
        """
        if "last" in self.values and "previous" in self.values:
            node, hint = self.values["last"], "remove `last`"
            self.source.report_at(node, "P069", "`last` together with `previous`", "one of the two", hint)
            return None
        return self._read_played("last", stones and stones[1], "where no O stands", "the point of an O")

    def _read_own_last(self, stones: Stones | None, previous: Stones | None) -> int | None:
        """Return the point of X's last move, or None. Report mistakes.

        The point may be empty now, because O's last move may have captured the stone.
        """
        allowed = previous[0] if previous else stones and ~stones[1]
        return self._read_played("own_last", allowed, "where X played no stone", "the point of X's last move")

    def _read_played(self, key: str, allowed: int | None, fault: str, wanted: str) -> int | None:
        """Return the point at a key, or None if it is missing or malformed. Report mistakes.

        allowed: the mask of the allowed points, or None if the board is unknown. fault, wanted: parts of the message
        for a point that is not allowed: the fault, and a description of the allowed points.
        """
        node = self.values.get(key)
        word = fields.text(self.source, node, f"`{key}`") if node is not None else None
        if node is None or word is None:
            return None
        size, point = self.ruleset.size, _POINT.fullmatch(word)
        found = size * int(point[1]) + int(point[2]) if point and max(int(point[1]), int(point[2])) < size else None
        if found is None:
            self.source.report_at(
                node, "P063", f"`{key}` is {quoted(word)}", f"`row,column`, each from 0 to {size - 1}"
            )
        elif allowed is not None and not allowed >> found & 1:
            self.source.report_at(node, "P069", f"`{key}` is {quoted(word)}, {fault}", wanted)
        return found

    def _read_prisoners(self, stones: Stones | None, previous: Stones | None) -> tuple[int, int] | None:
        """Return (X's prisoners, O's prisoners), or None for missing or unreadable numbers. Report mistakes."""
        node, most = self.values.get("prisoners"), EXAMPLE_KEYS["prisoners"].most
        if node is None:
            return None
        held = [
            fields.integer(self.source, one, "a number of `prisoners`", 0, most)
            for one in fields.items(self.source, node, "`prisoners`")
        ]
        if len(held) != 2:
            self.source.report_at(node, "P069", f"`prisoners` has {plural(len(held), 'number')}", "two: X's and O's")
            return None
        mine, yours = held
        if mine is None or yours is None:
            return None
        wanted = self._least_prisoners(stones, previous) if stones and previous else (0, 0)
        if mine < wanted[0] or yours < wanted[1]:
            message = f"`prisoners` is `[{mine}, {yours}]`, fewer than the prisoners from O's last move"
            self.source.report_at(node, "P069", message, f"at least `[{wanted[0]}, {wanted[1]}]`")
        return mine, yours

    def _least_prisoners(self, stones: Stones, previous: Stones) -> tuple[int, int]:
        """Return (number of prisoners that X gains, number that O gains) from O's last move."""
        if previous == stones:
            return int(self._read_pass_stones() is not False), 0
        return 0, count(previous[0] & ~stones[0])

    def _read_pass_stones(self) -> bool | None:
        node = self.values.get("pass_stones")
        return None if node is None else fields.boolean(self.source, node, "`pass_stones`")

    def _check_previous(self, stones: Stones, previous: Stones | None, colour: int) -> None:
        if previous is None or previous == stones or self._leads_to(previous, stones, colour):
            return
        self.source.report_at(
            self.values["previous"],
            "P065",
            "no single move of O leads from `previous` to `board`",
            "the board before O's last move",
            "copy `board`, remove O's last stone and add the stones that it captured; for a pass, copy `board`",
        )

    def _leads_to(self, previous: Stones, stones: Stones, colour: int) -> bool:
        """Return whether one move by O leads from the board `previous` to the board `stones`."""
        move = stones[1] & ~previous[1]
        before = Position(self.ruleset, *by_colour(previous, colour), BLACK + WHITE - colour, 0, False, 1)
        if not move or move & (move - 1) or not is_legal(move, previous[1], previous[0], 0, before.grid):
            return False
        after = before.play(move.bit_length() - 1)
        return (after.black, after.white) == by_colour(stones, colour)

    def _read_moves_left(self, stones: Stones, colour: int) -> int | None:
        """Return the example's `moves_left`, or None for an unreadable number or too many stones. Report mistakes.

        The default of `moves_left` is the maximum that the stones and the colour allow, or 0 for a game without a fixed
        length.
        """
        length, node = self.ruleset.length, self.values.get("moves_left")
        if not length:
            return 0
        most = most_left(self.ruleset, stones, colour)
        if most < 1:
            self.source.report_at(
                self.values["board"],
                "P068",
                f"more stones than {length - 1} moves can place",
                "a board on which at least one move is left",
            )
            return None
        if node is None:
            return most
        left = fields.integer(self.source, node, "`moves_left`", EXAMPLE_KEYS["moves_left"].least, length)
        if left is not None and (left - most) % 2:
            message = f"`moves_left` is {left} with {'Black' if colour == BLACK else 'White'} to move"
            self.source.report_at(node, "P066", message, f"an {'odd' if most % 2 else 'even'} number", _COLOUR_HINT)
        elif left is not None and left > most:
            self.source.report_at(
                node,
                "P068",
                f"`moves_left` is {left}, too many for the stones on the board",
                expected=f"at most {most}",
                hint="each stone on the board took one move of its colour",
            )
        return left
