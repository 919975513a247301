"""Answers about players: the list of players, a player's reply, and a game between two players."""

from __future__ import annotations

import time
from collections.abc import Generator
from shlex import quote
from typing import Any

from littlego.editor.games import StudioGame, game_json, positions_of, read_game, winner_of, with_move, word
from littlego.editor.methods import Refusal, ask, job
from littlego.editor.players import THIS_FILE, built_in, ongoing_positions, player_named, turn_of
from littlego.editor.players import play_out as play_both
from littlego.editor.positions import position_text
from littlego.editor.session import Session
from littlego.games.clock import Times
from littlego.games.game import opening
from littlego.match.referee import TIME_UP, printable_reply
from littlego.printable import printable
from littlego.rules.position import BLACK, WHITE

Events = Generator[dict[str, Any], None, dict[str, Any]]
MOST_GAMES = 40  # maximum number of games until a loss
LOSERS = {"black": WHITE, "white": BLACK}  # name of the losing side -> the winner's colour
SLOW_PERFECT = (
    "This player thinks for a long time early in a game. Its first move takes longest, because its engine is compiled "
    "then. The page shows the time and can stop the player."
)


@ask("players")
def players(session: Session) -> dict[str, Any]:
    """Return the available opponents.

    Each opponent has the keys name, about (a description), argument (whether the name needs an argument) and slow (a
    warning about a long thinking time, or '').
    """
    from littlego.players import perfect
    from littlego.players.registry import MUST  # lazy: loads the code that runs programs

    found = [
        {
            "name": THIS_FILE,
            "about": f"the current patterns of {session.filename}",
            "argument": False,
            "slow": "",
        }
    ]
    for name in session.snapshot.players:
        found.append({"name": name, "about": "named by --player", "argument": False, "slow": ""})
    for kind in built_in().values():
        slow = SLOW_PERFECT if kind.word == perfect.NAME else ""
        found.append({"name": kind.word, "about": kind.forms[0][1], "argument": kind.takes == MUST, "slow": slow})
    return {"players": found}


@job("reply", lasting=True)
def reply(
    session: Session,
    *,
    game: str,
    player: str = THIS_FILE,
    seed: int = 0,
    black: float | None = None,
    white: float | None = None,
) -> Events:
    """Return a player's reply in an unfinished game.

    player: the player's name. seed: the seed of the player's random choices. black, white: seconds on the players'
    clocks, null in a game without clocks. In the answer, `said` is the reason for the move, and `seconds` is the time
    used. `fault` says why the reply loses the game, or is '' if the reply is valid. After a fault, `move` and `game`
    are null. Otherwise `game` is the game with the move: see games.game_json. `left` is the number of seconds on the
    player's clock after the reply, or null without clocks.
    """
    played = read_game(game, session.entries.ruleset.name)
    positions = ongoing_positions(played)
    yield {"progress": [0, 1]}
    times = None if black is None or white is None else Times(black, white)
    turn = turn_of(played, positions)._replace(times=times)
    rules = turn.position.ruleset
    chooser = player_named(session, player, seed + turn.position.number, rules)
    try:
        chooser.prepare(rules)  # loading time does not count as thinking time
        began = time.monotonic()
        made = printable_reply(chooser.choose(turn))
        seconds = time.monotonic() - began
    finally:
        chooser.close()
    left = None if times is None else times.of(turn.position.colour) - seconds
    fault = made.fault or (TIME_UP if left is not None and left <= 0 else "")
    told = {"player": player, "said": made.reason, "seconds": seconds, "left": left}
    if fault or made.move is None:
        return {"move": None, "fault": fault or "it made no move", "game": None, **told}
    after = game_json(with_move(played, made.move, made.reason, left))
    return {"move": word(made.move, rules.size), "fault": "", "game": after, **told}


@job("play_out", lasting=True)
def play_out(
    session: Session, *, game: str, black: str = THIS_FILE, white: str = THIS_FILE, seed: int = 0, until: str = ""
) -> Events:
    """Yield the game after each move of two players, until the game ends or has the maximum length.

    black, white: the players' names. seed: the seed of the players' random choices. until: black, white, or '' to play
    a single game. If `until` is black or white, the job plays games with successive seeds until this side loses, but at
    most MOST_GAMES games. In this case, the job yields each game only once, after the last move.

    A result is a game: see games.game_json. In the answer, `moves` is the number of moves added in the last game, `end`
    says how this game ended, and `seed` is the seed of this game. `games` is the number of games played. `lost` is true
    if the side that `until` names lost the last game. `command` is the shell command that plays the last game with the
    saved patterns; see play_command.
    """
    if until not in ("", *LOSERS):
        raise Refusal("invalid", f"until: found {printable(until[:40])}; expected black, white or an empty string")
    played, names = read_game(game, session.entries.ruleset.name), (black, white)
    after, is_lost, number = played, False, 0
    for number in range(MOST_GAMES if until else 1):
        yield {"progress": [number, MOST_GAMES if until else 0]}
        for after in play_both(session, played, names, seed + number):
            if not until:
                yield {"result": game_json(after)}
        if until:
            yield {"result": game_json(after)}
            is_lost = winner_of(after, positions_of(after)) == LOSERS[until]
        if is_lost:
            break
    return {
        "moves": len(after.record.moves) - len(played.record.moves),
        "end": game_json(after)["end"],
        "seed": seed + number,
        "games": number + 1,
        "lost": is_lost,
        "command": play_command(session, played, names, seed + number),
    }


def play_command(session: Session, game: StudioGame, names: tuple[str, str], seed: int) -> str:
    """Return the shell command that plays the game from the start between two players, or ''.

    Return '' if `game` already has moves or starts from a position other than the ruleset's initial position.
    """
    start = game.record.start
    if game.record.moves or position_text(start) != position_text(opening(start.ruleset)):
        return ""
    black, white = (quote(session.filename if name == THIS_FILE else printable(name)) for name in names)
    return f"littlego play --black {black} --white {white} --seed {seed} --brief"
