"""Lookup of a tournament's players by name, and digests that detect changed players.

A player's digest covers everything that decides the player's moves: the engine with its patterns and overrides, the
source of a role, or a program's files. The tournament stores the digests so that the results of different versions of a
player are never combined.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import file_digest, sha256
from itertools import chain, islice
from pathlib import Path
from zlib import decompress

from littlego.arena.plan import Entrant
from littlego.cache import digest
from littlego.cli.arguments import ArgumentError
from littlego.match.student_programs import ACCEPTED
from littlego.meaning import package_of, path_of, read_source
from littlego.paths import CODE, HOME
from littlego.players import ours
from littlego.players.named_books import read_packed
from littlego.players.registry import (
    HUMAN,
    OUR_PROGRAM,
    PlayerName,
    book_named,
    check_player,
    check_text,
    parse,
    split_errors,
)
from littlego.players.roles import table
from littlego.rules.turn import INPUT, OUTPUT
from littlego.sandbox.plain_files import is_plain

SOURCES = (".py", ".cpp", ".java")
FOLDERS = 100  # maximum number of folders searched for a program's modules


def entrants(names: Sequence[str]) -> tuple[Entrant, ...]:
    """Return the players with these names; a repeated name gets a number, as in `greedy#2`.

    Raise ArgumentError for an unknown name or a human player.
    """
    numbered = [(name, names[:place].count(name)) for place, name in enumerate(names, 1)]
    return tuple(_entrant(name)._replace(name=f"{name}#{number}" if number > 1 else name) for name, number in numbered)


def find_changed(players: Iterable[Entrant]) -> list[str]:
    """Return the names of the players whose stored digest differs from the current digest."""
    return [player.name for player in players if identity(player) != player.digest]


def one_at_a_time(player: Entrant) -> bool:
    """Return whether a player's program has a fixed work folder and so can play only one game at a time."""
    return parse(player.spec).folder is not None


def without_errors(player: Entrant) -> Entrant:
    """Return the player without the prefixes that add random errors, such as `erring:0.5:`."""
    name = parse(player.spec)
    while name.whom:
        name = name.whom
    return player._replace(spec=name.text)


def is_unknown(player: Entrant) -> bool:
    """Return whether a player is a program that somebody else may have written."""
    return parse(player.spec).is_program


def is_to_check(player: Entrant) -> bool:
    """Return whether a player is an unknown program that must follow the handout; GTP engines are exempt."""
    return is_unknown(player) and not parse(player.spec).speaks_gtp


def program_files(player: Entrant) -> list[Path]:
    """Return the files that a program's command names or that a submission contains; [] for other players."""
    name = parse(player.spec)
    if name.handed_in:
        return _deciding_files(without_errors(player))
    if name.text == OUR_PROGRAM:
        return [HOME / "my_player3.py"]
    return [Path(file) for file in name.files] if name.is_program else []


def identity(player: Entrant) -> str:
    """Return a digest of everything that currently decides a player's moves."""
    book = (_hash_unpacked(packed) for packed in (player.patterns, player.overrides) if packed)
    return digest(player.spec, *book, *(_hash_file(path) for path in _deciding_files(player)))


def _entrant(name: str) -> Entrant:
    check_text(name)
    errors, whom = split_errors(name)
    if errors:
        player = _entrant(whom)
        player = player._replace(name=name, spec=errors + player.spec)
    elif book := book_named(name):
        player = Entrant(name, book.kind, "", *read_packed(book.path, book.with_overrides))
    else:
        player = Entrant(name, _check_name(name), "")
    return player._replace(digest=identity(player))


def _check_name(name: str) -> str:
    """Return the registry's name for a player, which is valid in every working directory.

    Raise ArgumentError for an invalid name or a human player.
    """
    if name == HUMAN:
        raise ArgumentError("a person cannot play in a tournament: use `littlego play`")
    return check_player(name).text


