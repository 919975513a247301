"""Translation of checked expressions to the postfix programs of patterns.txt, and back.

The declaration of a fact says whether each argument is a chain or a point. A chain argument must be a label on a symbol
that may be a stone. A point argument must be a label or `*`. Constants are folded, so that the player does not compute
`2 * 50` at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import littlego.engines.large.facts  # noqa: F401, declares the facts for large boards
from littlego.engines.large.vocabulary import serves, sizes_text
from littlego.knowledge.expressions import (
    COMPARISONS,
    LARGEST_INTEGER,
    Argument,
    Call,
    ExpressionError,
    Node,
    Number,
    Operation,
    start,
)
from littlego.knowledge.problems import did_you_mean, plural, quoted
from littlego.rules.facts import FACTS
from littlego.rules.programs import OPERATORS
from littlego.rules.ruleset import LITTLE_GO

KINDS = {name: fact.kinds for name, fact in FACTS.items()}
COSTS = {name: fact.cost for name, fact in FACTS.items()}
_POINT_SYMBOLS = ".*"  # symbols of points that never have a stone
_PREFIX = {"chain": "~", "point": "@"}
_CALCULATE: dict[str, Callable[..., int]] = {**OPERATORS, "neg": lambda a: -a, "not": lambda a: int(a == 0)}

_NEUTRAL = {"+": 0, "-": 0, "*": 1}  # right operands that change nothing

Symbols = dict[str, list[str]]  # a label's letter -> the diagram's symbols in its cells
_OR, _AND, _NOT, _COMPARED, _SUM, _PRODUCT, _SIGNED, _ATOM = range(8)  # binding strengths of the grammar's rules
_BINDING = {"or": _OR, "and": _AND, "+": _SUM, "-": _SUM, "*": _PRODUCT, **dict.fromkeys(COMPARISONS, _COMPARED)}


def facts_for(size: int) -> list[str]:
    """Return the names of the facts that are defined on boards of the given size."""
    return [name for name in FACTS if serves(name, size)]


def mistakes(
    node: Node, symbols: Symbols | None, passes: bool = False, size: int = LITTLE_GO.size
) -> Iterator[ExpressionError]:
    """Yield the mistakes in an expression's fact names and arguments.

    symbols: the diagram's symbols in the cells of each label, or None if the labels have mistakes. passes: whether the
    move is a pass; if so, `*` does not name a point. size: the board size.
    """
    if isinstance(node, Argument):
        named = "`*`, the move," if node.name == "*" else f"the label `{node.name}`"
        yield ExpressionError(node.at, "P048", f"{named} is not a number", "a fact, such as `line(*)` or `size(A)`")
    elif isinstance(node, Operation):
        for operand in node.operands:
            yield from mistakes(operand, symbols, passes, size)
    elif isinstance(node, Call):
        yield from _mistakes_of_call(node, symbols, passes, size)


def _mistakes_of_call(call: Call, symbols: Symbols | None, passes: bool, size: int) -> Iterator[ExpressionError]:
    kinds = KINDS.get(call.name)
    if kinds is None:
        yield ExpressionError(
            call.at,
            "P045",
            f"unknown fact {quoted(call.name)}",
            "a fact's name",
            did_you_mean(call.name, facts_for(size)) or "`littlego facts` lists all facts",
        )
        return
    if not serves(call.name, size):
        yield ExpressionError(
            call.at,
            "P054",
            f"the fact `{call.name}` is for boards of {sizes_text(call.name)}",
            f"a fact for boards of {size}",
            "`littlego facts` lists all facts",
        )
        return
    if len(call.arguments) != len(kinds):
        message = f"`{call.name}` with {plural(len(call.arguments), 'argument')}"
        expected = plural(len(kinds), "argument")
        yield ExpressionError(call.at, "P046", message, expected, f"write {usage(call.name)}")
    for argument, kind in zip(call.arguments, kinds, strict=False):
        if not isinstance(argument, Argument):
            yield ExpressionError(
                argument.at, "P047", f"a number as argument of `{call.name}`", f"the label of a {kind}"
            )
        else:
            yield from _mistakes_of_argument(call.name, argument, kind, symbols, passes)


def _mistakes_of_argument(
    fact: str, argument: Argument, kind: str, symbols: Symbols | None, passes: bool
) -> Iterator[ExpressionError]:
    name, at = argument.name, argument.at
    if name == "*":
        if kind == "chain":
            yield ExpressionError(
                at,
                "P050",
                f"`*` as argument of `{fact}`",
                "the label of a chain",
                "label a stone of the chain; `*` is the point of the move, which holds no stone yet",
            )
        elif passes:
            yield ExpressionError(at, "P052", "`*` in a pattern whose move is a pass", "the label of a point")
    elif name in "XO":
        yield ExpressionError(at, "P032", f"`{name}` as a label", "another capital letter", "X and O are always stones")
    elif symbols is not None:
        drawn = symbols.get(name)
        if drawn is None:
            known = ", ".join(sorted(symbols)) or "none: add `labels: |` beside the diagram"
            yield ExpressionError(at, "P049", f"unknown label {quoted(name)}", f"one of the pattern's labels ({known})")
        elif kind == "chain" and drawn[0] in _POINT_SYMBOLS:
            message = f"`{fact}` asks about a chain, but the label `{name}` stands on the empty point `{drawn[0]}`"
            yield ExpressionError(at, "P050", message, "a label on X, O, x, o or ?")
        elif kind == "point" and len(drawn) > 1:
            message = f"`{fact}` asks about one point, but the label `{name}` stands on {len(drawn)} points"
            yield ExpressionError(at, "P051", message, "a letter on a single point")


def usage(fact: str) -> str:
    """Return a sample call of a fact, such as `shared_liberties(A, B)` or `captures(P)`."""
    letters = iter("AB")
    arguments = ["P" if kind == "point" else next(letters) for kind in KINDS[fact]]
    return f"{fact}({', '.join(arguments)})" if arguments else fact


def fold(node: Node) -> Node:
    """Return the tree with every constant subtree replaced by its value.

    Raise ExpressionError if the absolute value of a result exceeds LARGEST_INTEGER.
    """
    if not isinstance(node, Operation):
        return node
    operands = tuple(fold(operand) for operand in node.operands)
    numbers = [operand.value for operand in operands if isinstance(operand, Number)]
    if len(numbers) < len(operands):
        return Operation(node.at, node.operator, operands)
    at, value = start(node), int(_CALCULATE[node.operator](*numbers))
    if abs(value) > LARGEST_INTEGER:
        raise ExpressionError(at, "P043", f"a number with {len(str(abs(value)))} digits", f"at most {LARGEST_INTEGER}")
    return Number(at, value)


def conjuncts(node: Node) -> Iterator[Node]:
    """Split a condition at its top-level `and` operators and yield the parts."""
    if isinstance(node, Operation) and node.operator == "and":
        for operand in node.operands:
            yield from conjuncts(operand)
    else:
        yield node


def cost(node: Node) -> int:
    """Return an expression's evaluation cost in microseconds: the sum of the declared costs of its facts."""
    if isinstance(node, Operation):
        return sum(map(cost, node.operands))
    return COSTS[node.name] if isinstance(node, Call) else 0


