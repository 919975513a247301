"""The vocabulary of facts by board size: facts for large boards only, and facts for all boards.

The facts of rules/facts are available on every board. A LargeFact is useful, or is worth its computing time, only on
large boards. LargeFacts are declared in littlego.engines.large.facts, and are registered when that module is imported.
Code that handles only small boards, such as the compiled engine or proofs about patterns, uses `small_facts`, which
ignores LargeFacts. All engines except rules/ run the functions of rules/facts with their own primitives: see
`source_with`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from littlego.games.sizes import LARGE_SIZES
from littlego.rules import facts
from littlego.rules.facts import FACTS, Fact

if TYPE_CHECKING:
    from littlego.engines.large.state import LargeState
    from littlego.rules.facts import Answers

    AnyFact = TypeVar("AnyFact", bound=Callable[..., int])
Made = TypeVar("Made")


class LargeFact(Fact):
    """A fact for the board sizes from `sizes[0]` to `sizes[1]`, whose function takes a LargeState."""

    __slots__ = ("sizes",)

    def __init__(
        self,
        function: Callable[..., int],
        kinds: tuple[str, ...],
        cost: int,
        answers: Answers,
        after_the_move: bool,
        mirror: Callable[..., int] | str | None,
        sizes: tuple[int, int],
    ) -> None:
        super().__init__(function, kinds, cost, answers, after_the_move, mirror)
        self.sizes = sizes


def large_fact(
    *kinds: str,
    cost: int,
    answers: Answers = None,
    after_the_move: bool = False,
    mirror: Callable[..., int] | str | None = None,
    sizes: tuple[int, int] = LARGE_SIZES[:2],
) -> Callable[[AnyFact], AnyFact]:
    """Return a decorator that declares a function as a fact for large boards: see LargeFact."""

    def declared(function: AnyFact) -> AnyFact:
        FACTS[function.__name__] = LargeFact(function, kinds, cost, answers, after_the_move, mirror, sizes)
        return function

    return declared


def small_facts() -> dict[str, Fact]:
    """Return {name: fact} for the facts that are available on every board size.

    The facts are in the order of their definitions.
    """
    return {name: fact for name, fact in FACTS.items() if fact.function.__module__ == facts.__name__}


def serves(name: str, size: int) -> bool:
    """Return whether a fact is available on boards of this size."""
    fact = FACTS[name]
    return not isinstance(fact, LargeFact) or fact.sizes[0] <= size <= fact.sizes[1]


def sizes_text(name: str) -> str:
    """Return a fact's range of board sizes as text, such as `7 to 19`, or '' for a fact for all sizes."""
    fact = FACTS[name]
    return f"{fact.sizes[0]} to {fact.sizes[1]}" if isinstance(fact, LargeFact) else ""


def once_a_position(make: Callable[[LargeState], Made]) -> Callable[[LargeState], Made]:
    """Return a function that caches the result of `make` in the state. The result must depend only on the position."""
    name = f"{make.__module__}.{make.__name__}"

    @wraps(make)
    def known(state: LargeState) -> Made:
        found: Made | None = state.kept.get(name)
        if found is None:
            found = state.kept[name] = make(state)
        return found

    return known


def source_with(module: ModuleType, replaced: dict[str, Any], by: Callable[..., Any] | None = None) -> dict[str, Any]:
    """Return a copy of a module's namespace in which the functions use the replacements.

    replaced: {name: replacement}. by: a function that transforms each function, for example a compiler. Until the first
    call of a function, the caller may replace more names in the returned dict.
    """
    names = dict(vars(module))
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            function = FunctionType(value.__code__, names, name, value.__defaults__)
            names[name] = by(function) if by else function
    names.update(replaced)
    return names
