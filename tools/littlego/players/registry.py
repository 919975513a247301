"""Players by name: one table of all kinds of players for the command line, the arena and the graders.

A name is a word, optionally with an argument after a colon (`greedy`, `perfect:0.1`, `erring:0.1:ours`), or the path of
a patterns file. Roles are listed in littlego.players.roles.table.ROLES. A new kind of player needs a parser and an
entry in _TABLE.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from littlego.cli.arguments import ArgumentError
from littlego.cli.commandline import did_you_mean
from littlego.engines.books import own_file, tell_own_file
from littlego.games.game import ruleset_named
from littlego.knowledge.files import read_compiled
from littlego.knowledge.revisions import is_revision
from littlego.match.host import OUR_PLAYER, FilePlayer, our_player, role_player
from littlego.match.referee import Player
from littlego.match.series import Pairing
from littlego.paths import is_shipped
from littlego.players import erring, human, ours, perfect
from littlego.players.gtp_player import GtpPlayer
from littlego.players.named_books import program_with, read_packed_once, unpack_book
from littlego.players.roles import qlearning
from littlego.players.roles.table import ROLES, Role, RolePlayer
from littlego.players.zero import player as zero
from littlego.printable import is_line, printable
from littlego.rules.patternfile import PatternFileError
from littlego.rules.ruleset import LITTLE_GO, Ruleset
from littlego.rules.turn import OVERRIDES

BOOKS = (".yaml", ".yml", ".txt")  # suffixes of a patterns file
OUR_PROGRAM, HUMAN = "my_player3", "human"
GTP, GNU_GO = "gtp", "gnugo"
# Chinese rules, removal of dead stones before passing, no suicide, and superko as in the match.
GNU_GO_OPTIONS = ["--chinese-rules", "--capture-all-dead", "--situational-superko", "--forbid-suicide"]
GNU_GO_LEVELS = range(11)
# Debian installs games in these folders, which few users have in PATH
NOT_IN_PATH = os.pathsep.join(("/usr/games", "/usr/local/games"))
COLUMN, WIDTH = 27, 78  # characters of the help's first column, and of the whole line
NEVER, MAY, MUST = range(3)  # whether a kind of player takes an argument


class UnknownPlayerError(ArgumentError):
    """Raised for an unknown player name or an unavailable player; the message states the cause."""


@dataclass(frozen=True)
class PlayerName:
    """A parsed player name.

    text: the name with absolute paths, valid in every folder unless the name contains a git revision. make(seed,
    folder): returns the Player, or raises UnknownPlayerError if a file or program is missing. The argument `folder` of
    `make` is the work folder of programs, or None for a temporary folder. module: the module that, with all its
    imports, chooses the moves; '' for programs other than file:ROLE. files: other files that determine the moves, such
    as tables, patterns and files named by a command. folder: the work folder in the name (`cwd=`), which two
    simultaneous games must not share. handed_in: the folder or file at PATH in `folder:PATH`. is_program: whether the
    player is a program that may come from another author. whom, rate: for `erring:RATE:PLAYER`, the parsed name of
    PLAYER, and the rate, 0 to 1. plays_all: whether the player supports all rulesets and boards; otherwise, `ruleset`
    is the name of the only supported ruleset. speaks_gtp: whether the player is a GTP engine.
    """

    text: str
    make: Callable[[int, str | None], Player]
    module: str = ""
    files: tuple[str, ...] = ()
    folder: str | None = None
    handed_in: str = ""
    is_program: bool = False
    whom: PlayerName | None = None
    rate: float = 0.0
    plays_all: bool = False
    speaks_gtp: bool = False
    ruleset: str = LITTLE_GO.name

    def plays(self, ruleset: Ruleset) -> bool:
        """Return whether the player supports a ruleset."""
        return self.plays_all or ruleset.name == self.ruleset


class Kind(NamedTuple):
    """A kind of player: the word with which its players' names begin, and the parser of these names.

    takes: whether an argument follows the word: NEVER, MAY or MUST. forms: (syntax, description) pairs for help texts.
    parse(name, argument): returns the PlayerName; raises UnknownPlayerError for an invalid argument.
    """

    word: str
    takes: int
    forms: tuple[tuple[str, str], ...]
    parse: Callable[[str, str], PlayerName]


def _overrides_of(patterns: str) -> str:
    return os.path.join(os.path.dirname(patterns), OVERRIDES)


class NamedBook(NamedTuple):
    """A player with its own patterns file. kind: one of ours.KINDS. path: the path of the patterns file."""

    kind: str
    path: str

    @property
    def with_overrides(self) -> bool:
        """Whether the player also uses the overrides in the folder of the patterns file."""
        return self.kind != ours.WITHOUT_OVERRIDES


def book_named(name: str) -> NamedBook | None:
    """Return the NamedBook of a player's name, or None if the name contains no patterns file."""
    kind, _, rest = name.partition(":")
    if kind in ours.KINDS:
        return NamedBook(kind, rest) if rest else None
    is_file = name.endswith(BOOKS) and not (kind in KINDS and KINDS[kind].takes)
    return NamedBook(ours.WITHOUT_OVERRIDES, name) if is_file else None


