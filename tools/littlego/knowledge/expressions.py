"""The parser that turns the expressions of `when` and `points` into trees.

The grammar of expressions, with the start rule `or`:

    or:         and {"or" and}
    and:        not {"and" not}
    not:        "not" not | comparison
    comparison: sum [("<" | "<=" | "==" | "!=" | ">=" | ">") sum]
    sum:        product {("+" | "-") product}
    product:    unary {"*" unary}
    unary:      "-" unary | primary
    primary:    integer | "(" or ")" | fact ["(" [argument {"," argument}] ")"]
    argument:   a label's letter | "*" (the move)

Between two operands, `*` multiplies. As an argument, `*` is the move.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from littlego.knowledge.problems import quoted

COMPARISONS = ("<", "<=", "==", "!=", ">=", ">")
LARGEST_INTEGER = 1_000_000
DEEPEST = 50  # maximum number of operators, pairs of parentheses and arguments in total
LONGEST = 10_000  # maximum number of characters, far more than DEEPEST operators need
_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9][0-9A-Za-z_.]*)|(?P<name>[A-Za-z_]\w*)|(?P<sign><=|==|!=|>=|[-+*<>(),]))")
_STRAY = re.compile(r"\s*(<=|==|!=|>=|=<|=>|<>|&&|\|\||\*\*|//|\S)")
_INSTEAD = {
    "=": "write `==` to compare",
    "=<": "write `<=`",
    "=>": "write `>=`",
    "<>": "write `!=`",
    "!": "write `not`",
    "&": "write `and`",
    "&&": "write `and`",
    "|": "write `or`",
    "||": "write `or`",
    "/": "there is no division: multiply the other side of the comparison instead",
    "//": "there is no division: multiply the other side of the comparison instead",
    "%": "there is no remainder",
    "**": "there is no power: write a * a",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "×": "write `*`",
    "−": "write `-`",
    "–": "write `-`",
}


class ExpressionError(Exception):
    """A mistake in an expression. at: the mistake's zero-based text index. See Problem for the other fields."""

    def __init__(self, at: int, code: str, message: str, expected: str = "", hint: str = ""):
        super().__init__(message)
        self.at = at
        self.code = code
        self.message = message
        self.expected = expected
        self.hint = hint


@dataclass(frozen=True)
class Piece:
    """A part of an expression. at: the part's zero-based text index; for an operation, the operator's index."""

    at: int


@dataclass(frozen=True)
class Number(Piece):
    value: int


@dataclass(frozen=True)
class Argument(Piece):
    """A label's letter, or `*`."""

    name: str


@dataclass(frozen=True)
class Call(Piece):
    name: str
    arguments: tuple[Node, ...]  # only Arguments, once the expression is checked


@dataclass(frozen=True)
class Operation(Piece):
    operator: str  # "not" and "neg" have one operand, all others two
    operands: tuple[Node, ...]


Node = Number | Argument | Call | Operation


def start(node: Node) -> int:
    """Return the text index of a tree's first token other than a parenthesis."""
    return min(node.at, start(node.operands[0])) if isinstance(node, Operation) else node.at


@dataclass(frozen=True)
class Token(Piece):
    kind: str  # number, name, sign or end
    text: str


def tokens(text: str) -> list[Token]:
    """Return the tokens of an expression; the last token marks the end.

    Raise ExpressionError for an unexpected character or a text that is too long.
    """
    if len(text) > LONGEST:
        hint = "split it at `and` into items of `when`"
        message = f"an expression of {len(text):,} characters"
        raise ExpressionError(LONGEST, "P044", message, f"at most {LONGEST:,}", hint)
    split: list[Token] = []
    at = 0
    while stray := _STRAY.match(text, at):
        match = _TOKEN.match(text, at)
        if not match or stray[1] in _INSTEAD and stray[1] != match[0].strip():
            message, hint = f"unexpected {quoted(stray[1])}", _INSTEAD.get(stray[1], "")
            raise ExpressionError(stray.start(1), "P041", message, "a fact, a number or an operator", hint)
        kind = str(match.lastgroup)
        split.append(Token(match.start(kind), kind, match[kind]))
        at = match.end()
    return [*split, Token(len(text.rstrip()), "end", "the end")]


def parse(text: str) -> Node:
    """Return the tree of an expression. Raise ExpressionError for the first mistake."""
    return _Parser(tokens(text)).whole()


