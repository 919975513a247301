"""Building blocks of commands: lazy loading, shared options and parameter types."""

from __future__ import annotations

import difflib
import os
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from littlego.cli.arguments import KNOWLEDGE, MOST_RANDOM, ArgumentError, check_target, default_patterns, jobs
from littlego.paths import LABELS, STEMS

Function = TypeVar("Function", bound=Callable[..., Any])
Change = TypeVar("Change")
WIDTH = 100  # maximum width of a help text in columns

ANSWERS = "accept? [y]es, [n]o, [a]ll the rest, [q]uit: "

NATURAL = click.IntRange(min=0)
POSITIVE = click.IntRange(min=1)
OPENING = click.IntRange(0, MOST_RANDOM)  # number of random opening moves, limited so that the players also move


class Entry(NamedTuple):
    """An entry in a group's table of commands. `load` imports the command."""

    name: str
    section: str  # heading above the command in the group's help
    target: str  # `module:attribute`
    help: str  # text beside the command in the group's help

    def load(self) -> click.Command:
        """Import the command and return it."""
        command = pkgutil.resolve_name(self.target)
        assert isinstance(command, click.Command), self.target
        return command


class LazyGroup(click.Group):
    """A group that imports a command only when it is needed. Printing the group's help imports no command.

    entries: the group's commands, in the order of the help text. The group's help lists only these commands, not
    commands that other code adds to the group.
    """

    def __init__(self, *args: Any, entries: Sequence[Entry] = (), **attrs: Any):
        super().__init__(*args, **attrs)
        self.entries = {entry.name: entry for entry in entries}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.entries, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self.entries.get(cmd_name)
        return entry.load() if entry else super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return (name, command, remaining arguments); raise UsageError for an unknown name."""
        name, names = args[0], self.list_commands(ctx)
        if name not in names and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"No such command {name!r}.{did_you_mean(name, names)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in `entries` and their help texts, section by section."""
        for section in dict.fromkeys(entry.section for entry in self.entries.values()):
            with formatter.section(section):
                formatter.write_dl(
                    [(entry.name, entry.help) for entry in self.entries.values() if entry.section == section]
                )


class Command(click.Command):
    """A command with abbreviated long options and shell completion of file and folder names."""

    def __init__(self, *args: Any, **attrs: Any):
        super().__init__(*args, **attrs)
        for param in self.params:
            if param.type is click.STRING and re.search("FILE|FOLDER", param.metavar or ""):
                param.type = click.Path()  # values remain str, and shells complete them as file names

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments after expanding abbreviated options."""
        end = args.index("--") if "--" in args else len(args)
        try:
            return super().parse_args(ctx, [*map(self._spell_out, args[:end]), *args[end:]])
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click shows the usage of this context
            raise

    def _spell_out(self, word: str) -> str:
        """Return the word, or the full option if the word is a unique abbreviation of a long option."""
        option, equals, value = word.partition("=")
        known = {"--help": "help"}  # spelling -> the parameter that it sets
        known |= {name: str(param.name) for param in self.params for name in (*param.opts, *param.secondary_opts)}
        near = [name for name in known if name.startswith(option)]
        is_short_for_one = option[2:] and option not in known and len({known[name] for name in near}) == 1
        return near[0] + equals + value if option.startswith("--") and is_short_for_one else word


def command(name: str, *, example: str = "", **attrs: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that turns a function into a command. The function must return the exit status.

    `example` contains example command lines, one per line, for the end of the help. For `attrs`, see click.command.
    """
    if example:
        lines = "\n".join(f"  {line}" for line in example.strip().splitlines())
        attrs["epilog"] = f"\b\nFor example:\n{lines}" + (f"\n\n{attrs['epilog']}" if attrs.get("epilog") else "")
    return click.command(name, cls=Command, **attrs)


def did_you_mean(word: str, known: Sequence[str] | Mapping[str, object]) -> str:
    """Return ` Did you mean ...?` with the one or two most similar known words.

    The result is '' if no known word is similar.
    """
    near = difflib.get_close_matches(word, list(dict.fromkeys(known)), n=2)
    return f" Did you mean {' or '.join(near)}?" if near else ""


def accepted_of(changes: Iterable[Change], show: Callable[[Change], None]) -> Iterator[Change]:
    """Show each change, ask whether to accept the change, and yield the accepted changes.

    The answer `a` accepts the shown change and all later changes, which are then not shown. The answer `q` or the end
    of input rejects the shown change and all later changes.
    """
    everything = False
    for change in changes:
        answer = "y"
        if not everything:
            show(change)
            answer = _read_answer()
            if answer == "q":
                return
            everything = answer == "a"
        if everything or answer == "y":
            yield change


