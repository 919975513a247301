"""Does a player keep to the handout? Asked before the first game of an unknown program, and by `arena check`.

Two whole games and turns out of the ordinary are played in one folder; then the places where programs keep things are
watched, and a Python program is started under Python 3.7. What cannot be seen is in UNSEEN.
"""

from __future__ import annotations

import ast
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from rules.geometry import points_of
from rules.position import BLACK, PASS, WHITE, Position, opening
from rules.ruleset import LITTLE_GO
from tools.arena.plan import Entrant, Pair
from tools.arena.play import player_of
from tools.arena.players import bare, is_unknown, scripts
from tools.cache import Cache, code_digest, digest
from tools.match.host import FilePlayer
from tools.match.interpreters import NoInterpreter, python37
from tools.match.protocol import INPUT, OUTPUT, Turn, input_text
from tools.match.referee import COLOURS, CPU_LIMIT, Game, Player, Reply, why_illegal
from tools.match.series import count_kinds
from tools.opponents.roles import RolePlayer

SEED_OF_TURNS = 5
PLACES = {
    "HOME": "home",
    "TMPDIR": "tmp",
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
}
LARGEST = 1 << 22  # bytes of a file that are compared; of a larger one its size and time
BYTECODE = "__pycache__"  # Python's own, whoever runs it
FATAL, WARNING, NOTE = "fatal", "warning", "note"
UNSEEN = (
    "not seen: files written outside of its folder, HOME, TMPDIR and the folder of its program; the network; processes "
    "that it leaves behind in a session of their own"
)
SEED = 1
OLD = (3, 7)
PYTHON2 = "my_player.py"  # what the course runs with Python 2.7


def special_turns() -> dict[str, Turn]:
    """Return turns out of the ordinary by what is special about them, in words."""
    empty = opening(LITTLE_GO)
    found = {"the first move of a new game, as Black, in the folder of another game": Turn(empty, (0, 0))}
    after = empty.play(LITTLE_GO.size + 1)
    found["the first move of a new game, as White, in the folder of another game"] = Turn(after, (0, 0))
    for colour, name in ((BLACK, "Black"), (WHITE, "White")):
        found[f"a ko that {name} may not retake"] = _first(lambda at, colour=colour: at.ko and at.colour == colour)
        found[f"a pass of the opponent, {name} to move"] = _after_pass(colour)
    found["Black's last move"] = _first(lambda at: at.left == 2)
    found["White's last move, the last of the game"] = _first(lambda at: at.left == 1)
    return found


def _first(wanted: Callable[[Position], object]) -> Turn:
    return next(turn for turn in _turns() if wanted(turn.position))


def _after_pass(colour: int) -> Turn:
    before = _first(lambda at: at.colour != colour and at.left == 14 + (colour == BLACK)).position
    return Turn(before.play(PASS), (before.black, before.white))


def _turns() -> Iterator[Turn]:
    """Yield the turns of random games without passes, one game after the other."""
    chance = random.Random(SEED_OF_TURNS)
    while True:
        position, before = opening(LITTLE_GO), opening(LITTLE_GO)
        while position.left and (legal := points_of(position.legal())):
            yield Turn(position, (before.black, before.white))
            before, position = position, position.play(chance.choice(legal))


@contextmanager
def places() -> Iterator[tuple[dict[str, str], Path]]:
    """Make empty folders for what programs keep; yield the variables that name them, and the folder that holds them."""
    with tempfile.TemporaryDirectory(prefix="littlego-check-") as name:
        folder = Path(name)
        for place in PLACES.values():
            (folder / place).mkdir()
        yield {variable: str(folder / place) for variable, place in PLACES.items()}, folder


def snapshot(kept: Path, folders: Iterable[Path]) -> dict[Path, str]:
    """Return the files anywhere below `kept` and right in some folders, each with a key for what it holds."""
    paths = chain(kept.rglob("*"), *(folder.iterdir() for folder in folders))
    return {path: _key(path) for path in paths if BYTECODE not in path.parts and not path.is_dir()}


def differences(before: dict[Path, str], after: dict[Path, str]) -> list[str]:
    """Return what happened between two snapshots, a line for each file."""
    made = [f"made {path}" for path in sorted(after.keys() - before.keys())]
    changed = [f"changed {path}" for path in sorted(after.keys() & before.keys()) if after[path] != before[path]]
    return made + changed + [f"removed {path}" for path in sorted(before.keys() - after.keys())]


