"""The players of a tournament from what people type, and what each of them is: has it changed since?

A player is all that decides its moves: the engine and its knowledge, the source of a role, a program's files. A
digest of it is kept with the tournament, so that results of different players are never added up as one player's.
"""

from __future__ import annotations

import ast
import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from zlib import compress, decompress

from rules.turn import INPUT, OUTPUT
from tools.arena.plan import Entrant
from tools.arguments import ArgumentError
from tools.cache import ROOT, digest
from tools.data import HOME
from tools.effects.books import is_revision, read_beside, read_compiled
from tools.knowledge.overrides import FORMER_NAME
from tools.knowledge.overrides import NAME as OVERRIDES
from tools.match.programs import ACCEPTED
from tools.opponents import registry, roles
from tools.opponents.erring import NAME as ERRING
from tools.opponents.erring import ErringPlayer
from tools.opponents.ours import OURS, WITHOUT_OVERRIDES, today_called
from tools.opponents.roles import is_role
from tools.opponents.trained import NAME as TRAINED

PATTERN_FILES = (".yaml", ".yml", ".txt")
SOURCES = (".py", ".cpp", ".java")
FOLDERS = 100  # at most, in which the modules of a program are looked for
OUR_NAME = "my_player3"
KNOWN = f"""{registry.NAMES.rstrip()}
  patterns.yaml            a patterns.yaml or patterns.txt, or a revision's,
                           such as HEAD:patterns.yaml, played by the engine of
                           today without overrides; ours:FILE takes the
                           overrides.txt beside it too
"""


def entrants(names: Sequence[str]) -> tuple[Entrant, ...]:
    """Return the players of these names, unique ones where a name comes twice; raise ArgumentError."""
    taken: dict[str, int] = {}
    found = []
    for name in names:
        taken[name] = taken.get(name, 0) + 1
        number = f"#{taken[name]}" if taken[name] > 1 else ""
        found.append(_entrant(name)._replace(name=name + number))
    return tuple(found)


def find_changed(players: Iterable[Entrant]) -> list[str]:
    """Return the names of the players that are not what they were when their digests were made."""
    return [player.name for player in players if identity(player) != player.digest]


def one_at_a_time(player: Entrant) -> bool:
    """Return whether two games with this player at once would disturb each other."""
    return registry.own_folder(player.spec) is not None


def without_errors(player: Entrant) -> Entrant:
    """Return who errs at a rate as the player that never does."""
    while player.spec.startswith(f"{ERRING}:"):
        player = player._replace(spec=player.spec.split(":", 2)[2])
    return player


def is_unknown(player: Entrant) -> bool:
    """Return whether a player is a program that somebody else may have written."""
    kind, _, rest = without_errors(player).spec.partition(":")
    return kind == "folder" or kind == "file" and not is_role(rest)


def program_files(player: Entrant) -> list[Path]:
    """Return the files that a program's command names, or what lies in its folder; nothing for other players."""
    if player.spec.startswith("folder:"):
        return _deciding_files(player)
    if player.spec == OUR_NAME:
        return [HOME / "my_player3.py"]
    return _named_files(player.spec) if is_unknown(player) else []


def identity(player: Entrant) -> str:
    """Return a key that stands for all that decides a player's moves today."""
    book = (_hash_unpacked(packed) for packed in (player.patterns, player.overrides) if packed)
    return digest(player.spec, *book, *(_hash_file(path) for path in _deciding_files(player)))


def _entrant(name: str) -> Entrant:
    name = today_called(name)
    kind, _, rest = name.partition(":")
    if kind == ERRING:
        rate, _, whom = rest.partition(":")
        _check_name(f"{ERRING}:{rate}:random")
        player = _entrant(whom)
        player = player._replace(name=name, spec=f"{ERRING}:{rate}:{player.spec}")
    elif kind in (OURS, WITHOUT_OVERRIDES) and rest:
        player = _with_book(name, kind, rest)
    elif name.endswith(PATTERN_FILES) and kind not in ("file", "folder", TRAINED):
        player = _with_book(name, WITHOUT_OVERRIDES, name)
    else:
        player = Entrant(name, _check_name(name), "")
    return player._replace(digest=identity(player))


def _with_book(name: str, kind: str, path: str) -> Entrant:
    overrides = (read_beside(path, OVERRIDES) or read_beside(path, FORMER_NAME)) if kind == OURS else b""
    return Entrant(name, kind, "", compress(read_compiled(path)), overrides and compress(overrides))


def _check_name(name: str) -> str:
    """Return what the registry makes a player from in every folder; raise ArgumentError."""
    if name == "human":
        raise ArgumentError("a person plays one game at a time: use littlego play")
    kind, _, rest = name.partition(":")
    try:
        registry.check(name)
    except registry.UnknownPlayer as error:
        if rest and is_revision(kind):
            read_compiled(name)  # it says what is wrong with it
        raise ArgumentError(str(error)) from None
    if kind == "folder":
        slower, path = _split_folder(rest)
        return f"folder:{slower}{os.path.abspath(path)}"
    own = registry.own_folder(name)
    if own is not None:
        return f"file:cwd={os.path.abspath(own)}:{rest.partition(':')[2]}"
    if kind == "file" and not is_role(rest):
        words = shlex.split(rest)
        return "file:" + shlex.join(os.path.abspath(word) if os.path.isfile(word) else word for word in words)
    return f"{kind}:{os.path.abspath(rest)}" if os.path.isfile(rest) else name