def _read_answer() -> str:
    """Ask whether to accept a change; return y, n, a or q. Return q at the end of the input."""
    while True:
        try:
            answer = input(ANSWERS).strip().lower()[:1]
        except EOFError:
            print("no answer: the remaining changes are not accepted")
            return "q"
        if answer and answer in "ynaq":
            return answer


class JsonFile(click.ParamType[str]):
    """The parameter type of a JSON output file.

    Valid values are `-`, a new *.json file, and an existing file that is empty or seems to contain JSON.

    Devices and pipes are also accepted. Any other name is refused, because it probably belongs to another argument:
    `check --json patterns.yaml` would overwrite the patterns. Write access is checked before the command runs, because
    the command may take hours.
    """

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = str(value)
        if name != "-":
            if not (os.path.exists(name) and not os.path.isfile(name)):  # a device or a pipe accepts any output
                self._check_name(name, param, ctx)
            check_target(name)
        return name

    def _check_name(self, name: str, param: click.Parameter | None, ctx: click.Context | None) -> None:
        with suppress(OSError), open(name, "rb") as file:
            if file.read(1000).lstrip()[:1] not in (b"", b"{", b"["):
                self.fail(f"{name} is not a JSON file; to print the JSON, put --json last", param, ctx)
            return
        if not name.endswith(".json"):
            self.fail(f"expected FILE.json, found {name}; to print the JSON, put --json last", param, ctx)


class PositiveNumber(click.ParamType[float]):
    """The parameter type of a number above 0 and below 1e9. most: a lower maximum, or None."""

    name = "NUMBER"

    def __init__(self, most: float | None = None) -> None:
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = click.FLOAT.convert(value, param, ctx)
        if not 0 < number < 1e9 or (self.most is not None and number > self.most):
            wanted = (
                "a number above 0 and below 1e9" if self.most is None else f"a number above 0 and at most {self.most:g}"
            )
            self.fail(f"expected {wanted}, found {value}", param, ctx)
        return number


def _check_address(ctx: click.Context, param: click.Parameter, address: str | None) -> str | None:
    if address is not None and not re.fullmatch(r"((tcp|tls)://)?[^\s/]+:\d+", address):
        raise click.BadParameter(
            f"expected the address of a Dask scheduler, such as tls://HOST:8786, found {address!r}"
        )
    return address


# `--json [FILE]`, passed as `json`: the file's name, `-` for standard output, or None.
json_option = click.option(
    "--json",
    is_flag=False,
    flag_value="-",
    type=JsonFile(),
    help="Write the results as JSON to FILE; without FILE, to standard output.",
)

RULESET = "littlego ruleset"  # the key of the ruleset in click's Context.meta


def _keep_ruleset(ctx: click.Context, param: click.Parameter, name: str | None) -> None:
    ctx.meta[RULESET] = name or next(iter(STEMS))


# `--ruleset NAME`: selects the default file of `patterns_argument` and `patterns_option`.
patterns_ruleset_option = click.option(
    "--ruleset",
    type=click.Choice(list(STEMS)),
    is_eager=True,
    expose_value=False,
    callback=_keep_ruleset,
    help="Ruleset of the default patterns file: patterns.yaml, or patterns.match.yaml for match.  [default: "
    f"{next(iter(STEMS))}]",
)


def _default_patterns(ctx: click.Context) -> Path:
    return default_patterns(say=not ctx.resilient_parsing, ruleset=ctx.meta.get(RULESET, next(iter(STEMS))))


# The argument `[FILE]`, passed as `patterns`, a Path: the patterns.yaml that the command works on.
patterns_argument = click.argument(
    "patterns",
    metavar="[FILE]",
    required=False,
    type=click.Path(path_type=Path),
    callback=lambda ctx, param, path: path or _default_patterns(ctx),
)


def _check_encoding(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    try:
        if name is not None:
            "".encode(name)  # raises LookupError for a codec that does not encode text
    except (LookupError, ValueError):
        raise click.BadParameter(
            f"expected an encoding such as shift_jis, gb18030, big5 or euc_kr, found {name!r}"
        ) from None
    return name


# `--encoding NAME`: the encoding of an SGF file; None to detect the encoding from the bytes.
encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    callback=_check_encoding,
    help="Encoding of an SGF file, such as shift_jis.  [default: detected]",
)

# `-j/--jobs N`: the number of processes.
jobs_option = click.option(
    "-j", "--jobs", type=POSITIVE, default=jobs, metavar="N", help="Number of processes.  [default: one per core]"
)