def _parse_ours(name: str, argument: str) -> PlayerName:
    kind = name.partition(":")[0]
    return _parse_book(name, NamedBook(kind, argument or own_file(LITTLE_GO)))


def name_own_book(name: str, ruleset: Ruleset) -> str:
    """Return a player's name; for our player with an unshipped patterns file, add the omitted `:FILE`.

    Such a file is in the current folder and may differ on other machines. A name that contains a patterns file, refers
    to the shipped files, or refers to another kind of player is returned unchanged.
    """
    errors, whom = split_errors(name)
    path = Path(own_file(ruleset))
    if errors:
        return errors + name_own_book(whom, ruleset)
    return f"{name}:{path.name}" if name in ours.KINDS and not is_shipped(path) else name


def _parse_book(name: str, book: NamedBook) -> PlayerName:
    make = partial(_make_ours, name, book)
    plays_all = book.kind != ours.UNCOUNTED
    if ":" in book.path and not os.path.exists(book.path):  # a file at a revision
        return PlayerName(f"{book.kind}:{book.path}", make, ours.__name__, plays_all=plays_all)
    path = os.path.abspath(book.path)
    text = book.kind if name == book.kind else f"{book.kind}:{path}"
    return PlayerName(text, make, ours.__name__, (path, _overrides_of(path)), plays_all=plays_all)


def _make_ours(name: str, book: NamedBook, seed: int, folder: str | None) -> Player:
    path = book.path
    if not os.path.exists(path) and ":" not in path:
        raise UnknownPlayerError(f"{name}: there is no such file{'' if ':' in name else f': {path}'}")
    try:
        if name == book.kind:  # the name has no path: use our own files
            return ours.ours_by(book.kind)
        if os.path.isfile(path) and path.endswith(".txt"):
            return ours.ours_by(book.kind, path)
        player = ours.ours_by(book.kind, unpack_book(*read_packed_once(path, book.with_overrides)))
    except (PatternFileError, ArgumentError) as error:
        raise UnknownPlayerError(f"{name}: {error}") from None
    player.name = name
    return player


def _parse_role(name: str, argument: str) -> PlayerName:
    role = ROLES[name]
    make = partial(_make_role, role)
    return PlayerName(name, make, role.chooser.__module__, role.files, plays_all=role.plays_all)


def _make_role(role: Role, seed: int, folder: str | None) -> Player:
    return RolePlayer(role, seed)


def _parse_qlearning(name: str, argument: str) -> PlayerName:
    if not argument:
        return _parse_role(name, argument)
    path = os.path.abspath(argument)
    return PlayerName(f"qlearning:{path}", partial(_make_trained, name, argument), qlearning.__name__, (path,))


def _make_trained(name: str, path: str, seed: int, folder: str | None) -> Player:
    try:
        qlearning.check_table(path)
    except OSError as error:
        raise UnknownPlayerError(f"{name}: {path} cannot be read: {error.strerror}") from None
    except qlearning.TableError as error:
        raise UnknownPlayerError(f"{name}: {error}") from None
    return RolePlayer(ROLES["qlearning"]._replace(name=name, chooser=partial(qlearning.choose, path=path)), seed)


