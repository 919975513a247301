"""Check of a player's compliance with the course's handout. `arena check` runs this check for any player; a tournament
runs the check only for programs by other authors. The check plays two whole games and some unusual turns in one work
folder. For a player that uses the file protocol and has no fatal finding, the check then plays two more turns with HOME
and TMPDIR set to empty folders. The check reports all files that these turns create, change or remove in HOME, TMPDIR
or the program folder, and all files left in the work folder. If this player is a Python program, and Python 3.7 is
installed, the check also runs one turn under Python 3.7. UNSEEN lists the side effects that the check cannot detect.
"""

from __future__ import annotations

import ast
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from littlego.arena.plan import Entrant, Plan
from littlego.arena.play import player_of
from littlego.arena.players import is_to_check, program_files, without_errors
from littlego.arena.store import Store
from littlego.cache import Cache, digest
from littlego.cli.arguments import ArgumentError
from littlego.files import read_limited
from littlego.games.game import why_illegal
from littlego.match.host import FilePlayer
from littlego.match.protocol import Turn, input_text
from littlego.match.referee import COLOURS, CPU_LIMIT, Game, Player, Reply, printable_reply
from littlego.match.series import Pairing, count_kinds
from littlego.meaning import meaning_of
from littlego.players.roles.table import RolePlayer
from littlego.printable import printable
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, WHITE, Position, opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import INPUT, OUTPUT
from littlego.sandbox.interpreters import InterpreterError, python37
from littlego.scratch import prefix

SEED_OF_TURNS = 5
PLACES = {
    "HOME": "home",
    "TMPDIR": "tmp",
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
}
LARGEST = 1 << 22  # maximum bytes of a file whose content is compared; larger files are compared by size and time
BYTECODE = "__pycache__"  # Python creates this folder automatically
FATAL, WARNING, NOTE = "fatal", "warning", "note"
UNSEEN = "not checked: network use; files outside the work folder, HOME, TMPDIR and the program folder"
SEED = 1
PYTHON2 = "my_player.py"  # the course runs this file with Python 2.7


def special_turns() -> dict[str, Turn]:
    """Return the unusual turns of the check as {description: turn}."""
    empty = opening(LITTLE_GO)
    turns = {"the first move of a new game, as Black, in the folder of another game": Turn(empty, (0, 0))}
    second = Turn(empty.play(LITTLE_GO.size + 1), (0, 0))
    turns["the first move of a new game, as White, in the folder of another game"] = second
    for colour, name in ((BLACK, "Black"), (WHITE, "White")):
        turns[f"a ko that {name} must not retake"] = _ko_turn(colour)
        turns[f"a pass by the opponent, {name} to move"] = _after_pass(colour)
    turns["Black's last move"] = _first_turn(lambda at: at.left == 2)
    turns["White's last move, which ends the game"] = _first_turn(lambda at: at.left == 1)
    return turns


def _first_turn(wanted: Callable[[Position], object]) -> Turn:
    return next(turn for turn in _random_turns() if wanted(turn.position))


def _ko_turn(colour: int) -> Turn:
    return _first_turn(lambda at: at.ko and at.colour == colour)


def _after_pass(colour: int) -> Turn:
    before = _first_turn(lambda at: at.colour != colour and at.left == 14 + (colour == BLACK)).position
    return Turn(before.play(PASS), (before.black, before.white))


def _random_turns() -> Iterator[Turn]:
    """Yield the turns of random games without passes; the iterator never ends."""
    chance = random.Random(SEED_OF_TURNS)
    while True:
        position, before = opening(LITTLE_GO), opening(LITTLE_GO)
        while position.left and (legal := points_of(position.legal())):
            yield Turn(position, (before.black, before.white))
            before, position = position, position.play(chance.choice(legal))


