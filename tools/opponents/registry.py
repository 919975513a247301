"""Players by name, as the command line spells them."""

from __future__ import annotations

import os
import shlex

from tools.match.host import FilePlayer, our_player, role_player
from tools.match.referee import Player
from tools.match.series import Pairing
from tools.opponents.erring import NAME as ERRING
from tools.opponents.erring import ErringPlayer
from tools.opponents.human import HumanPlayer
from tools.opponents.ours import OURS, PATTERNS, WITHOUT_OVERRIDES, OursPlayer, today_called
from tools.opponents.perfect import NAME as PERFECT
from tools.opponents.perfect import PerfectPlayer
from tools.opponents.qlearning import BadTable
from tools.opponents.roles import RolePlayer, is_role
from tools.opponents.trained import NAME as TRAINED
from tools.opponents.trained import TrainedPlayer

NAMES = """
  my_player3               our player as the course runs it: a new process every
                           turn, over input.txt and output.txt
  ours                     our rule engine in this process: the same moves,
                           faster, with reasons
  ours:PATH                the same with another patterns.txt, and the
                           overrides.txt beside it
  ours-without-overrides   the patterns alone; also with :PATH
  random, greedy, aggressive, alphabeta
                           the roles of the handout, in this process
  qlearning                the role that learned by playing; qlearning:FILE
                           plays a table of `littlego train`
  championship             the strongest role: it searches, 0.4 s a move on
                           average
  real-championship        what the course's own championship player replied in
                           recorded games, championship elsewhere
  perfect                  exact values from the solver: wins what can be won,
                           sets traps where all is lost
  perfect:RATE             the same, but with this rate, 0.1 for one move in
                           ten, it plays just any legal move
  erring:RATE:PLAYER       any of these, but with this rate it plays just any
                           legal move: erring:0.1:ours
  file:ROLE                one of these roles over the file protocol
  file:COMMAND             any program over the file protocol, in a fresh folder
                           each game; words that name an existing file are made
                           absolute: file:"python3 their_player.py"
  file:cwd=FOLDER:COMMAND  the same in its own folder:
                           file:"cwd=theirs:python3 their_player.py"
  folder:PATH              the my_player program in a folder, in any language of
                           the course, compiled; each game in a fresh copy of
                           the folder. folder:slower=3:PATH: its CPU seconds
                           count three times
  human                    you
"""


class UnknownPlayer(ValueError):
    """A player's name that cannot be understood; the message says which and what is known."""


def make_player(spec: str, seed: int, folder: str | None = None) -> Player:
    """Return the player that a name describes. folder: the work folder of file players, fresh if None."""
    spec = today_called(spec)
    if is_role(spec):
        return RolePlayer(spec, seed)
    if spec == "human":
        return HumanPlayer()
    if spec == "my_player3":
        return our_player(folder)
    kind, _, rest = spec.partition(":")
    if kind == PERFECT and (rest or spec == kind):
        return PerfectPlayer(seed, _rate(spec, rest) if rest else 0.0)
    if kind == ERRING:
        rate, _, whom = rest.partition(":")
        return ErringPlayer(make_player(whom, seed, folder), _rate(spec, rate), seed)
    if kind == TRAINED and rest:
        return _trained(spec, rest, seed)
    if kind in (OURS, WITHOUT_OVERRIDES) and (rest or spec == kind):
        return _ours(kind, rest)
    if kind == "file" and is_role(rest):
        return role_player(rest, seed, folder)
    if kind == "file" and rest:
        return _program(rest, folder)
    if kind == "folder" and rest:
        return _handed_in(rest)
    raise UnknownPlayer(f"unknown player {spec!r}; `littlego play --help` lists those that are known")


def player_for(spec: str, game: Pairing, folder: str | None = None) -> Player:
    """Return the player that a name describes for a game of a series; for tools.match.series.play_game."""
    return make_player(spec, game.seed, folder)


def check(spec: str) -> None:
    """Raise UnknownPlayer where make_player would; make nothing that stays."""
    make_player(spec, 0).close()


def own_folder(spec: str) -> str | None:
    """Return the folder that a name binds a player to, or None: two games at once must not share it."""
    if spec.startswith(f"{ERRING}:"):
        return own_folder(spec.split(":", 2)[-1])
    return _split(spec[5:])[0] if spec.startswith("file:") else None


def _ours(kind: str, path: str) -> OursPlayer:
    if path and not os.path.isfile(path):
        raise UnknownPlayer(f"{kind}:{path}: there is no such file")
    return OursPlayer(path or PATTERNS, kind == OURS)


def _trained(spec: str, path: str, seed: int) -> TrainedPlayer:
    try:
        return TrainedPlayer(path, seed)
    except OSError as error:
        raise UnknownPlayer(f"{spec}: {path} cannot be read: {error.strerror}") from None
    except BadTable as error:
        raise UnknownPlayer(f"{spec}: {error}") from None


def _rate(spec: str, text: str) -> float:
    """Return the rate that a name gives; raise UnknownPlayer."""
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= 1:
        raise UnknownPlayer(f"{spec}: {text!r} is no rate; expected a number from 0 to 1, as 0.1")
    return rate


def _handed_in(text: str) -> FilePlayer:
    from tools.match.programs import BadProgram, player_of, program_at  # what few names need

    slower, path = 1.0, text
    if text.startswith("slower="):
        times, _, path = text[len("slower=") :].partition(":")
        slower = _factor(times)
    try:
        return player_of(program_at(path), slower=slower)
    except BadProgram as error:
        raise UnknownPlayer(f"folder:{text}: {error}") from None


def _factor(text: str) -> float:
    """Return how many times slower a machine is; raise UnknownPlayer."""
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not 0 < factor < float("inf"):
        raise UnknownPlayer(f"folder:slower={text}: expected a number above 0, as in folder:slower=3:theirs")
    return factor


def _split(text: str) -> tuple[str | None, str]:
    """Return (folder or None, command) of what follows `file:`."""
    if not text.startswith("cwd="):
        return None, text
    folder, _, command = text[4:].partition(":")
    return folder, command


def _program(text: str, folder: str | None) -> FilePlayer:
    own, command = _split(text)
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnknownPlayer(f"file:{text}: {error}") from None
    if not words:
        raise UnknownPlayer(f"file:{text}: no command, expected file:COMMAND or file:cwd=FOLDER:COMMAND")
    if own is not None and not os.path.isdir(own):
        raise UnknownPlayer(f"file:{text}: there is no folder {own!r}")
    if own is None:
        words = [os.path.abspath(word) if os.path.isfile(word) else word for word in words]
    return FilePlayer(f"file:{command}", words, own or folder)
