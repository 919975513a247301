"""Where patterns apply: a drawn shape becomes placements, a board picks those that match, conditions decide.

A placement is three ints: `care` and `value`, compared with the board word `own | theirs << size*size`
(`word & care == value` is a match), and `cells`, which packs what the match means: the symmetry (3 bits),
then, each in as many bits as a point needs, the shape's top-left point on the board, the move and the
labelled points in the reading order of the drawn diagram. A field of all ones is a pass, or no point.
"""

from rules.geometry import SYMMETRIES, points_of, turned
from rules.position import chains
from rules.vocabulary import AFTER_THE_MOVE, FACTS

PACKED = 24  # bytes of a packed placement: three little-endian words of 64 bits
_EDGE = "-|+"

FUNCTIONS = {name: (function, len(kinds)) for name, function, kinds, _, _ in FACTS}


class Shape:
    """A drawn diagram: cells as (row, column, symbol), labels as (row, column, letter), the box's height and
    width, and which board edges (top, bottom, left, right) the box must touch."""

    __slots__ = ("cells", "labels", "height", "width", "edges")

    def __init__(self, cells, labels, height, width, edges):
        self.cells = cells
        self.labels = labels
        self.height = height
        self.width = width
        self.edges = edges


def parse_shape(rows, label_rows=()):
    """Return the Shape of a diagram's rows (symbols without spaces) and of its label rows, drawn alike."""
    edges = (
        bool(rows) and set(rows[0]) <= set("-+"),
        len(rows) > 1 and set(rows[-1]) <= set("-+"),
        bool(rows) and all(row[0] in "|+" for row in rows),
        bool(rows) and len(rows[0]) > 1 and all(row[-1] in "|+" for row in rows),
    )
    top, bottom, left, right = edges

    def inner(drawn):
        kept = drawn[top : len(drawn) - bottom]
        return [row[left : len(row) - right] for row in kept]

    rows = inner(rows)
    cells = [(r, c, symbol) for r, row in enumerate(rows) for c, symbol in enumerate(row)]
    letters = [
        (r, c, letter) for r, row in enumerate(inner(label_rows)) for c, letter in enumerate(row)
        if "A" <= letter <= "Z" and letter not in "XO"
    ]
    return Shape(cells, letters, len(rows), len(rows[0]) if rows else 0, edges)


def point_bits(size):
    """Return the bits that one point takes in `cells`; a field of all ones means no point."""
    return (size * size).bit_length()


def placements(shape, size):
    """Return every (care, value, cells) of the shape on a size x size board, each different one once.

    A shape without cells applies everywhere: its one placement matches any board.
    """
    found = {}
    for symmetry in range(SYMMETRIES):
        height, width = (shape.width, shape.height) if symmetry & 4 else (shape.height, shape.width)
        top, bottom, left, right = _turned_edges(shape.edges, symmetry)
        for row in range(size - height + 1):
            if (top and row) or (bottom and row + height != size):
                continue
            for column in range(size - width + 1):
                if (left and column) or (right and column + width != size):
                    continue
                placed = _place(shape, symmetry, row, column, size)
                found.setdefault(placed[:3], placed[3])
        if not shape.cells:
            break
    return [(care, value, cells) for (care, value, _), cells in found.items()]


def _turned_edges(edges, symmetry):
    top, bottom, left, right = edges
    if symmetry & 4:
        top, bottom, left, right = left, right, top, bottom
    if symmetry & 1:
        left, right = right, left
    if symmetry & 2:
        top, bottom = bottom, top
    return top, bottom, left, right


def _place(shape, symmetry, row, column, size):
    """Return (care, value, named points, cells) of one image of the shape with its corner at (row, column)."""
    area, bits = size * size, point_bits(size)
    care = value = 0
    move = (1 << bits) - 1

    def image(r, c):
        r, c = turned(symmetry, r, c, shape.height, shape.width)
        return size * (row + r) + column + c

    for r, c, symbol in shape.cells:
        point = image(r, c)
        own, theirs = 1 << point, 1 << area + point
        if symbol == "X":
            care, value = care | own, value | own
        elif symbol == "O":
            care, value = care | theirs, value | theirs
        elif symbol == "x":
            care |= theirs
        elif symbol == "o":
            care |= own
        elif symbol in ".*":
            care |= own | theirs
        if symbol == "*":
            move = point
    points = [move] + [image(r, c) for r, c, _ in shape.labels]
    cells = symmetry
    for index, point in enumerate([size * row + column] + points):
        cells |= point << 3 + bits * index
    return care, value, tuple(points), cells