def _parse_zero(name: str, argument: str) -> PlayerName:
    try:
        parts = zero.parse_zero(argument)
    except zero.UnavailableError as error:
        raise UnknownPlayerError(f"{name}: {error}") from None

    def make(seed: int, folder: str | None) -> Player:
        try:
            return zero.ZeroPlayer(parts, seed)
        except zero.UnavailableError as error:
            raise UnknownPlayerError(f"{name}: {error}") from None

    ruleset = LITTLE_GO.name if parts.path == zero.WEIGHTS else zero.ruleset_name(parts.path)
    return PlayerName(parts.text, make, zero.SEARCH, (os.path.abspath(parts.path),), ruleset=ruleset)


def _parse_zero_file(name: str, argument: str) -> PlayerName:
    """Return the parsed name of the learning player that runs as a program. argument: the text after `file:`."""
    player = _parse_zero(name, argument.partition(":")[2])

    def make(seed: int, folder: str | None) -> Player:
        player.make(seed, None)  # checks the weights and compiles the loops, so that no turn has to compile them
        return role_player(player.text, seed, folder)

    return replace(player, text=f"file:{player.text}", make=make)


def _parse_perfect(name: str, argument: str) -> PlayerName:
    rate = _parse_rate(name, argument) if argument else 0.0
    return PlayerName(name, lambda seed, folder: perfect.PerfectPlayer(seed, rate), perfect.__name__)


def _parse_erring(name: str, argument: str) -> PlayerName:
    before, whom = split_errors(name)
    if not whom:
        raise UnknownPlayerError(f"{name!r} is not a player; expected erring:RATE:PLAYER, such as erring:0.1:ours")
    rate, player = _parse_rate(name, argument.partition(":")[0]), parse(whom)

    def make(seed: int, folder: str | None) -> Player:
        return erring.ErringPlayer(player.make(seed, folder), rate, seed)

    return replace(player, text=before + player.text, make=make, module=erring.__name__, whom=player, rate=rate)


def split_errors(name: str) -> tuple[str, str]:
    """Return (`erring:RATE:`, PLAYER) for a name `erring:RATE:PLAYER`.

    For any other name, return ('', the name). Raise UnknownPlayerError if the rate is invalid.
    """
    kind, _, rest = name.partition(":")
    if kind != erring.NAME:
        return "", name
    rate, _, whom = rest.partition(":")
    _parse_rate(name, rate)
    return f"{kind}:{rate}:", whom


def _parse_rate(name: str, text: str) -> float:
    rate = _to_float(text)
    if not 0 <= rate <= 1:
        raise UnknownPlayerError(f"{name}: {text!r} is not a rate; expected a number from 0 to 1, such as 0.1")
    return rate


def _to_float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


def _parse_file(name: str, argument: str) -> PlayerName:
    if argument in ROLES:
        role = _parse_role(argument, "")
        return replace(role, text=name, make=lambda seed, folder: role_player(argument, seed, folder), plays_all=False)
    if argument.partition(":")[0] == zero.NAME:
        return _parse_zero_file(name, argument)
    own, command = None, argument
    if argument.startswith("cwd="):
        own, _, command = argument[len("cwd=") :].partition(":")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnknownPlayerError(f"{name}: {error}") from None
    if not words:
        raise UnknownPlayerError(f"{name}: no command; expected file:COMMAND or file:cwd=FOLDER:COMMAND")
    files = tuple(path for word in words if os.path.isfile(path := os.path.abspath(os.path.join(own or "", word))))
    if own is None:
        words = [_absolute_if_file(word) for word in words]
        text = "file:" + shlex.join(words)
    else:
        text = f"file:cwd={os.path.abspath(own)}:{command}"

    def make(seed: int, folder: str | None) -> Player:
        if own is not None and not os.path.isdir(own):
            raise UnknownPlayerError(f"{name}: there is no folder {own!r}")
        player = FilePlayer(f"file:{command}", words, own and os.path.realpath(own) or folder, stranger=True)
        if own is not None:
            player.measure()
        return player

    return PlayerName(text, make, files=files, folder=own, is_program=True)


