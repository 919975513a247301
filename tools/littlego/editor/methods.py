"""The registry of methods and jobs, which are functions that the page may call by name."""

from __future__ import annotations

import inspect
import os
import re
import sys
import traceback
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, TypeVar

from littlego.cli.arguments import ArgumentError
from littlego.cli.commandline import did_you_mean
from littlego.printable import printable

if TYPE_CHECKING:
    from littlego.editor.session import Session

Function = TypeVar("Function", bound=Callable[..., Any])

ANSWERS = Path(__file__).with_name("answers")
# Each lane has its own process, so that slow calls delay neither typing nor stepping through a game.
QUICK, BOARD, SLOW = LANES = ("quick", "board", "slow")


class Refusal(Exception):
    """Raised for a call that cannot be answered.

    code: a word for the kind of problem, such as `invalid`, `unknown`, `stale`, `disk` or `failed`. text: what
    happened, what was expected, and what to do. more: further JSON values, by name.
    """

    def __init__(self, code: str, text: str, **more: Any) -> None:
        super().__init__(text)
        self.code, self.text, self.more = code, text, more

    def __reduce__(self) -> tuple[Any, ...]:  # the exception is pickled between processes
        return _refusal, (self.code, self.text, self.more)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object that answers the call."""
        return {"problem": {"code": self.code, "text": self.text, **self.more}}


def _refusal(code: str, text: str, more: dict[str, Any]) -> Refusal:
    return Refusal(code, text, **more)


@dataclass(frozen=True)
class Method:
    """A function that the page may call.

    channel, lane: see `ask`. lasting: see `job`.
    """

    name: str
    function: Callable[..., Any]
    channel: str = ""
    lane: str = QUICK
    lasting: bool = False

    def parameters(self) -> dict[str, tuple[inspect.Parameter, Any]]:
        """Return {name: (parameter, type)} for the function's parameters except the session."""
        return _parameters_of(self.function)

    def checked(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the checked parameters; raise Refusal for a missing, unknown or mistyped parameter."""
        wanted = self.parameters()
        for name in parameters:
            if name not in wanted:
                hint = did_you_mean(name, wanted) or f" It takes {', '.join(wanted) or 'none'}."
                raise Refusal("invalid", f"{self.name} has no parameter {name!r}.{hint}")
        for name, (parameter, kind) in wanted.items():
            if name not in parameters:
                if parameter.default is parameter.empty:
                    raise Refusal("invalid", f"{self.name} lacks the required parameter {name!r}")
            elif not is_a(parameters[name], kind):
                said = f"found {str(parameters[name])[:60]!r}; expected {parameter.annotation}"
                raise Refusal("invalid", f"{self.name}, parameter {name!r}: {said}")
        return dict(parameters)


@cache
def _parameters_of(function: Callable[..., Any]) -> dict[str, tuple[inspect.Parameter, Any]]:
    """Return {name: (parameter, type)} for all parameters of a function except the first."""
    hints = typing.get_type_hints(function)
    parameters = list(inspect.signature(function).parameters.items())[1:]
    return {name: (parameter, hints.get(name, Any)) for name, parameter in parameters}


METHODS: dict[str, Method] = {}
JOBS: dict[str, Method] = {}


def ask(name: str, channel: str = "", lane: str = QUICK) -> Callable[[Function], Function]:
    """Register a function `f(session, *, ...) -> dict` as a method, whose answer is a JSON object.

    The parameters are the fields of the request, checked against their annotations. The method raises Refusal or
    ArgumentError for a request that it cannot answer. lane: QUICK for calls that take a few milliseconds, BOARD for
    decisions, SLOW for calls that take seconds. Each lane has its own process. channel: a name that methods can share;
    a newer request replaces a waiting request of the same channel. By default, each method has its own channel. Except
    in QUICK, a newer request also interrupts the running request of the same channel by raising KeyboardInterrupt.
    """
    return _register(METHODS, name, channel or name, lane)


def job(name: str, lasting: bool = False) -> Callable[[Function], Function]:
    """Register a generator function `f(session, *, ...)` as a job, which yields JSON objects for the page.

    The objects are `{"progress": [done, all]}` and `{"result": ...}`; each is sent to the page immediately. The return
    value is sent as `{"done": ...}` at the end. A new job of a page replaces the page's running job of the same name.
    The replaced job receives SystemExit, so that it can clean up. lasting: whether the process, with its loaded modules
    and its Session, is kept for the next lasting job. A lasting job receives KeyboardInterrupt instead of SystemExit.
    """
    return _register(JOBS, name, name, SLOW, lasting)


def _register(
    table: dict[str, Method], name: str, channel: str, lane: str, lasting: bool = False
) -> Callable[[Function], Function]:
    if lane not in LANES:
        raise ValueError(f"{name}: unknown lane {lane!r}; expected one of {', '.join(LANES)}")

    def register(function: Function) -> Function:
        known = table.setdefault(name, Method(name, function, channel, lane, lasting))
        if (known.function.__module__, known.function.__qualname__) != (function.__module__, function.__qualname__):
            raise ValueError(f"two functions are called {name}: {known.function.__module__}, {function.__module__}")
        table[name] = Method(name, function, channel, lane, lasting)
        return function

    return register


def answer_modules() -> list[str]:
    """Return the names of the modules that register methods and jobs."""
    return [module.name for module in iter_modules([str(ANSWERS)], "littlego.editor.answers.")]


@cache
def load_answers() -> None:
    """Import all modules of `answer_modules`."""
    for name in answer_modules():
        import_module(name)


@cache
def _registering() -> dict[str, list[str]]:
    """Return {name: the modules that register a method or job of this name}.

    The function searches the modules' sources and imports no module.
    """
    found: dict[str, list[str]] = {}
    for module in answer_modules():
        source = (ANSWERS / module.rpartition(".")[2]).with_suffix(".py").read_text(encoding="utf-8")
        for name in re.findall(r'^@(?:ask|job)\(\s*"(\w+)"', source, re.MULTILINE):
            found.setdefault(name, []).append(module)
    return found


def find(table: Mapping[str, Method], name: str) -> Method:
    """Return the method or job called `name`; raise Refusal for an unknown name.

    Only the modules that register the name are imported, so that a page's first answers need not wait for all modules.
    """
    for module in () if name in table else _registering().get(name, answer_modules()):
        import_module(module)
    if name not in table:
        load_answers()
        raise Refusal("unknown", f"unknown method or job {name!r}.{did_you_mean(name, table)}")
    return table[name]


def answer(session: Session, name: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return a method's answer; raise Refusal for any error."""
    method = find(METHODS, name)
    return call(session, method, method.checked(parameters))


def call(session: Session, method: Method, checked: Mapping[str, Any]) -> dict[str, Any]:
    """Call a method with checked parameters and return the answer; raise Refusal for any error."""
    try:
        found = method.function(session, **checked)
    except Exception as error:
        raise refusal_of(error, method.name) from None
    assert isinstance(found, dict), f"{method.name} answers with {type(found)}"
    return found


def refusal_of(error: Exception, what: str) -> Refusal:
    """Return the Refusal for an exception; print the traceback of an unexpected exception."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, ArgumentError):
        return Refusal("invalid", str(error))
    if isinstance(error, UnicodeError):
        return Refusal("invalid", f"{what}: half a surrogate pair cannot be saved in a file; expected whole characters")
    if isinstance(error, OSError) and error.errno:
        where = f" {printable(os.path.basename(str(error.filename)))[:100]}" if error.filename else ""
        return Refusal("disk", f"{what}: cannot use the file{where}: {error.strerror}")
    if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("littlego"):
        return Refusal("lacking", f"{what} needs the Python package {error.name}; use an installed studio")
    traceback.print_exception(error, file=sys.stderr)
    said = f"{type(error).__name__}: {error}"[:300]
    where = "see its terminal, or the browser's console, for details"
    return Refusal("failed", f"{what}: {said}. This is a bug in the studio; {where}.")


def only_installed(command: str) -> Refusal:
    """Return the Refusal for a request that needs an installed studio. command: an equivalent shell command."""
    text = f"a page in a browser cannot do this; run `{command}`, or use an installed studio"
    return Refusal("lacking", text)


def is_a(value: Any, wanted: Any) -> bool:
    """Return whether a JSON value has the wanted type.

    wanted: a class, Any, None, a union such as X | None, list[X], dict[str, X] or Literal.
    """
    origin, inner = typing.get_origin(wanted), typing.get_args(wanted)
    if wanted is Any or wanted is None or wanted is type(None):
        return wanted is Any or value is None
    if origin in (typing.Union, types.UnionType):
        return any(is_a(value, one) for one in inner)
    if origin is typing.Literal:
        return any(type(value) is type(one) and value == one for one in inner)
    if origin is list:
        return isinstance(value, list) and all(is_a(one, inner[0]) for one in value)
    if origin is dict:
        return isinstance(value, dict) and all(is_a(one, inner[1]) for one in value.values())
    if wanted is float and isinstance(value, int):  # a larger integer has no float value
        return not isinstance(value, bool) and abs(value) <= sys.float_info.max
    if wanted is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, wanted)