def _name_token(token: Token) -> str:
    return token.text if token.kind == "end" else quoted(token.text)


@dataclass
class _Parser:
    """A recursive descent parser with a method for each grammar rule except `argument`."""

    tokens: list[Token]
    next: int = 0
    depth: int = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.next]

    def take(self, *texts: str) -> Token | None:
        """Consume and return the next token if its text is one of the given texts, else return None."""
        token = self.token
        return self.step() if token.kind != "end" and token.text in texts else None

    def step(self) -> Token:
        """Consume the next token and return it."""
        self.next += 1
        return self.tokens[self.next - 1]

    def whole(self) -> Node:
        node = self.either()
        if self.token.kind != "end":
            self.stop("an operator or the end")
        return node

    def stop(self, expected: str) -> NoReturn:
        """Raise an ExpressionError about the next token. expected: a description of the valid tokens."""
        token = self.token
        if token.text in COMPARISONS:
            raise ExpressionError(
                token.at,
                "P042",
                "a second comparison: comparisons do not chain",
                "one at a time",
                "join two with `and`, as in `1 <= size(A) and size(A) <= 3`",
            )
        if token.text == ")" and expected.endswith("end"):
            raise ExpressionError(token.at, "P041", "`)` without its `(`", expected, "remove it")
        raise ExpressionError(token.at, "P041", f"unexpected {_name_token(token)}", expected)

    def either(self) -> Node:
        return self.chain(("or",), self.both)

    def both(self) -> Node:
        return self.chain(("and",), self.negation)

    def chain(self, operators: tuple[str, ...], operand: Callable[[], Node]) -> Node:
        node = operand()
        while operator := self.take(*operators):
            node = Operation(operator.at, operator.text, (node, operand()))
            self.deepen(operator)
        return node

    def deepen(self, token: Token) -> None:
        """Count an operator, a parenthesis pair or an argument.

        Raise ExpressionError if the count exceeds DEEPEST. token: the token at which the error is reported.
        """
        self.depth += 1
        if self.depth > DEEPEST:
            raise ExpressionError(
                token.at,
                "P044",
                "the expression is too long",
                f"at most {DEEPEST} operators, arguments and pairs of parentheses",
                "split it at `and` into items of `when`",
            )

    def negation(self) -> Node:
        if operator := self.take("not"):
            self.deepen(operator)
            return Operation(operator.at, "not", (self.negation(),))
        return self.comparison()

    def comparison(self) -> Node:
        left = self.sum()
        if operator := self.take(*COMPARISONS):
            self.deepen(operator)
            return Operation(operator.at, operator.text, (left, self.sum()))
        return left

    def sum(self) -> Node:
        return self.chain(("+", "-"), self.product)

    def product(self) -> Node:
        return self.chain(("*",), self.unary)

    def unary(self) -> Node:
        if operator := self.take("-"):
            self.deepen(operator)
            return Operation(operator.at, "neg", (self.unary(),))
        return self.primary()

    def primary(self) -> Node:
        token = self.token
        if token.kind == "number":
            return self.number()
        if self.take("("):
            self.deepen(token)
            node = self.either()
            self.close("`)`")
            return node
        if token.kind == "name" and token.text not in ("and", "or", "not"):
            return self.label_or_fact()
        if self.take("*"):
            return Argument(token.at, "*")
        raise ExpressionError(token.at, "P041", f"unexpected {_name_token(token)}", "a number, a fact or `(`")

    def number(self) -> Node:
        token = self.step()
        if not token.text.isdigit() or len(token.text) > 9 or int(token.text) > LARGEST_INTEGER:
            message = f"the number {quoted(token.text)}"
            raise ExpressionError(token.at, "P043", message, f"a whole number up to {LARGEST_INTEGER}")
        return Number(token.at, int(token.text))

    def label_or_fact(self) -> Node:
        token = self.step()
        if not self.take("("):
            is_letter = len(token.text) == 1 and token.text.isupper()
            return Argument(token.at, token.text) if is_letter else Call(token.at, token.text, ())
        arguments: list[Node] = []
        if self.take(")"):
            return Call(token.at, token.text, ())
        while not arguments or self.take(","):
            self.deepen(token)
            arguments.append(self.either())
        self.close("`,` or `)`")
        return Call(token.at, token.text, tuple(arguments))

    def close(self, wanted: str) -> None:
        if not self.take(")"):
            self.stop(wanted)
