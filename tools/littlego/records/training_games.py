"""Training games, read from packed games, plain lists of moves, SGF files, and folders of SGF files.

A plain list begins with lines that describe its games, for example `9-dan games on 19x19, komi 6.5, Chinese rules`.
Each further line is a game: the result, a space, and the moves, Black's first, as SGF points without separators. A list
may be compressed with xz.

From lists and SGF files, the reader keeps only the moves that are usable for a match; see `usable_moves`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from littlego.cli.arguments import trying_to
from littlego.files import LARGEST_SERIES, read_limited, short_name
from littlego.games.game import opening, why_illegal
from littlego.games.kinds import UnknownRulesetError
from littlego.games.match import KOMI2, komi2_of, match_rules
from littlego.games.sizes import SGF_SIZE
from littlego.knowledge.problems import plural
from littlego.printable import printable
from littlego.records.charsets import decode_sgf
from littlego.records.main_line import main_line_of
from littlego.records.packed_games import PackedGame, read_packed, unpack
from littlego.records.recorded_games import GamesError
from littlego.records.records import RecordError
from littlego.records.sgf import Root, SgfError, move_of, read_games
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE
from littlego.rules.ruleset import Ruleset

END = 10  # the last 1/END of a game counted by territory is omitted: area counting also rewards moves on neutral points
UNKNOWN = "?"  # the rank of a player whose rank is not recorded
_GAME = re.compile(r"([BW]\+\S*|0|\?|Draw|Jigo|Void)\s+((?:[a-z]{2})+)", re.ASCII)
_RESULT = re.compile(r"([BW])\+(.*)", re.ASCII)
_SIZE = re.compile(r"\b(\d{1,2})x\1\b", re.ASCII)
_KOMI = re.compile(r"\bkomi:? (-?\d{1,3}(?:\.\d+)?)", re.ASCII | re.IGNORECASE)
_RANK = re.compile(r"(\d{1,2})\s*([dkp]|段|级)", re.IGNORECASE)
_AREA = re.compile(r"\b(chinese|aga|ing|goe|tromp|zealand|nz|area)\b", re.IGNORECASE)
_TERRITORY = re.compile(r"japan|korea|territory", re.IGNORECASE)


class TrainingGames(NamedTuple):
    """The games of files or folders. omitted: the number of omitted or shortened games for each reason."""

    games: list[PackedGame]
    omitted: Counter[str]

    @property
    def reports(self) -> list[str]:
        """A line for each reason, such as `2 games omitted: stones are set up`."""
        return [f"{plural(number, 'game')} {reason}" for reason, number in self.omitted.items()]


def read_training_games(*paths: Path) -> TrainingGames:
    """Return the games from files, and from all SGF files in folders.

    Raise ArgumentError if a file cannot be read. Raise GamesError if a folder has no SGF file, or if a file without the
    suffix .sgf has no games in a known format.
    """
    read = [_read(path) for path in paths]
    return TrainingGames([game for one in read for game in one.games], sum((one.omitted for one in read), Counter()))


def _read(path: Path) -> TrainingGames:
    if path.is_dir():
        return _read_folder(path)
    if path.suffix.lower() == ".sgf":
        return _collected(_sgf_games(path))
    name = short_name(path)
    with trying_to(f"read {name}"):
        data = read_limited(path, LARGEST_SERIES)
    try:
        data = unpack(data) if data[:1] == b"\xfd" else data
    except ValueError as error:
        raise GamesError(f"{name}: {error}") from None
    if data.startswith(b"{"):
        return TrainingGames(read_packed(path), Counter())
    return _collected(_listed_games(data.decode("utf-8-sig", "replace"), printable(name)))


def _read_folder(path: Path) -> TrainingGames:
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() == ".sgf" and file.is_file())
    if not files:
        raise GamesError(f"{short_name(path)}: no file ends in .sgf; expected a folder of SGF files")
    return _collected(game for file in files for game in _sgf_games(file))


def _collected(found: Iterable[PackedGame | str]) -> TrainingGames:
    """Return the TrainingGames from an iterable of games and reasons.

    A reason is a text that says why a game was omitted or shortened.
    """
    games, omitted = [], Counter[str]()
    for one in found:
        if isinstance(one, PackedGame):
            games.append(one)
        else:
            omitted[one] += 1
    return TrainingGames(games, omitted)


def _listed_games(text: str, name: str) -> Iterator[PackedGame | str]:
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if _RESULT.match(line) or _game_in(line)), len(lines))
    heading = " ".join(lines[:first])
    if first == len(lines):
        raise GamesError(
            f"{name}: no games; expected a file written by `littlego dev selfplay`, an SGF file, or a list "
            "of games with lines such as `B+R pdddqp`"
        )
    rules = _rules_of(heading, name)
    for number, line in enumerate(lines[first:], first + 1):
        game = _game_in(line)
        if game is None and line.strip():
            raise GamesError(
                f"{name}:{number}: expected a result and moves, such as `B+R pdddqp`, found {printable(line[:40])!r}"
            )
        if game is not None:
            moves = [move_of(game[2][at : at + 2], rules.size) for at in range(0, len(game[2]), 2)]
            yield from _game(rules, moves, game[1], heading, (UNKNOWN, UNKNOWN))


def _game_in(line: str) -> re.Match[str] | None:
    return _GAME.fullmatch(line.strip())


def _rules_of(heading: str, name: str) -> Ruleset:
    """Return the match ruleset that a list's heading describes; by default a board of 19x19 with komi 6.5."""
    size, komi = _SIZE.search(heading), _KOMI.search(heading)
    given = komi[1] if komi else f"{KOMI2 / 2:g}"
    komi2 = komi2_of(float(given))
    if komi2 is None:
        raise GamesError(f"{name}: expected a komi that is a multiple of 0.5, found 'komi {given}'")
    try:
        return match_rules(int(size[1]) if size else SGF_SIZE, komi2, pass_stones=False)
    except UnknownRulesetError as error:
        raise GamesError(f"{name}: {error}") from None