def _key(path: Path) -> str:
    try:
        found = path.stat()
        if not path.is_file() or found.st_size > LARGEST:
            return f"{found.st_size} {found.st_mtime_ns}"
        return sha256(path.read_bytes()).hexdigest()
    except OSError:  # gone meanwhile, or not to be read
        return ""


class Finding(NamedTuple):
    """Something to know about a player: FATAL loses games, WARNING may in the course, NOTE is good to know."""

    severity: str
    text: str


@dataclass
class Spent:
    """CPU seconds of the moves asked for."""

    moves: int = 0
    cpu: float = 0.0
    slowest: float = 0.0

    def add(self, reply: Reply) -> None:
        """Count a reply."""
        self.moves, self.cpu, self.slowest = self.moves + 1, self.cpu + reply.cpu, max(self.slowest, reply.cpu)


def unknown_findings(players: tuple[Entrant, ...], cpu_limit: float = CPU_LIMIT) -> dict[str, list[Finding]]:
    """Return what is to be said of the programs among the players that are not the house's own, by name.

    What a check found is kept as long as the program stays the same.
    """
    kept, old = Cache("compliance"), _python37()
    ours = code_digest("tools/arena", "tools/match", "rules")
    found = {}
    for player in filter(is_unknown, players):
        key = digest(player.digest, ours, str(cpu_limit), str(old))
        values = kept.get(key)
        if values is None:
            print(f"checking {player.name} before its first game", file=sys.stderr)
            values = findings(bare(player), cpu_limit)
            kept.put(key, values)
        found[player.name] = [Finding(*value) for value in values]
    return found


def findings(entrant: Entrant, cpu_limit: float = CPU_LIMIT) -> list[Finding]:
    """Check a player; return what was found, the worst first."""
    pair = Pair(0, entrant, entrant, SEED, 0, cpu_limit)
    spent = Spent()
    with closing(player_of(entrant, pair)) as player:
        given = _listed(player)
        found = list(_games(player, cpu_limit, spent))
        if not _has_fatal(found):
            found += _specials(player, spent)
        if isinstance(player, FilePlayer) and not _has_fatal(found):
            found += [*_side_effects(player, entrant, given), *_under_old_python(player, entrant)]
        found += _time(spent, cpu_limit)
    return list(_by_kind(found))


def _by_kind(found: list[Finding]) -> Iterator[Finding]:
    """Yield the findings, the worst first; those that differ in their numbers alone once, with how many they are."""
    for severity in (FATAL, WARNING, NOTE):
        for text, count in count_kinds(one.text for one in found if one.severity == severity):
            yield Finding(severity, f"{text} ({count} times)" if count > 1 else text)


def _has_fatal(found: list[Finding]) -> bool:
    return any(one.severity == FATAL for one in found)


def _listed(player: Player) -> set[str]:
    """Return what lies in a program's work folder but for what the host and Python put there."""
    if not isinstance(player, FilePlayer) or not os.path.isdir(player.folder):
        return set()
    return set(os.listdir(player.folder)) - {INPUT, OUTPUT, BYTECODE}


def _games(player: Player, cpu_limit: float, spent: Spent) -> Iterator[Finding]:
    """Play a game as White and one as Black against random, in the player's one folder."""
    for colour in (WHITE, BLACK):
        both = (player, RolePlayer("random", SEED)) if colour == BLACK else (RolePlayer("random", SEED), player)
        record = Game(both, LITTLE_GO, seed=SEED, cpu_limit=cpu_limit).play()
        if record.fault == colour:
            said = f" (it said: {record.note})" if record.note else ""
            yield Finding(FATAL, f"in a game as {COLOURS[colour]}, move {len(record.moves) + 1}: {record.why}{said}")
        for move in record.moves:
            if move.colour == colour:
                spent.add(Reply(move.move, move.cpu))
                yield from _said(move.warning, move.note)


