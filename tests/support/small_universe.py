"""Every position of a small board, and random patterns, for tests of exact answers.

slow_go defines the boards, legality and kos; the player's own code decides where a pattern fires.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from random import Random

from slow_go import beside, free, patch, play

from littlego.engines.large.vocabulary import small_facts
from littlego.knowledge.exact.bounds import BOUNDS
from littlego.knowledge.exact.partial import state_of
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.textfile import book_for
from littlego.rules.geometry import image_of, symmetry_tables
from littlego.rules.position import BLACK, PASS, WHITE, Position
from littlego.rules.programs import Reading, game_conditions_hold, points_of_placement
from littlego.rules.ruleset import Ruleset
from littlego.rules.turn import least_moves_made


@lru_cache(maxsize=2)
def legal_boards(size: int) -> list[tuple[int, int]]:
    """Return (X, O) of all boards on which every chain has a liberty."""
    found = []
    places = [(row, column) for row in range(size) for column in range(size)]
    for cells in product(".XO", repeat=size * size):
        board = dict(zip(places, cells, strict=True))
        if all(cell == "." or free(board, place) for place, cell in board.items()):
            found.append(tuple(sum(1 << k for k, cell in enumerate(cells) if cell == stone) for stone in "XO"))
    return found


@lru_cache(maxsize=2)
def different_boards(size: int) -> list[tuple[int, int]]:
    """Return one board from each class of legal boards that are equivalent by symmetry."""
    tables = symmetry_tables(size)
    return [
        board
        for board in legal_boards(size)
        if board == min((image_of(board[0], table), image_of(board[1], table)) for table in tables)
    ]


def kos(own: int, theirs: int, size: int) -> list[int]:
    """Return one-point masks of the points where O may just have captured a stone of X in a ko."""
    board = {
        (k // size, k % size): "X" if own >> k & 1 else "O" if theirs >> k & 1 else "." for k in range(size * size)
    }
    found = []
    for place in board:
        if board[place] == "." and all(board[near] == "O" for near in beside(board, place)):
            after = play(board, place, "X")
            if after and len(after[1]) == 1 and len(patch(after[0], place)) == 1:
                found.append(1 << size * place[0] + place[1])
    return found


@lru_cache(maxsize=2)
def boards_with_kos(size: int) -> list[tuple[int, int, int]]:
    """Return (X, O, ko) of the distinct boards, with each possible ko and without a ko."""
    return [(*board, ko) for board in different_boards(size) for ko in (0, *kos(*board, size))]


def positions(ruleset: Ruleset, all_clocks: bool) -> list[Position]:
    """Return a small board's positions up to symmetry.

    all_clocks: whether to include each possible number of moves left, and positions after a pass; otherwise each board
    occurs with one number of moves left.
    """
    found = []
    for own, theirs, ko in boards_with_kos(ruleset.size):
        for left in range(1, ruleset.length + 1):
            colour = BLACK if (ruleset.length - left) % 2 == 0 else WHITE
            black, white = (own, theirs) if colour == BLACK else (theirs, own)
            if left > ruleset.length - least_moves_made(black, white, colour):
                continue
            pasts = (False, True) if all_clocks and not ko else (False,)
            found += [Position(ruleset, black, white, colour, ko, passed, left) for passed in pasts]
            if not all_clocks:
                break
    return found


ON_THE_BOARD = ("lead", "ko_ban")  # facts about the game that boards and kos determine
CLOCK = {
    name for name, fact in small_facts().items() if not fact.kinds and name not in ON_THE_BOARD or name not in BOUNDS
}


def sees_the_clock(pattern: KnownPattern) -> bool:
    """Return whether a pattern depends on more than boards and kos."""
    tokens = " ".join([*pattern.when, pattern.points]).split()
    return any(fact in tokens for fact in CLOCK)


def applications(patterns: list[KnownPattern], ruleset: Ruleset) -> list[set[tuple[int, int, bool]]]:
    """Return each pattern's applications as (index of the position, move, whether the move is legal)."""
    size, found = ruleset.size, [set() for _ in patterns]
    everything = list(enumerate(positions(ruleset, all_clocks=any(map(sees_the_clock, patterns)))))
    book = book_for(patterns, ruleset)
    area, nowhere = size * size, (1 << book.bits) - 1
    for number, position in everything:
        reading, legal = Reading(state_of(position), book.bits), position.legal()
        word = position.own | position.theirs << area
        for index in range(len(patterns)):
            hits = [
                hit
                for hit in range(book.starts[index], book.starts[index + 1])
                if word & book.cares[hit] == book.values[hit]
            ]
            conditions = book.conditions(index)
            if not hits or not game_conditions_hold(conditions, reading):
                continue
            for cells in (book.cells[hit] for hit in hits):
                if points_of_placement(conditions, reading, cells) is not None:
                    point = cells >> 3 + book.bits & nowhere
                    move = PASS if point == nowhere else point
                    found[index].add((number, move, move == PASS or bool(legal >> move & 1)))
    return found