def _parse_gtp(name: str, argument: str) -> PlayerName:
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise UnknownPlayerError(f"{name}: {error}") from None
    if not words:
        raise UnknownPlayerError(f'{name}: no command; expected gtp:COMMAND, such as gtp:"gnugo --mode gtp"')
    program = words[0]
    words = [_find_program(program) or program, *(_absolute_if_file(word) for word in words[1:])]
    missing = f"{name}: there is no program {program!r}; install the program or give its path"
    return _engine_named(name, f"{GTP}:{shlex.join(words)}", words, missing)


def _parse_gnu_go(name: str, argument: str) -> PlayerName:
    level = argument or "0"
    if level not in map(str, GNU_GO_LEVELS):
        raise UnknownPlayerError(f"{name}: {level!r} is not a level of GNU Go; expected 0 to {GNU_GO_LEVELS[-1]}")
    words = [_find_program(GNU_GO) or GNU_GO, "--mode", "gtp", "--level", level, *GNU_GO_OPTIONS]
    missing = f"{name}: GNU Go is not installed (Debian, Ubuntu: apt install gnugo)"
    return _engine_named(name, name, words, missing)


def _engine_named(name: str, text: str, words: list[str], missing: str) -> PlayerName:
    """Return the parsed name of a GTP engine. missing: the message if the program does not exist."""

    def make(seed: int, folder: str | None) -> Player:
        if not _find_program(words[0]):
            raise UnknownPlayerError(missing)
        return GtpPlayer(name, words, seed)

    files = tuple(word for word in words if os.path.isabs(word) and os.path.isfile(word))
    return PlayerName(text, make, files=files, is_program=True, plays_all=True, speaks_gtp=True)


def _find_program(word: str) -> str | None:
    """Return a program's absolute path, or None if it does not exist."""
    path = shutil.which(word) or shutil.which(word, path=NOT_IN_PATH)
    return path and os.path.abspath(path)


def _absolute_if_file(word: str) -> str:
    return os.path.abspath(word) if os.path.isfile(word) else word


def _parse_folder(name: str, argument: str) -> PlayerName:
    options, path = _split_folder_options(argument)
    times = options.get("slower", "1")
    slower = _to_float(times)
    if not 0 < slower < float("inf"):
        raise UnknownPlayerError(f"folder:slower={times}: expected a number above 0, as in folder:slower=3:theirs")
    if "python" in options:
        options["python"] = os.path.abspath(options["python"])
    text = f"folder:{''.join(f'{key}={value}:' for key, value in options.items())}{os.path.abspath(path)}"

    def make(seed: int, folder: str | None) -> Player:
        from littlego.match.environments import EnvironmentFailure, split_packages  # few names need these imports
        from littlego.match.student_programs import ProgramError, player_of, program_at

        try:
            program = program_at(path, options.get("python", ""), split_packages(options.get("with", "")))
            return player_of(program, slower=slower)
        except (ProgramError, EnvironmentFailure) as error:
            raise UnknownPlayerError(f"{name}: {error}") from None

    return PlayerName(text, make, handed_in=os.path.abspath(path), is_program=True)


def _split_folder_options(argument: str) -> tuple[dict[str, str], str]:
    """Return ({option: value}, the path) from an argument such as `slower=3:with=numpy:theirs`."""
    options: dict[str, str] = {}
    while (match := re.match(r"(slower|python|with)=([^:]*):", argument)) and match[1] not in options:
        options[match[1]] = match[2]
        argument = argument[match.end() :]
    return options, argument


def _parse_our_program(name: str, patterns: str) -> PlayerName:
    """Return the PlayerName of our player, run as a separate program.

    patterns: the path of the player's patterns.txt.
    """

    def make(seed: int, folder: str | None) -> Player:
        try:
            return our_player(folder, program=program_with(patterns))
        except ArgumentError as error:
            raise UnknownPlayerError(f"{name}: {error}") from None

    return PlayerName(name, make, files=(OUR_PLAYER, patterns, _overrides_of(patterns)))