def _specials(player: Player, spent: Spent) -> Iterator[Finding]:
    """Ask for the turns out of the ordinary, the first of them twice."""
    answers = set()
    for number, (name, turn) in enumerate(special_turns().items()):
        for _ in range(1 if number else 2):
            reply = _asked(player, turn)
            spent.add(reply)
            answers.add((number, reply.move))
            if reply.fault:
                yield Finding(FATAL, f"{name}: {reply.fault}")
            yield from _said(reply.warning, reply.note)
            yield from _changed_input(player, turn)
    if len(answers) > len(special_turns()):
        yield Finding(WARNING, "plays otherwise when asked the same once more: its games cannot be replayed exactly")


def _asked(player: Player, turn: Turn) -> Reply:
    """Return the reply to a turn, an illegal move as its fault."""
    try:
        reply = player.choose(turn)
    except Exception as error:  # as the referee has it: a crash loses
        return Reply(None, fault=f"crashed: {type(error).__name__}: {error}")
    if reply.fault or reply.move is None:
        return reply._replace(fault=reply.fault or "gave no move")
    return reply._replace(fault=why_illegal(turn.position, reply.move))


def _said(warning: str, note: str) -> Iterator[Finding]:
    if warning:
        yield Finding(WARNING, warning)
    if note:
        yield Finding(NOTE, f"said on standard error, or with its exit status: {note}")


def _changed_input(player: Player, turn: Turn) -> Iterator[Finding]:
    """Yield a finding where the program wrote to its input.txt: the course's host reads nothing of it."""
    if isinstance(player, FilePlayer):
        path = Path(player.folder, INPUT)
        if not path.is_file() or path.read_bytes() != input_text(turn).encode("ascii"):
            yield Finding(WARNING, f"changes or removes {INPUT}")


def _side_effects(player: FilePlayer, entrant: Entrant, given: set[str]) -> Iterator[Finding]:
    """Ask for two turns while the places where programs keep things are watched."""
    work = Path(player.folder).resolve()
    own = {path.parent.resolve() for path in scripts(entrant)} - {work}
    turns = list(special_turns().items())[1:3]
    extra = player.extra
    with places() as (variables, kept):
        before = snapshot(kept, own)
        player.extra = {**(extra or {}), **variables}
        for name, turn in turns:
            reply = _asked(player, turn)
            if reply.fault:
                yield Finding(WARNING, f"needs its HOME or TMPDIR as they were: with empty ones, {name}: {reply.fault}")
        player.extra = extra
        for line in differences(before, snapshot(kept, own)):
            yield Finding(WARNING, f"outside of its work folder: {line}".replace(str(kept), "..."))
    if left := sorted(_listed(player) - given):
        yield Finding(NOTE, f"keeps in its work folder: {', '.join(left[:10])}{', ...' if len(left) > 10 else ''}")


def _under_old_python(player: FilePlayer, entrant: Entrant) -> Iterator[Finding]:
    """Start a Python program under Python 3.7, or read its source as 3.7 would where there is none."""
    programs = [path for path in scripts(entrant) if path.suffix == ".py"]
    if not programs or PYTHON2 in player.command:
        return
    old = _python37()
    if not old:
        yield Finding(NOTE, "no Python 3.7 here to start it with: only its syntax was checked")
        yield from filter(None, map(_new_syntax, programs))
        return
    number = next((n for n, word in enumerate(player.command) if word.endswith(".py")), None)
    if number is None or player.command[:number] == [old]:
        return
    command, player.command = player.command, [old, *player.command[number:]]
    turn = next(iter(special_turns().values()))
    reply = _asked(player, turn)
    player.command = command
    if reply.fault:
        yield Finding(WARNING, f"under Python 3.7, the course's: {reply.fault} {reply.note}".rstrip())


def _python37() -> str | None:
    try:
        found = python37()
    except NoInterpreter:
        return None
    return found and found.path


def _new_syntax(path: Path) -> Finding | None:
    try:
        ast.parse(path.read_bytes(), os.fspath(path), feature_version=OLD)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        return Finding(WARNING, f"{path.name}, line {line}, is no Python 3.7: {getattr(error, 'msg', error)}")
    return None


def _time(spent: Spent, cpu_limit: float) -> Iterator[Finding]:
    mean = spent.cpu / max(spent.moves, 1)
    text = f"CPU a move: mean {mean:.3f} s, slowest {spent.slowest:.3f} s of {cpu_limit:g} s, {spent.moves} moves"
    yield Finding(WARNING if spent.slowest > cpu_limit / 2 else NOTE, text)