def _deciding_files(player: Entrant) -> list[Path]:
    """Return the files that decide a player's moves, except patterns and overrides in the Entrant."""
    engine, name = sorted((HOME / "rules").rglob("*.py")), parse(player.spec)
    if name.whom:
        return [*_find_imported(CODE, name.module), *_deciding_files(player._replace(spec=name.whom.text))]
    if name.handed_in:
        path = Path(name.handed_in)
        folder = path if path.is_dir() else path.parent
        with_engine = engine if folder.resolve() == HOME else []  # our player as a program includes the engine
        return [*_accepted_files(folder), *with_engine]
    if name.is_program:
        return _program_files(name)
    brought = [Path(file) for file in name.files]
    if name.module in ("", ours.__name__):  # ours.py also imports modules that only display decisions; leave them out
        code = [_find_file(CODE, name.module)] if name.module else []
        # These modules select the engine, and keep its decisions within deadlines.
        code += sorted((CODE / "littlego" / "engines").glob("*.py"))
        return [*engine, *filter(None, code), *([] if player.patterns else brought)]
    return [*engine, CODE / "littlego" / "players" / "roles" / "table.py", *_find_imported(CODE, name.module), *brought]


@cache
def _find_imported(code: Path, start: str) -> tuple[Path, ...]:
    """Return the source files of a module and of the package's modules that the module imports.

    The files include indirect imports, but not rules/ and not the modules that only roles/table.py imports. code: the
    folder that contains the package. start: the module's name.
    """
    paths: dict[str, Path] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        path = _find_file(code, name)
        if path and name not in paths:
            paths[name] = path
            if name != table.__name__:  # this module imports all roles
                imports = read_source(path.read_bytes(), package_of(name, path)).imports
                waiting += [
                    name for imported in imports for name in (imported.module, f"{imported.module}.{imported.name}")
                ]
    return tuple(sorted(paths.values()))


def _find_file(code: Path, module: str) -> Path | None:
    """Return the file of a module of the package, or None for other modules and the engine in rules/."""
    is_ours = module.startswith("littlego") and not module.startswith("littlego.rules")
    return path_of(module, code) if is_ours else None


def _program_files(name: PlayerName) -> list[Path]:
    """Return the files on which a program's moves may depend.

    These are the files that the command names, the source and data files in the same folders, and the Python files in
    subfolders. For a program with its own folder, data files are omitted, because the program may change these files.
    """
    named = [Path(file) for file in name.files]
    folders = {path.parent for path in named if path.suffix in ACCEPTED}
    beside = SOURCES if name.folder else ACCEPTED  # a program may store data in its own folder
    accepted = (path for folder in folders for path in _accepted_files(folder, beside))
    roots = {path.parent for path in named if path.suffix == ".py"}
    return sorted({*named, *accepted, *chain.from_iterable(map(_python_below, roots))})


def _python_below(folder: Path) -> Iterator[Path]:
    """Yield the Python files in a folder and its subfolders, in at most FOLDERS folders.

    The limit avoids searching a whole home folder.
    """
    for place, below, names in islice(os.walk(folder), FOLDERS):
        below[:] = sorted(name for name in below if _may_hold_modules(Path(place, name)))
        yield from (Path(place, name) for name in names if name.endswith(".py") and is_plain(os.path.join(place, name)))


def _may_hold_modules(folder: Path) -> bool:
    """Return whether a folder might contain modules.

    The result is False for hidden folders, __pycache__ and virtual environments.
    """
    return not (folder.name.startswith(".") or folder.name == "__pycache__" or (folder / "pyvenv.cfg").exists())


def _accepted_files(folder: Path, endings: tuple[str, ...] = ACCEPTED) -> list[Path]:
    return sorted(
        path
        for path in (folder.iterdir() if folder.is_dir() else ())
        if path.suffix in endings and path.name not in (INPUT, OUTPUT) and is_plain(os.fspath(path))
    )


@lru_cache(maxsize=16)
def _hash_unpacked(packed: bytes) -> str:
    return sha256(decompress(packed)).hexdigest()


def _hash_file(path: Path) -> str:
    try:
        status = path.stat()
        return _hash(path, status.st_mtime_ns, status.st_size)
    except OSError:
        return f"{path.name}\0missing"


@lru_cache(maxsize=4096)
def _hash(path: Path, modified: int, size: int) -> str:
    """Return a file's name, followed by its parsed code or by a hash of its content.

    The function uses the parsed code for project source without syntax errors, and the hash for all other files.

    modified, size: the modification time in ns and the size in bytes, used only as parts of the cache key.
    """
    if path.suffix == ".py" and any(path.is_relative_to(folder) for folder in (HOME / "rules", CODE / "littlego")):
        with suppress(SyntaxError, ValueError):  # the author may still be editing the file
            return f"{path.name}\0{read_source(path.read_bytes(), 'rules')}"
    with open(path, "rb") as file:
        return f"{path.name}\0{file_digest(file, 'sha256').hexdigest()}"