_TABLE = (
    Kind(
        OUR_PROGRAM,
        NEVER,
        (
            (
                OUR_PROGRAM,
                "our player as in the course: a new process per turn, which reads input.txt and writes output.txt",
            ),
        ),
        lambda name, argument: _parse_our_program(name, own_file(LITTLE_GO)),
    ),
    Kind(
        ours.OURS,
        MAY,
        (
            ("ours", "our engine in this process: plays the moves of my_player3, but faster and with reasons"),
            (
                "ours:PATH",
                "ours with another patterns.txt or patterns.yaml, and the overrides.txt in the same folder, optionally "
                "from a git revision (ours:HEAD:patterns.yaml)",
            ),
        ),
        _parse_ours,
    ),
    Kind(
        ours.WITHOUT_OVERRIDES,
        MAY,
        (
            (ours.WITHOUT_OVERRIDES, "ours without overrides; accepts :PATH like ours"),
            ("PATH", "short form of ours-without-overrides:PATH, such as patterns.yaml or HEAD:patterns.yaml"),
        ),
        _parse_ours,
    ),
    Kind(
        ours.UNCOUNTED,
        MAY,
        ((ours.UNCOUNTED, "like ours, but does not know how many moves are left; accepts :PATH"),),
        _parse_ours,
    ),
    *(Kind(role.name, NEVER, ((role.name, role.about),), _parse_role) for role in ROLES.values()),
    Kind(
        "qlearning",
        MAY,
        (
            ("qlearning", "plays from a table trained by Q-learning"),
            ("qlearning:FILE", "qlearning with another table, from `littlego dev train`"),
        ),
        _parse_qlearning,
    ),
    Kind(
        zero.NAME,
        MAY,
        (
            (zero.NAME, f"a tree search of {zero.SIMULATIONS} simulations with a network trained by self-play"),
            ("zero:K", "zero with K simulations; zero:0 plays by the network alone"),
            (
                "zero:FILE",
                "zero with weights from `littlego zero train`, for the game that the network learned; also zero:K:FILE",
            ),
        ),
        _parse_zero,
    ),
    Kind(
        perfect.NAME,
        MAY,
        (
            ("perfect", "the solver: perfect play near the end of the game; sets traps in lost positions"),
            ("perfect:RATE", "perfect, but with probability RATE it plays a random legal move"),
        ),
        _parse_perfect,
    ),
    Kind(
        erring.NAME,
        MUST,
        (
            (
                "erring:RATE:PLAYER",
                "any player, but with probability RATE it plays a random legal move: erring:0.1:ours",
            ),
        ),
        _parse_erring,
    ),
    Kind(
        "file",
        MUST,
        (
            (
                "file:ROLE",
                "random, greedy, aggressive, silly, alphabeta, qlearning, championship, real-championship or zero, run "
                "over the file protocol",
            ),
            (
                "file:COMMAND",
                'any program that uses the file protocol, such as file:"python3 their_player.py"; each game runs in a '
                "new folder, and paths of existing files become absolute",
            ),
            ("file:cwd=FOLDER:COMMAND", 'file:COMMAND, but run in FOLDER: file:"cwd=theirs:python3 their_player.py"'),
        ),
        _parse_file,
    ),
    Kind(
        "folder",
        MUST,
        (
            (
                "folder:PATH",
                "the my_player program in a folder, in any language that the course accepts; each game runs in a new "
                "copy of the folder. Optional settings precede PATH, as in folder:slower=3:with=numpy:theirs. slower=3 "
                "multiplies the program's CPU seconds by 3, python=PYTHON selects the program's Python, and with=numpy "
                "adds numpy",
            ),
        ),
        _parse_folder,
    ),
    Kind(
        GTP,
        MUST,
        (
            (
                "gtp:COMMAND",
                "any engine that uses the Go Text Protocol, for any ruleset and board size, in a new folder per "
                'game: gtp:"katago gtp -model net.bin.gz"',
            ),
        ),
        _parse_gtp,
    ),
    Kind(
        GNU_GO,
        MAY,
        (
            ("gnugo", f'GNU Go at level 0: gtp:"gnugo --mode gtp --level 0 {" ".join(GNU_GO_OPTIONS)}"'),
            ("gnugo:LEVEL", f"GNU Go at a level from 0 to {GNU_GO_LEVELS[-1]}"),
        ),
        _parse_gnu_go,
    ),
    Kind(
        HUMAN,
        NEVER,
        ((HUMAN, "you, at the keyboard"),),
        lambda name, argument: PlayerName(
            name, lambda seed, folder: human.HumanPlayer(), human.__name__, plays_all=True
        ),
    ),
)
KINDS = {kind.word: kind for kind in _TABLE}
_ALL_ROUND = (ours.OURS, *(role.name for role in ROLES.values() if role.plays_all), GNU_GO)  # players for all rulesets


