"""Postfix programs as their authors write them: back to text, and the calls of facts in them."""

from __future__ import annotations

from collections.abc import Iterator

from rules.programs import FUNCTIONS, OPERATORS
from tools.knowledge.expressions import COMPARISONS

_OR, _AND, _NOT, _COMPARED, _SUM, _PRODUCT, _SIGNED, _ATOM = range(8)  # how tightly each rule of the grammar binds
_BINDING = {"or": _OR, "and": _AND, "+": _SUM, "-": _SUM, "*": _PRODUCT, **dict.fromkeys(COMPARISONS, _COMPARED)}


def infix(program: str) -> str:
    """Return a postfix program in the notation of `when` and `points`, with no parenthesis that is not needed."""
    return _terms(program)[0]


def calls(program: str) -> list[tuple[str, str]]:
    """Return (text, program) of each different call of a fact in a postfix program, as `size(A)` and `~A size`."""
    return list(dict.fromkeys((_call(words), " ".join(words)) for words in _words_of_calls(program)))


def _words_of_calls(program: str) -> Iterator[list[str]]:
    arguments: list[str] = []
    for token in program.split():
        if token[0] in "~@":
            arguments.append(token)
        elif token in FUNCTIONS:
            yield [*arguments, token]
            arguments = []


def _call(words: list[str]) -> str:
    *arguments, name = words
    return f"{name}({', '.join(argument[1:] for argument in arguments)})" if arguments else name


def _terms(program: str) -> tuple[str, int]:
    """Return (text, how tightly it binds) of a program."""
    stack: list[tuple[str, int]] = []
    found = _words_of_calls(program)
    for token in program.split():
        if token in FUNCTIONS:
            stack.append((_call(next(found)), _ATOM))
        elif token in OPERATORS:
            right, left = stack.pop(), stack.pop()
            stack.append((_joined(token, left, right), _BINDING[token]))
        elif token == "not":
            stack.append((f"not {_held(stack.pop(), _NOT)}", _NOT))
        elif token == "neg":
            stack.append((f"-{_held(stack.pop(), _SIGNED)}", _SIGNED))
        elif token[0] not in "~@":
            stack.append((token, _SIGNED if token[0] == "-" else _ATOM))
    return stack[-1]


def _joined(operator: str, left: tuple[str, int], right: tuple[str, int]) -> str:
    binding = _BINDING[operator]
    least = binding + (binding == _COMPARED)  # comparisons do not chain, all others join from the left
    return f"{_held(left, least)} {operator} {_held(right, binding + 1)}"


def _held(term: tuple[str, int], least: int) -> str:
    """Return a term's text, in parentheses if it binds less tightly than its place asks for."""
    text, binding = term
    return text if binding >= least else f"({text})"