def _deciding_files(player: Entrant) -> list[Path]:
    """Return the files that decide a player's moves, but for the book that it brings."""
    engine = _files_below("rules", ".py")
    kind, _, rest = today_called(player.spec).partition(":")
    if kind == ERRING:
        return [*_find_imported(ROOT, ErringPlayer.__module__), *_deciding_files(without_errors(player))]
    ours = [ROOT / "tools/opponents/ours.py"] if kind in (OURS, WITHOUT_OVERRIDES) else []
    if player.patterns:
        return [*engine, *ours]
    if kind in (OURS, WITHOUT_OVERRIDES, OUR_NAME):
        return [*engine, *ours, *(HOME / name for name in ("my_player3.py", "patterns.txt", OVERRIDES))]
    if kind == "folder":
        path = Path(_split_folder(rest)[1])
        folder = path if path.is_dir() else path.parent
        with_engine = engine if folder.resolve() == HOME else []  # our player comes with its engine
        return [*_accepted_files(folder), *with_engine]
    if kind == "file" and not is_role(rest):
        return _program_files(player.spec)
    brought = [Path(rest)] if os.path.isfile(rest) else []
    return [*engine, ROOT / "tools/opponents/roles.py", *_opponent_files(rest if kind == "file" else kind), *brought]


def _opponent_files(kind: str) -> list[Path]:
    """Return the source of one of our opponents and of all that it imports, and the tables beside these modules."""
    tables = (roles.ROLES, roles.SECOND_STAGE, roles.REASONED)
    start = next((table[kind].__module__ for table in tables if kind in table), f"tools.opponents.{kind}")
    modules = _find_imported(ROOT, start) or _find_imported(ROOT, registry.__name__)
    stems = {path.stem for path in modules if path.parent == ROOT / "tools/opponents"}
    data = _accepted_files(ROOT / "tools/opponents", (".txt", ".json"))
    return [*modules, *(path for path in data if path.stem.startswith(tuple(stems)))]


@cache
def _find_imported(root: Path, start: str) -> tuple[Path, ...]:
    """Return the source of a module below a folder and of all that it imports from there; empty if there is none."""
    found: dict[str, Path] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        place = root.joinpath(*name.split("."))
        path = next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)
        if path and name not in found:
            found[name] = path
            waiting += () if name == roles.__name__ else _imports(path)  # it imports all roles
    return tuple(sorted(found.values()))


def _imports(path: Path) -> Iterator[str]:
    """Yield what a module imports, anywhere in it; of what `from` takes it cannot be told what is a module."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{name.name}" for name in node.names))
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def _split_folder(rest: str) -> tuple[str, str]:
    """Return what follows `folder:` as (`slower=F:` or '', path)."""
    slower, _, path = rest.partition(":")
    return (slower + ":", path) if slower.startswith("slower=") else ("", rest)


def _named_files(spec: str) -> list[Path]:
    """Return the files that a command names."""
    own = registry.own_folder(spec)
    command = spec.partition(":")[2] if own is None else spec.partition(":")[2].partition(":")[2]
    return [path for word in shlex.split(command) if (path := Path(own or "", word)).is_file()]


def _program_files(spec: str) -> list[Path]:
    """Return the files that a command names, those beside them that its program may read, and Python below."""
    named = _named_files(spec)
    folders = {path.parent for path in named if path.suffix in ACCEPTED}
    beside = SOURCES if registry.own_folder(spec) else ACCEPTED  # in a folder of its own it may keep notes
    found = {*named, *(path for folder in folders for path in _accepted_files(folder, beside))}
    for folder in {path.parent for path in named if path.suffix == ".py"}:
        found.update(_python_below(folder))
    return sorted(found)


def _python_below(folder: Path) -> Iterator[Path]:
    """Yield the Python below a folder, of FOLDERS folders at most: a program may lie in somebody's home."""
    for place, below, names in islice(os.walk(folder), FOLDERS):
        below[:] = sorted(name for name in below if _may_hold_modules(Path(place, name)))
        yield from (Path(place, name) for name in names if name.endswith(".py"))


def _may_hold_modules(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name == "__pycache__"
    return not hidden and not (folder / "pyvenv.cfg").exists()  # nor is it a virtual environment


def _accepted_files(folder: Path, endings: tuple[str, ...] = ACCEPTED) -> list[Path]:
    return sorted(
        path
        for path in (folder.iterdir() if folder.is_dir() else ())
        if path.suffix in endings and path.name not in (INPUT, OUTPUT) and path.is_file()
    )


def _files_below(folder: str, *endings: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in endings)


@lru_cache(maxsize=16)
def _hash_unpacked(packed: bytes) -> str:
    return sha256(decompress(packed)).hexdigest()


def _hash_file(path: Path) -> str:
    try:
        found = path.stat()
        return _hash(path, found.st_mtime_ns, found.st_size)
    except OSError:
        return f"{path.name}\0missing"


@lru_cache(maxsize=4096)
def _hash(path: Path, modified: int, size: int) -> str:
    """Return the hash of a file as of a time; to look whether it is still that time's costs next to nothing."""
    return f"{path.name}\0{sha256(path.read_bytes()).hexdigest()}"
