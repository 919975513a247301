"""Three third-party SGF readers for tests: sgfmill, pysgf (KaTrain's) and @sabaki/sgf (Sabaki's)."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from npm_packages import run_node
from sgfmill import boards, sgf, sgf_moves

PASS = ""


class Read(NamedTuple):
    """The main line of a game: size, RE, GC, KM, setup stones, moves (`B`, `cc`), and the nodes' comments."""

    size: int
    result: str
    about: str
    komi: float
    setup: tuple[tuple[str, ...], tuple[str, ...]]
    moves: list[tuple[str, str]]
    comments: list[str]

    def board(self):
        """Return the rows of the last position on sgfmill's board, with the letters b, w and ."""
        board = boards.Board(self.size)
        black, white = ([_place(value, self.size) for value in values] for values in self.setup)
        board.apply_setup(black, white, [])
        for letter, value in self.moves:
            if value != PASS:
                board.play(*_place(value, self.size), letter.lower())
        return ["".join(board.get(row, column) or "." for column in range(self.size)) for row in range(self.size)][::-1]


def _place(value, size):
    return size - 1 - (ord(value[1]) - 97), ord(value[0]) - 97


def _value(place, size):
    return PASS if place is None else chr(97 + place[1]) + chr(97 + size - 1 - place[0])


def sgfmill_read(text):
    game = sgf.Sgf_game.from_string(text)
    size, root = game.get_size(), game.get_root()
    setup, plays = sgf_moves.get_setup_and_moves(game)
    stones = {"b": [], "w": []}
    for colour, place in setup.list_occupied_points():
        stones[colour].append(_value(place, size))
    return Read(
        size,
        root.get("RE") if root.has_property("RE") else "",
        root.get("GC") if root.has_property("GC") else "",
        root.get("KM"),
        (tuple(sorted(stones["b"])), tuple(sorted(stones["w"]))),
        [(colour.upper(), _value(place, size)) for colour, place in plays],
        [node.get("C") if node.has_property("C") else "" for node in game.get_main_sequence()],
    )


def pysgf_read(text):
    pysgf = pytest.importorskip("pysgf", reason="pysgf is missing: pip install -e .[test]")
    root = pysgf.GoGame.parse_sgf(text) if hasattr(pysgf.GoGame, "parse_sgf") else pysgf.GoNode(text)
    nodes = [root]
    while nodes[-1].children:
        nodes.append(nodes[-1].children[0])
    size = root.board_size[0]
    moves = [(move.player, move.sgf((size, size))) for node in nodes for move in node.moves]
    return Read(
        size,
        root.get_property("RE", ""),
        root.get_property("GC", ""),
        float(root.get_property("KM")),
        (tuple(sorted(root.get_list_property("AB", []))), tuple(sorted(root.get_list_property("AW", [])))),
        moves,
        [_only(node.get_list_property("C", [])) for node in nodes],
    )


def _only(values):
    assert len(values) <= 1, f"a comment was split: {values}"
    return values[0] if values else ""


def sabaki_trees(texts):
    """Return the tree of each text as @sabaki/sgf reads it: {data: {name: values}, children: trees}."""
    return run_node("sabaki_sgf.js", texts)


def sabaki_read(tree):
    root, nodes = tree["data"], []
    while tree is not None:
        nodes.append(tree["data"])
        tree = tree["children"][0] if tree["children"] else None
    return Read(
        int(_only(root["SZ"])),
        _only(root.get("RE", [])),
        _only(root.get("GC", [])),
        float(_only(root["KM"])),
        (tuple(sorted(root.get("AB", []))), tuple(sorted(root.get("AW", [])))),
        [(letter, _only(node[letter])) for node in nodes for letter in "BW" if letter in node],
        [_only(node.get("C", [])) for node in nodes],
    )