@contextmanager
def make_places() -> Iterator[tuple[dict[str, str], Path]]:
    """Yield ({environment variable: path of an empty folder}, the parent of these folders).

    The variables are the keys of PLACES. At the end of the `with` block, remove all folders.
    """
    with tempfile.TemporaryDirectory(prefix=prefix("check")) as name:
        folder = Path(name)
        for place in PLACES.values():
            (folder / place).mkdir()
        yield {variable: str(folder / place) for variable, place in PLACES.items()}, folder


def snapshot(kept: Path, folders: Iterable[Path]) -> dict[Path, str]:
    """Return {path: key} for all files below `kept` and the files directly in `folders`.

    Python's bytecode is omitted. The key is a digest of the file's content. For special files and files larger than
    LARGEST bytes, the key is the size and the modification time. For unreadable files, the key is ''.
    """
    paths = chain(kept.rglob("*"), *(folder.iterdir() for folder in folders))
    return {path: _file_key(path) for path in paths if BYTECODE not in path.parts and not path.is_dir()}


def differences(before: dict[Path, str], after: dict[Path, str]) -> list[str]:
    """Return a line for each file that was created, changed or removed between two snapshots."""
    return [
        *(f"created {path}" for path in sorted(after.keys() - before.keys())),
        *(f"changed {path}" for path in sorted(after.keys() & before.keys()) if after[path] != before[path]),
        *(f"removed {path}" for path in sorted(before.keys() - after.keys())),
    ]


def _file_key(path: Path) -> str:
    try:
        status = path.stat()
        if not path.is_file() or status.st_size > LARGEST:
            return f"{status.st_size} {status.st_mtime_ns}"
        return sha256(path.read_bytes()).hexdigest()
    except OSError:  # the file was deleted in the meantime or is not readable
        return ""


class Finding(NamedTuple):
    """A finding of the compliance check about a player.

    severity: FATAL if the player would lose games, WARNING if the player might lose games in the course, else NOTE.
    """

    severity: str
    text: str


Findings = dict[str, list[Finding]]  # by player name


def check_unknown(players: tuple[Entrant, ...], cpu_limit: float = CPU_LIMIT) -> Findings:
    """Check each program that other authors may have written; return {player's name: findings}.

    GTP engines are not checked. The findings are cached; a changed program is checked again.
    """
    kept, old = Cache("compliance"), _find_python37()
    ours = meaning_of(__name__, "littlego.match")
    checked: Findings = {}
    for player in filter(is_to_check, players):
        key = digest(player.digest, ours, str(cpu_limit), str(old))
        values = kept.get(key)
        if values is None:
            print(f"checking {printable(player.name)} before its first game", file=sys.stderr)
            values = check_player(without_errors(player), cpu_limit)
            kept.put(key, values)
        checked[player.name] = [Finding(*value) for value in values]
    return checked


def refuse_unfit(plan: Plan) -> Findings:
    """Check the programs by other authors in a plan, and return the findings.

    GTP engines are not checked. Raise ArgumentError for a fatal finding. Otherwise, if a program has a warning, print
    all findings about it, including notes.
    """
    checked = check_unknown(plan.players, plan.cpu_limit)
    if unfit := {name: ones for name, ones in checked.items() if any(finding.severity == FATAL for finding in ones)}:
        raise ArgumentError(
            "\n".join(["fix or omit players that would lose games through faults:", *finding_lines(unfit)])
        )
    if doubtful := {
        name: ones for name, ones in checked.items() if any(finding.severity == WARNING for finding in ones)
    }:
        print("\n".join(finding_lines(doubtful)), file=sys.stderr)
    return checked


def keep_findings(store: Store, findings: Findings) -> None:
    """Store the findings about the players in the tournament's file."""
    for name, ones in findings.items():
        store.keep_check(name, [tuple(finding) for finding in ones])


def finding_lines(findings: Findings) -> Iterator[str]:
    """Yield each player's name, followed by a line for each finding about the player."""
    for name, ones in findings.items():
        yield printable(name)
        yield from (f"  {finding.severity:8} {printable(finding.text)}" for finding in ones)


