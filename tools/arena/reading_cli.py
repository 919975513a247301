"""The commands that read a tournament's file: `arena table`, `games`, `sgf` and `replay`."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from shlex import quote

from tools.arena.report_cli import add_anchor, check_anchor
from tools.arena.results import Result
from tools.arguments import FINDINGS, FINE, ArgumentError, add_json, complaining, trying_to
from tools.draw.boards import move_text
from tools.files import STANDARD_OUTPUT, write_json, write_text


def add_parser(commands) -> None:
    """Add the commands to `littlego arena`."""
    table = _add(commands, "table", "the table of a tournament, also while it is played", _table)
    add_anchor(table)
    add_json(table)
    games = _add(commands, "games", "its games, one a line", _games)
    _add_lost_by(games)
    add_json(games)
    sgf = _add(commands, "sgf", "its games as SGF with our reasons, to stdout or a folder", _sgf)
    sgf.add_argument("numbers", nargs="*", type=_game_number, metavar="NUMBER", help="of games (default: all)")
    _add_lost_by(sgf)
    sgf.add_argument("--out", type=Path, metavar="FOLDER", help="write each game to a file FOLDER/game-NUMBER.sgf")
    replay = _add(commands, "replay", "play a game again from its seed: is it the same, move for move?", _replay)
    replay.add_argument("number", type=_game_number, metavar="NUMBER")


def _add(commands, name: str, text: str, run) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text[0].upper() + text[1:])
    parser.add_argument("file", metavar="FILE")
    parser.set_defaults(run=complaining(run))
    return parser


def _add_lost_by(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lost-by", metavar="PLAYER", help="only the games that this player lost")


def _game_number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"expected the number of a game, found {text!r}")
    return int(text)


def _table(args: argparse.Namespace) -> int:
    from tools.arena.show import header, show_table
    from tools.arena.store import Store

    with Store(args.file) as store:
        check_anchor(args.anchor, store)
        if args.json != STANDARD_OUTPUT:
            print(header(store))
        show_table(store, args.json, args.anchor)
    return FINE


def _games(args: argparse.Namespace) -> int:
    from tools.arena.show import game_lines, result_json
    from tools.arena.store import Store

    with Store(args.file) as store:
        found = _chosen(store, args.lost_by)
    if args.json != STANDARD_OUTPUT:
        print("\n".join(game_lines(found)))
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, [result_json(result) for result in found])
    return FINE


def _chosen(store, loser: str | None) -> list[Result]:
    """Return the games of a tournament, all or those that a player lost; raise ArgumentError for an unknown player."""
    names = store.plan().names
    if loser is not None and loser not in names:
        raise ArgumentError(f"no player {loser} in {store.name}; expected one of {', '.join(names)}")
    return [result for result in store.results() if loser is None or result.loser == loser]


def _sgf(args: argparse.Namespace) -> int:
    from tools.arena.show import game_sgf
    from tools.arena.store import Store

    with Store(args.file) as store:
        found = {result.number: result for result in _chosen(store, args.lost_by)}
        if missing := [number for number in args.numbers if number not in found]:
            raise _no_game(store, missing[0], f" that {args.lost_by} lost" if args.lost_by else "")
        for number in args.numbers or found:
            text = game_sgf(store, found[number])
            if args.out is None:
                sys.stdout.write(text)
            else:
                _write(args.out / f"game-{number}.sgf", text)
    return FINE


def _write(path: Path, text: str) -> None:
    with trying_to(f"write {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)


def _replay(args: argparse.Namespace) -> int:
    """Play a game again; return FINDINGS where it is another one."""
    from tools.arena.play import play_game
    from tools.arena.players import changed
    from tools.arena.store import Store

    with Store(args.file) as store:
        old = _record(store, args.number)
        plan = store.plan()
    pair, half = divmod(args.number, 2)
    new = play_game(plan.pair(pair), half).record
    if old.key == new.key and (old.winner, old.fault) == (new.winner, new.fault):
        print(f"game {args.number}: the same again, move for move; {old.why}")
        return FINE
    both = zip(old.key, new.key, strict=False)
    ends = min(len(old.key), len(new.key)) + 1
    number = next((number for number, (then, now) in enumerate(both, 1) if then != now), ends)
    was, plays = _move(old, number), _move(new, number)
    print(f"game {args.number}: another game from move {number} on: {was} then, {plays} now")
    if names := changed(plan.players):
        print(f"{' and '.join(names)} changed since")
    return FINDINGS


def _record(store, number: int):
    try:
        return store.record(number)
    except KeyError:
        raise _no_game(store, number) from None


def _no_game(store, number: int, which: str = "") -> ArgumentError:
    lists = f"`littlego arena games {quote(store.name)}` lists its games"
    return ArgumentError(f"{store.name} has no game {number}{which}; {lists}")


def _move(record, number: int) -> str:
    if number > len(record.moves):
        return f"the end ({record.why})"
    return move_text(record.moves[number - 1].move, record.ruleset.size)