def _sgf_games(path: Path) -> Iterator[PackedGame | str]:
    name = short_name(path)
    with trying_to(f"read {name}"):
        data = read_limited(path, LARGEST_SERIES)
    try:
        roots = read_games(decode_sgf(data).text)
    except SgfError:
        yield "omitted: the file is not SGF"
        return
    for root in roots:
        try:
            yield from _sgf_game(root)
        except RecordError:
            yield "omitted: the start cannot be read"


def _sgf_game(root: Root) -> Iterator[PackedGame | str]:
    if root.text("GM").strip() not in ("", "1"):
        yield "omitted: not Go"
        return
    record = main_line_of(root)
    start = record.start
    if start.ruleset.length:  # a game with a limited number of moves
        yield "omitted: no match is played on a board of this size"
        return
    moves = [played.move for played in record.moves]
    end = first_pass(moves)
    played_moves = record.moves[:end]
    if any(played.setup for played in played_moves) or start.black | start.white or start.colour != BLACK:
        yield "omitted: stones are set up"
        return
    if any(played.colour not in (None, BLACK + ply % 2) for ply, played in enumerate(played_moves)):
        yield "omitted: the players do not alternate"
        return
    ranks = rank_of(root.text("BR")), rank_of(root.text("WR"))
    yield from _game(start.ruleset, moves, root.text("RE").strip(), root.text("RU"), ranks)
    if record.broken and end == len(moves):
        yield "shortened before a move that cannot be read"


def rank_of(text: str) -> str:
    """Return the rank at the start of a text, such as `5d`, `3k` or `9p`, or UNKNOWN if there is none."""
    rank = _RANK.match(text.strip())
    return f"{rank[1]}{'dk'['段级'.index(rank[2])] if rank[2] in '段级' else rank[2].lower()}" if rank else UNKNOWN


def _game(
    rules: Ruleset, moves: Sequence[int | None], result: str, counting: str, ranks: tuple[str, str]
) -> Iterator[PackedGame | str]:
    """Yield the game if it has usable moves, then the reason why moves are unusable or missing, if any.

    moves: points or PASS; None for an unreadable move. counting: a text that names the counting rules.
    """
    kept, reason = usable_moves(rules, moves, _is_counted(result) and not _counts_area(counting))
    won = _RESULT.match(result)
    winner = {"B": BLACK, "W": WHITE}[won[1]] if won else 0
    if kept:
        yield PackedGame(rules, ranks, ("", ""), 0, 0, winner, printable(result)[:20], 0, tuple(kept))
    if reason or not kept:
        yield reason or "omitted: no moves"


def first_pass(moves: Sequence[int | None]) -> int:
    """Return the index of a game's first pass or resignation, or the number of moves if there is none."""
    return next((ply for ply, move in enumerate(moves) if move in (PASS, RESIGN)), len(moves))


def usable_moves(rules: Ruleset, moves: Sequence[int | None], counts_territory: bool) -> tuple[list[int], str]:
    """Return (the usable moves from a game's start, the reason why these moves end early or "").

    The first pass and all later moves are omitted, because a pass in a match gives the opponent a prisoner. If a game
    was counted by territory, the last 1/END of its moves is omitted too. An unreadable move, or a move that is illegal
    in a match, also ends the usable moves; only these two cases give a reason.
    """
    end = first_pass(moves)
    if counts_territory:
        end = min(end, len(moves) - len(moves) // END)
    position, kept = opening(rules), list[int]()
    for move in moves[:end]:
        if move is None or why_illegal(position, move):
            return kept, "shortened before a move that is illegal in a match"
        kept.append(move)
        position = position.play(move)
    return kept, ""


def _is_counted(result: str) -> bool:
    """Return whether a game ended by counting.

    Return False for a game that ended by resignation, time or forfeit, and for an unknown result.
    """
    won = _RESULT.match(result)
    return result in ("0", "Draw", "Jigo") if won is None else won[2][:1].isdigit()


def _counts_area(counting: str) -> bool:
    return bool(_AREA.search(counting)) and not _TERRITORY.search(counting)