def check_player(entrant: Entrant, cpu_limit: float = CPU_LIMIT) -> list[Finding]:
    """Check a player; return the findings, worst first."""
    spent: list[float] = []  # CPU time of each move, in seconds
    with closing(player_of(entrant, Pairing(0, entrant, None, SEED, 0, cpu_limit))) as player:
        given = _list_work_folder(player)
        findings = list(_play_games(player, cpu_limit, spent))
        if not _has_fatal(findings):
            findings += _play_special_turns(player, spent)
        if isinstance(player, FilePlayer) and not _has_fatal(findings):
            findings += [*_check_side_effects(player, entrant, given), *_check_old_python(player, entrant)]
        findings += _check_time(spent, cpu_limit)
    return list(_group_by_kind(findings))


def _group_by_kind(findings: list[Finding]) -> Iterator[Finding]:
    """Yield one finding for each kind of finding, worst first.

    Findings of one kind have the same severity and differ only in numbers; see count_kinds. If a kind has several
    findings, the text ends with their number.
    """
    for severity in (FATAL, WARNING, NOTE):
        for text, count in count_kinds(finding.text for finding in findings if finding.severity == severity):
            yield Finding(severity, f"{text} ({count} times)" if count > 1 else text)


def _has_fatal(findings: list[Finding]) -> bool:
    return any(finding.severity == FATAL for finding in findings)


def _list_work_folder(player: Player) -> set[str]:
    """Return the file names in a player's work folder, except input.txt, output.txt and __pycache__.

    The result is empty for a player without a work folder.
    """
    if not isinstance(player, FilePlayer) or not player.folder or not os.path.isdir(player.folder):
        return set()
    return set(os.listdir(player.folder)) - {INPUT, OUTPUT, BYTECODE}


def _play_games(player: Player, cpu_limit: float, spent: list[float]) -> Iterator[Finding]:
    """Yield findings from two games against the player `random`, first as White and then as Black.

    Both games use one work folder. spent: a list to which the function appends the CPU seconds of each of the player's
    moves.
    """
    for colour in (WHITE, BLACK):
        both = (player, RolePlayer("random", SEED)) if colour == BLACK else (RolePlayer("random", SEED), player)
        record = Game(both, LITTLE_GO, seed=SEED, cpu_limit=cpu_limit).play()
        if record.fault == colour:
            note = f" (error output or exit status: {record.note})" if record.note else ""
            yield Finding(FATAL, f"in a game as {COLOURS[colour]}, move {len(record.moves) + 1}: {record.why}{note}")
        for move in record.moves:
            if move.colour == colour:
                spent.append(move.cpu)
                yield from _reply_findings(move.warning, move.note)


def _play_special_turns(player: Player, spent: list[float]) -> Iterator[Finding]:
    """Play the unusual turns and yield findings. The first turn is played twice to detect random moves."""
    answers = set()
    for number, (name, turn) in enumerate(special_turns().items()):
        for _ in range(1 if number else 2):
            reply = _ask(player, turn)
            spent.append(reply.cpu)
            answers.add((number, reply.move))
            if reply.fault:
                yield Finding(FATAL, f"{name}: {reply.fault}")
            yield from _reply_findings(reply.warning, reply.note)
            yield from _check_input(player, turn)
    if len(answers) > len(special_turns()):
        yield Finding(WARNING, "plays different moves in the same position: its games cannot be replayed exactly")


def _ask(player: Player, turn: Turn) -> Reply:
    """Return the player's reply to a turn. The reply's fault describes a crash, a missing move or an illegal move."""
    try:
        reply = printable_reply(player.choose(turn))
    except Exception as error:  # a crash is a fault, as in a game with the referee
        return printable_reply(Reply(None, fault=f"crashed: {type(error).__name__}: {error}"))
    if reply.fault or reply.move is None:
        return reply._replace(fault=reply.fault or "gave no move")
    return reply._replace(fault=why_illegal(turn.position, reply.move))