def pack_placements(placed):
    """Return placements of a board up to 5x5 as bytes, PACKED for each."""
    return b"".join(word.to_bytes(8, "little") for placement in placed for word in placement)


def move_of(cells, bits):
    """Return the move's point in a placement's cells, or -1 for a pass."""
    point = cells >> 3 + bits & (1 << bits) - 1
    return -1 if point == (1 << bits) - 1 else point


def parse_program(text, letters, bits):
    """Return the steps of a postfix program, as `run` follows them.

    letters: the pattern's label letters in the order of the labelled points; bits: see point_bits. A call takes
    its labels with it, as the shifts that find them in `cells`. Raise ValueError or KeyError for a bad token.
    """
    steps, arguments = [], []
    for token in text.split():
        if token[0] in "@~":
            slots = [1] if token == "@*" else [k + 2 for k, letter in enumerate(letters) if letter == token[1:]]
            if not slots:
                raise KeyError("label " + token)
            arguments.append((token[0] == "~", tuple(3 + bits * slot for slot in slots)))
        elif token in FUNCTIONS:
            function, arity = FUNCTIONS[token]
            if arity != len(arguments):
                raise ValueError("%s takes %d labels, found %d" % (token, arity, len(arguments)))
            steps.append((CALL, (function, token in AFTER_THE_MOVE, tuple(arguments))))
            arguments = []
        elif token in OPERATORS:
            steps.append((OPERATE, OPERATORS[token]))
        elif token in ("not", "neg"):
            steps.append((NOT if token == "not" else NEGATE, None))
        else:
            steps.append((PUSH, int(token)))
    return steps


PUSH, CALL, OPERATE, NOT, NEGATE = range(5)
OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "and": lambda a, b: a != 0 and b != 0,
    "or": lambda a, b: a != 0 or b != 0,
}


class Reading:
    """A state being asked about: the chain and the mask at each point, and the answers already found."""

    __slots__ = ("state", "nowhere", "move_shift", "chain_at", "point_at", "answers")

    def __init__(self, state, bits):
        self.state = state
        self.nowhere = (1 << bits) - 1
        self.move_shift = 3 + bits
        self.answers = {}
        full = state[-1][1]
        self.point_at = [1 << point & full for point in range(1 << bits)]
        self.chain_at = [0] * (1 << bits)
        for stones in state[:2]:
            for chain in chains(stones, state[-1]):
                for point in points_of(chain):
                    self.chain_at[point] = chain


def run(steps, reading, cells):
    """Return the value of a program, an int, for the placement that `cells` describes."""
    stack = []
    for kind, value in steps:
        if kind == CALL:
            stack.append(_answer(reading, value, cells))
        elif kind == PUSH:
            stack.append(value)
        elif kind == OPERATE:
            second = stack.pop()
            stack[-1] = int(value(stack[-1], second))
        elif kind == NOT:
            stack[-1] = int(stack[-1] == 0)
        else:
            stack[-1] = -stack[-1]
    return stack[-1]


def _answer(reading, call, cells):
    """Return what a fact says of the labelled points or chains, asking it only once."""
    function, after_the_move, arguments = call
    nowhere = reading.nowhere
    key = [function]
    for is_chain, shifts in arguments:
        mask = 0
        for shift in shifts:
            point = cells >> shift & nowhere
            mask |= reading.chain_at[point] if is_chain else reading.point_at[point]
        key.append(mask)
    move = reading.point_at[cells >> reading.move_shift & nowhere] if after_the_move else 0
    key = (move, *key)
    answer = reading.answers.get(key)
    if answer is None:
        answer = reading.answers[key] = function(reading.state, move, *key[2:])
    return answer
