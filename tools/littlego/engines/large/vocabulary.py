"""Facts by the size of board: how one for large boards is declared, and which ones are for every board.

The facts of rules/facts hold on any board. A LargeFact asks what has a meaning, or pays, on a large board only: it is
declared in tools/littlego/engines/large/facts and known to whoever imports that. What is made for small boards alone,
as the engine that numba compiles or the proofs about patterns, takes `small_facts`, whatever else was imported before.
Every engine runs the source of rules/facts, with primitives of its own: see `source_with`.
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
    """A fact for boards of `sizes`, from and to: see rules.facts.Fact. Its function takes a LargeState."""

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
    """Declare a function to be a fact for large boards: see LargeFact."""

    def declared(function: AnyFact) -> AnyFact:
        FACTS[function.__name__] = LargeFact(function, kinds, cost, answers, after_the_move, mirror, sizes)
        return function

    return declared


def small_facts() -> dict[str, Fact]:
    """Return the facts that are for every board, by name, in the order of their numbers."""
    return {name: fact for name, fact in FACTS.items() if fact.function.__module__ == facts.__name__}


def serves(name: str, size: int) -> bool:
    """Return whether a fact may be asked on boards of this size."""
    fact = FACTS[name]
    return not isinstance(fact, LargeFact) or fact.sizes[0] <= size <= fact.sizes[1]


def sizes_text(name: str) -> str:
    """Return the board sizes that a fact is for, as `7 to 19`; '' where it is for all."""
    fact = FACTS[name]
    return f"{fact.sizes[0]} to {fact.sizes[1]}" if isinstance(fact, LargeFact) else ""


def once_a_position(make: Callable[[LargeState], Made]) -> Callable[[LargeState], Made]:
    """Make a function of a position alone work once for each: what it returned is kept in the state."""
    name = f"{make.__module__}.{make.__name__}"

    @wraps(make)
    def known(state: LargeState) -> Made:
        found: Made | None = state.kept.get(name)
        if found is None:
            found = state.kept[name] = make(state)
        return found

    return known


def source_with(module: ModuleType, replaced: dict[str, Any], by: Callable[..., Any] | None = None) -> dict[str, Any]:
    """Return a module's names with copies of its functions that use the replacements.

    replaced: the replacements, by name. by: transforms each function, for example a compiler. A caller may replace more
    names in the returned dict until it first calls a function.
    """
    names = dict(vars(module))
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            function = FunctionType(value.__code__, names, name, value.__defaults__)
            names[name] = by(function) if by else function
    names.update(replaced)
    return names