# -- random patterns ------------------------------------------------------------------------------------------

_OF_KINDS: dict[tuple[str, ...], list[str]] = {}
for _name, _declared in small_facts().items():
    _OF_KINDS.setdefault(_declared.kinds, []).append(_name)
# the facts added here, which patterns use most, are listed twice, so that they are drawn more often
_ABOUT_CHAINS = [*_OF_KINDS["chain",], "liberties"]
_ABOUT_POINTS = [*_OF_KINDS["point",], "captures", "own_liberties"]


def random_pattern(seed: Random, largest: int = 3, facts: bool = True) -> KnownPattern:
    """Return a small pattern: a diagram, sometimes with edges, labels, up to two conditions, and points."""
    height, width = seed.randint(1, largest), seed.randint(1, largest)
    cells = [[seed.choice("XO.xo?????") for _ in range(width)] for _ in range(height)]
    passes = seed.random() < 0.08
    row, column = seed.randrange(height), seed.randrange(width)
    if not passes:
        cells[row][column] = "*"
    letters = [["."] * width for _ in range(height)]
    named = []
    for r, c in product(range(height), range(width)):
        if facts and cells[r][c] in "XO" and len(named) < 2:
            letters[r][c] = "AB"[len(named)]
            named.append(letters[r][c])
    rows, labels = _framed(cells, letters, seed)
    when = [_condition(seed, named, passes) for _ in range(seed.choice((0, 1, 1, 2)))] if facts else []
    points = seed.choice(("0", "5", _fact(seed, named, passes))) if facts else "0"
    return known(rows, labels, when, points, passes)


def _framed(cells: list, letters: list, seed: Random) -> tuple[list[str], list[str]]:
    rows, labels = ["".join(row) for row in cells], ["".join(row) for row in letters]
    top, left = seed.random() < 0.25, seed.random() < 0.25
    if left:
        rows, labels = ["|" + row for row in rows], ["." + row for row in labels]
    if top:
        width = len(rows[0]) - left
        rows = ["+" * left + "-" * width, *rows]
        labels = ["." * len(rows[0]), *labels]
    return rows, labels


def _fact(seed: Random, named: list[str], passes: bool) -> str:
    kind = seed.random()
    if named and (kind < 0.45 or passes):
        if len(named) == 2 and seed.random() < 0.15:
            return f"~A ~B {seed.choice(_OF_KINDS['chain', 'chain'])}"
        return f"~{seed.choice(named)} {seed.choice(_ABOUT_CHAINS)}"
    if kind < 0.85 and not passes:
        return f"@* {seed.choice(_ABOUT_POINTS)}"
    return seed.choice(_OF_KINDS[()])


def _condition(seed: Random, named: list[str], passes: bool) -> str:
    asked = _fact(seed, named, passes)
    kind = seed.random()
    if kind < 0.15:
        return f"{asked} {seed.choice(('not', 'neg'))}"
    if kind < 0.25:
        return f"{asked} {_fact(seed, named, passes)} {seed.choice(('<', '<=', '==', '!=', '-'))}"
    compared = f"{asked} {seed.choice((0, 1, 1, 2, 2, 3))} {seed.choice(('<', '<=', '==', '==', '!=', '>=', '>'))}"
    if kind < 0.35:
        return f"{compared} {_fact(seed, named, passes)} {seed.choice(('and', 'or'))}"
    return compared


def relaxed(pattern: KnownPattern, seed: Random) -> KnownPattern:
    """Return a slightly weaker pattern, which often fires wherever the given pattern fires."""
    rows, when = list(pattern.rows), list(pattern.when)
    if when and seed.random() < 0.5:
        when.pop(seed.randrange(len(when)))
    else:
        labelled = {(r, c) for r, row in enumerate(pattern.label_rows) for c, letter in enumerate(row) if letter != "."}
        places = [
            (r, c)
            for r, row in enumerate(rows)
            for c, cell in enumerate(row)
            if cell in "XO.xo" and (r, c) not in labelled
        ]
        if places:
            r, c = seed.choice(places)
            looser = {"X": "x?", "O": "o?", ".": "xo?", "x": "?", "o": "?"}[rows[r][c]]
            rows[r] = rows[r][:c] + seed.choice(looser) + rows[r][c + 1 :]
    return known(rows, pattern.label_rows, when, pattern.points, pattern.passes)


def known(rows, label_rows=(), when=(), points="0", passes=False) -> KnownPattern:
    """Return a KnownPattern with only the parts that determine where the pattern fires."""
    return KnownPattern(
        id="some",
        kind="shape",
        summary="Some pattern.",
        priority=0,
        rows=list(rows),
        label_rows=list(label_rows),
        points=points,
        when=list(when),
        specificity=1,
        passes=passes,
        sacrifice=False,
        risk=False,
        forbid=False,
        rare="",
        doubt="",
        tags=[],
        points_text=points,
        when_text=list(when),
        examples=[],
        line=1,
        column=1,
    )