def _reply_findings(warning: str, note: str) -> Iterator[Finding]:
    if warning:
        yield Finding(WARNING, warning)
    if note:
        yield Finding(NOTE, f"error output or exit status: {note}")


def _check_input(player: Player, turn: Turn) -> Iterator[Finding]:
    """Yield a finding if the program changed or removed input.txt, which only the host may write."""
    if isinstance(player, FilePlayer):
        path = Path(player.folder or "", INPUT)
        wanted = input_text(turn).encode("ascii")
        if not path.is_file() or path.stat().st_size != len(wanted) or path.read_bytes() != wanted:
            yield Finding(WARNING, f"changes or removes {INPUT}")


def _check_side_effects(player: FilePlayer, entrant: Entrant, given: set[str]) -> Iterator[Finding]:
    """Yield findings about faults and file changes in two turns with empty HOME and TMPDIR folders.

    The other variables in PLACES also name empty folders. The function reports changes in all these folders and in the
    program's folders, and files left in the work folder. given: the names of the files that were in the work folder
    before the check.
    """
    work = Path(player.folder or "").resolve()
    own = {path.parent.resolve() for path in program_files(entrant)} - {work}
    extra = player.extra
    with make_places() as (variables, kept):
        before = snapshot(kept, own)
        player.extra, player.writable = {**(extra or {}), **variables}, tuple(variables.values())
        for name, turn in list(special_turns().items())[1:3]:
            reply = _ask(player, turn)
            if reply.fault:
                yield Finding(WARNING, f"fails with empty HOME and TMPDIR folders: {name}: {reply.fault}")
        player.extra, player.writable = extra, ()
        for line in differences(before, snapshot(kept, own)):
            yield Finding(WARNING, f"outside its work folder: {line}".replace(str(kept), "..."))
    if left := sorted(_list_work_folder(player) - given):
        yield Finding(
            NOTE, f"leaves files in its work folder: {', '.join(left[:10])}{', ...' if len(left) > 10 else ''}"
        )


def _check_old_python(player: FilePlayer, entrant: Entrant) -> Iterator[Finding]:
    """Run a Python program for one turn under Python 3.7, and yield findings about faults.

    If Python 3.7 is not installed, check only the program's syntax.
    """
    programs = [path for path in program_files(entrant) if path.suffix == ".py"]
    if not programs or PYTHON2 in player.command:
        return
    old = _find_python37()
    if not old:
        yield Finding(NOTE, "Python 3.7 is not installed: only the program's syntax was checked")
        yield from filter(None, map(_check_syntax, programs))
        return
    number = next((n for n, word in enumerate(player.command) if word.endswith(".py")), None)
    if number is None or player.command[:number] == [old]:
        return
    command, player.command = player.command, [old, *player.command[number:]]
    reply = _ask(player, next(iter(special_turns().values())))
    player.command = command
    if reply.fault:
        yield Finding(WARNING, f"under the course's Python 3.7: {reply.fault} {reply.note}".rstrip())


def _find_python37() -> str | None:
    try:
        interpreter = python37()
    except InterpreterError:
        return None
    return interpreter and interpreter.path


def _check_syntax(path: Path) -> Finding | None:
    try:
        ast.parse(read_limited(path), os.fspath(path), feature_version=(3, 7))
    except (SyntaxError, ValueError, OSError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        return Finding(WARNING, f"{path.name}, line {line}, is not valid Python 3.7: {getattr(error, 'msg', error)}")
    return None


def _check_time(spent: Sequence[float], cpu_limit: float) -> Iterator[Finding]:
    mean, slowest = sum(spent) / max(len(spent), 1), max(spent, default=0.0)
    text = f"CPU per move: mean {mean:.3f} s, slowest {slowest:.3f} s (limit {cpu_limit:g} s), {len(spent)} moves"
    yield Finding(WARNING if slowest > cpu_limit / 2 else NOTE, text)