# `--scheduler ADDRESS`: do the work on a Dask cluster; None without the option.
scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    callback=_check_address,
    help="Run on the Dask cluster with this scheduler, tls://HOST:8786 (docs/cluster.md).",
)


def patterns_option(
    wanted: str = KNOWLEDGE, by_position: bool = False, by_ruleset: bool = False
) -> Callable[[Function], Function]:
    """Return a decorator that adds the option `-f/--patterns FILE`, passed as the str `patterns`.

    The option is for commands whose main argument is not a patterns file. wanted: the accepted kinds of files.
    by_position: whether `patterns` defaults to None, for commands whose default file depends on the position.
    by_ruleset: whether the default depends on `patterns_ruleset_option`.
    """
    default = "patterns.yaml; for a match: patterns.match.yaml" if by_position or by_ruleset else "patterns.yaml"
    return click.option(
        "-f",
        "--patterns",
        metavar="FILE",
        callback=None if by_position else lambda ctx, param, name: name or str(_default_patterns(ctx)),
        help=f"Patterns file: {wanted}.  [default: {default}]",
    )


# `--decisions FILE`, passed as `snapshot`. None selects the record that belongs to the patterns file.
decisions_option = click.option(
    "--decisions",
    "snapshot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File of recorded decisions.  [default: decisions.txt beside the patterns, or match_decisions.txt for a "
    "match; if missing, the shipped file]",
)

labels_option = click.option(
    "--labels",
    type=click.Path(path_type=Path),
    default=LABELS,
    metavar="FILE",
    help="File of labels: positions with their winning moves.  [default: tools/littlego/truth/labels/labels.npz]",
)


def more_positions_option(what_for: str = "Also learn from") -> Callable[[Function], Function]:
    """Return a decorator that adds `--from FILE`, passed as `extra`: paths of files with solved positions."""
    return click.option(
        "--from",
        "extra",
        type=click.Path(path_type=Path),
        multiple=True,
        metavar="FILE",
        help=f"{what_for} the positions in FILE: failures from `prove --json`, labels, or an .npz file "
        "with the arrays `codes` and `winning`; repeatable.",
    )


def _check_interactive(ctx: click.Context, _: click.Parameter, interactive: bool) -> bool:
    if interactive and not ctx.params["accept"]:
        raise ArgumentError("--interactive needs --accept")
    return interactive


def accept_options(help: str) -> Callable[[Function], Function]:
    """Return a decorator that adds the options `--accept` and `-i/--interactive`.

    The options are for accepting suggested changes. help: the help text of `--accept`.
    """
    accept = click.option("--accept", is_flag=True, is_eager=True, help=help)  # parsed before --interactive is checked
    interactive = click.option(
        "-i",
        "--interactive",
        is_flag=True,
        callback=_check_interactive,
        help="With --accept: ask about each change.",
    )
    return lambda function: accept(interactive(function))


def points_options(most: int) -> Callable[[Function], Function]:
    """Return a decorator that adds `--id` (passed as `ids`), `--accept`, `--interactive` and `--most`.

    The options are for commands that suggest new points. most: the default of `--most`.
    """
    options = [
        click.option(
            "--id", "ids", multiple=True, metavar="ID", help="Show and accept only changes to this pattern; repeatable."
        ),
        accept_options("Write the suggested points to the patterns file."),
        click.option(
            "--most",
            type=NATURAL,
            default=most,
            show_default=True,
            metavar="N",
            help="Show at most N changes, 0 for all.",
        ),
    ]
    return lambda function: reduce(lambda decorated, option: option(decorated), reversed(options), function)


def series_options(function: Function) -> Function:
    """Add `--games`, `--seed` and `--openings` to a command that plays a series of games.

    The two players of a series may be the same player.
    """
    options = [
        click.option("--games", type=POSITIVE, default=100, show_default=True, metavar="N", help="Number of games."),
        click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Seed of the series."),
        click.option(
            "--openings",
            type=OPENING,
            default=0,
            show_default=True,
            metavar="K",
            help="Number of random moves at the start; both games of a pair start with the same moves.",
        ),
    ]
    return reduce(lambda decorated, option: option(decorated), reversed(options), function)


def output_option(help: str, **attrs: Any) -> Callable[[Function], Function]:
    """Return a decorator that adds `-o/--output FILE`, passed as `output`, a Path or None."""
    return click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help=help, **attrs)


def colour_option(*more: str, **attrs: Any) -> Callable[[Function], Function]:
    """Return a decorator that adds `--colour black|white` (alias `--color`), passed as `colour`."""
    return click.option(
        "--colour", "--color", "colour", *more, type=click.Choice(["black", "white"], case_sensitive=False), **attrs
    )