def postfix(node: Node) -> str:
    """Return an expression's tree as a postfix program: tokens separated by single spaces.

    The expression must not have mistakes (see `mistakes`).
    """
    return " ".join(_steps(node))


def _steps(node: Node) -> Iterator[str]:
    if isinstance(node, Number):
        yield str(node.value)
    elif isinstance(node, Operation):
        for operand in node.operands:
            yield from _steps(operand)
        yield node.operator
    elif isinstance(node, Call):
        for argument, kind in zip(node.arguments, KINDS[node.name], strict=True):
            assert isinstance(argument, Argument), "a checked call"
            yield _PREFIX[kind] + argument.name
        yield node.name


def infix(program: str) -> str:
    """Return a postfix program in the notation of `when` and `points`, with the fewest parentheses."""
    stack: list[tuple[str, int]] = []  # texts with their binding strengths
    words_of_calls = _words_of_calls(program)
    for token in program.split():
        if token in FACTS:
            stack.append((_call(next(words_of_calls)), _ATOM))
        elif token in OPERATORS:
            right, left = stack.pop(), stack.pop()
            stack.append((_join(token, left, right), _BINDING[token]))
        elif token == "not":
            stack.append((f"not {_bracket(stack.pop(), _NOT)}", _NOT))
        elif token == "neg":
            stack.append((f"-{_bracket(stack.pop(), _SIGNED)}", _SIGNED))
        elif token[0] not in "~@":
            stack.append((token, _SIGNED if token[0] == "-" else _ATOM))
    return stack[-1][0]


def worked_out(program: str, known: Mapping[str, int]) -> str:
    """Return a postfix program, simplified with known values of facts. known: {fact: value}.

    For example, the program of `15 + 4 * (moves_left <= 12)` becomes `15` if `moves_left` is 17.
    """
    stack: list[list[str]] = []
    arguments: list[str] = []
    for token in program.split():
        if token[0] in "~@":
            arguments.append(token)
        elif token in _CALCULATE:
            right = stack.pop()
            stack.append(_applied(token, [right] if token in ("neg", "not") else [stack.pop(), right]))
        else:
            stack.append([str(known[token])] if token in known else [*arguments, token])
            arguments = []
    return " ".join(stack[-1])


def _applied(token: str, operands: list[list[str]]) -> list[str]:
    """Return the tokens of an operation's postfix program, simplified if an operand is a number."""
    numbers = [int(operand[0]) if len(operand) == 1 and is_number(operand[0]) else None for operand in operands]
    known = [number for number in numbers if number is not None]
    if len(known) == len(operands):
        return [str(int(_CALCULATE[token](*known)))]
    if token == "*" and 0 in known:
        return ["0"]
    if token in _NEUTRAL and numbers[1] == _NEUTRAL[token]:
        return operands[0]
    if token in ("+", "*") and numbers[0] == _NEUTRAL[token]:
        return operands[1]
    return [*(word for operand in operands for word in operand), token]


def is_number(program: str) -> bool:
    """Return whether a text, either a postfix program or an expression, is a single integer."""
    return program.lstrip("-").isdigit()


def calls(program: str) -> list[tuple[str, str]]:
    """Return (text, program) for each distinct call in a postfix program, such as (`size(A)`, `~A size`)."""
    return list(dict.fromkeys((_call(words), " ".join(words)) for words in _words_of_calls(program)))


def _words_of_calls(program: str) -> Iterator[list[str]]:
    arguments: list[str] = []
    for token in program.split():
        if token[0] in "~@":
            arguments.append(token)
        elif token in FACTS:
            yield [*arguments, token]
            arguments = []


def _call(words: list[str]) -> str:
    *arguments, name = words
    return f"{name}({', '.join(argument[1:] for argument in arguments)})" if arguments else name


def _join(operator: str, left: tuple[str, int], right: tuple[str, int]) -> str:
    binding = _BINDING[operator]
    least = binding + (binding == _COMPARED)  # comparisons do not chain; all other operators are left-associative
    return f"{_bracket(left, least)} {operator} {_bracket(right, binding + 1)}"


def _bracket(term: tuple[str, int], least: int) -> str:
    """Return the text of a term, in parentheses if the term's binding strength is below `least`."""
    text, binding = term
    return text if binding >= least else f"({text})"
