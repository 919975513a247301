"""Random games whose moves follow the points of a small patterns file. A fit must recover these points."""

from __future__ import annotations

import random
from functools import lru_cache
from math import exp

from littlego.games.match import match_rules
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.model import SCALE, KnowledgeBase
from littlego.knowledge.textfile import pattern_line
from littlego.learning.fitting.options import book_of, options_of, without_numbers
from littlego.records.packed_games import PackedGame
from littlego.rules.position import BLACK, WHITE

SIZE, PLIES = 7, 20
EXAMPLES = """\
    examples:
      matches:
        - board: |
            . . . . . . .
            . . . . . . .
            . . X O . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
          move: {there}
{held}      no_match:
        - board: |
            . . . . . . .
            . . . . . . .
            . . X O . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
          move: {elsewhere}
"""


def entry(name: str, kind: str, body: str, there: str, elsewhere: str, held: str = "") -> str:
    """Return the YAML entry of a pattern with two examples on a board with one stone of each side.

    there, elsewhere: the examples' moves; the pattern fires for `there` but not for `elsewhere`.
    held: the line with the prisoners of the first example, or ''.
    """
    head = f"  - id: {name}\n    class: {kind}\n    summary: A pattern of the test {name}.\n"
    return head + body + EXAMPLES.format(there=there, elsewhere=elsewhere, held=held)


TOUCH = "    diagram: |\n      O *\n"
LINK = "    diagram: |\n      X *\n"
POINT = "    diagram: |\n      *\n"
YAML = "ruleset: match\n# kept\npatterns:\n" + "\n".join(
    [
        entry("anywhere", "shape", f"    priority: 500\n{POINT}    when: line(*) != 4\n", "4,4", "3,3"),
        entry("touch", "attack", f"    priority: 500\n    points: 12  # by hand\n{TOUCH}", "2,4", "4,4"),
        entry("link", "connect", f"    priority: 500\n    points: -6\n{LINK}", "3,2", "4,4"),
        entry(
            "room",
            "shape",
            f"    priority: 500\n    points: '4 * own_liberties(*)'\n{POINT}    when: line(*) > 1\n",
            "4,4",
            "0,0",
        ),
        entry(
            "not-so-low", "avoid", f"    priority: -20\n    points: -10\n{POINT}    when: line(*) == 1\n", "0,0", "4,4"
        ),
        entry(
            "never",
            "endgame",
            f"    priority: 500\n    points: 9\n{POINT}    when: prisoner_lead > 40\n",
            "4,4",
            "3,3",
            "          prisoners: [41, 0]\n",
        ),
    ]
)


@lru_cache(maxsize=1)
def base() -> KnowledgeBase:
    """Return the patterns compiled from the constant YAML."""
    _, problems, read = compile_text(YAML, "patterns.match.yaml")
    assert not problems, problems
    return read


def drawn_game(seed: int, points: dict[str, float], plies: int = PLIES) -> PackedGame:
    """Return a game whose moves are drawn with probabilities that depend on the patterns' points.

    points: pattern id -> the pattern's points, or the factor of its points expression.
    """
    rng = random.Random(seed)
    lines = tuple(without_numbers(pattern_line(pattern)) for pattern in base().ranked())
    book, names = book_of(lines, SIZE), [pattern.id for pattern in base().ranked()]
    position = match_rules(SIZE).opening()
    moves = []
    for _ in range(plies):
        options = options_of(position, book)
        chances = [
            exp(sum((given or 1) * points[names[index]] for index, given in option.firings) / SCALE)
            for option in options
        ]
        moves.append(rng.choices(options, chances)[0].move)
        position = position.play(moves[-1])
    return PackedGame(
        match_rules(SIZE),
        ("gnugo", "gnugo"),
        ("GNU Go 3.8",) * 2,
        seed,
        0,
        (BLACK, WHITE)[seed % 2],
        "",
        1,
        tuple(moves),
    )