def parse(name: str) -> PlayerName:
    """Return the parsed name of a player; raise UnknownPlayerError if the name is invalid."""
    check_text(name)
    player = _parse(name)
    check_text(player.text)  # the name of the player's folder may contain any character
    return player


def check_text(name: str) -> None:
    """Raise UnknownPlayerError unless a name can be shown in one line and stored in a file unchanged."""
    if not is_line(name):
        raise UnknownPlayerError(
            f"{printable(name)}: a player's name must be one line of UTF-8 text without control characters; rename the "
            "file or folder, or use a link to it"
        )


def _parse(name: str) -> PlayerName:
    word, colon, argument = name.partition(":")
    kind, book = KINDS.get(word), book_named(name)
    if kind is None and book:
        return _parse_book(name, book)
    if kind is None:
        if argument and is_revision(word):
            read_compiled(name)  # read_compiled reports any error in the file
        raise UnknownPlayerError(
            f"unknown player {name!r}.{did_you_mean(word, KINDS)} `littlego play --help` lists all players"
        )
    if colon and (kind.takes == NEVER or not argument) or kind.takes == MUST and not argument:
        raise UnknownPlayerError(f"{name!r} is not a player; expected {' or '.join(form for form, _ in kind.forms)}")
    return kind.parse(name, argument)


def make_player(name: str, seed: int, folder: str | None = None) -> Player:
    """Return the player for a name. folder: the work folder of programs, or None for a temporary folder."""
    return parse(name).make(seed, folder)


def player_for(name: str, game: Pairing, folder: str | None = None) -> Player:
    """Return the named player for one game of a series. The function is a Maker; see littlego.match.series."""
    return make_player(name, game.seed, folder)


def refuse_ruleset(names: Iterable[str], ruleset: Ruleset) -> None:
    """Raise UnknownPlayerError if a player does not support a ruleset.

    The message names the first such player. If a name denotes our player without a patterns file, call tell_own_file,
    which may print the file in use.
    """
    names = list(names)
    for name in names:
        player = parse(name)
        if not player.plays(ruleset):
            only, other = (f"{one.name} on {one.size}x{one.size}" for one in (ruleset_named(player.ruleset), ruleset))
            raise UnknownPlayerError(
                f"{name} plays only {only}, not {other}; expected {', '.join(_ALL_ROUND)} or {GTP}:COMMAND"
            )
    if any(split_errors(name)[1] in (OUR_PROGRAM, *ours.KINDS) for name in names):
        tell_own_file(ruleset)


def check_player(name: str) -> PlayerName:
    """Return a parsed name; raise UnknownPlayerError if the player is unavailable.

    The check may add files to the cache, but leaves no other files behind.
    """
    player = parse(name)
    player.make(0, None).close()
    return player


def players_help() -> str:
    """Return the table of all players for a help text, in two columns."""
    lines = []
    for form, about in (form for kind in KINDS.values() for form in kind.forms):
        lines += textwrap.wrap(
            about,
            WIDTH,
            initial_indent=f"  {form}".ljust(COLUMN),
            subsequent_indent=" " * COLUMN,
            break_on_hyphens=False,
        )
    return "\n".join(lines)


class PlayerType(click.ParamType[str]):
    """A command-line type for players' names, with a check of each player and with shell completion."""

    name = "PLAYER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; raise UnknownPlayerError if the player is unknown or unavailable."""
        if ctx is None or not ctx.resilient_parsing:
            check_player(str(value))
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return completions of the typed text: file names after a colon, else players' names.

        After `erring:`, the completions are players' names, not file names.
        """
        before, _, rest = incomplete.rpartition(":")
        if before and not before.startswith(erring.NAME):
            return [CompletionItem(rest, type="file")]
        head = f"{before}:" if before else ""
        words = [kind.word + (":" if kind.takes == MUST else "") for kind in KINDS.values()]
        return [CompletionItem(head + word) for word in words if word.startswith(rest)]
