"""Conversations of tests with a GTP engine in this process, line by line."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable

from littlego.match.referee import Player
from littlego.players.gtp.cli import engine_for
from littlego.players.gtp.protocol import Engine, Lines
from littlego.players.gtp.session import Session
from littlego.players.registry import make_player
from littlego.rules.ruleset import LITTLE_GO, Ruleset


class Talk:
    """A conversation between a front end and an engine. said: the engine's messages to the user."""

    def __init__(self, ruleset: Ruleset = LITTLE_GO, player: str | Player = "random") -> None:
        self.said: list[str] = []
        mover = make_player(player, 0) if isinstance(player, str) else player
        self.session = Session(ruleset, mover, "ours", "1.0", self.said.append)
        self.engine = engine_for(self.session)

    def ask(self, command: str) -> str:
        """Return the answer to one line, without the terminating blank line; '' if there is no answer."""
        answers = answers_of(self.engine, [command.encode("utf-8", "surrogateescape")])
        assert len(answers) <= 1
        return answers[0] if answers else ""

    def ask_all(self, script: str) -> list[str]:
        """Return the answer to each line of a script."""
        return [self.ask(line) for line in script.strip().splitlines()]


def answers_of(engine: Engine, lines: Iterable[bytes]) -> list[str]:
    """Return an engine's answers to lines that arrive together, each without the terminating blank line."""
    written: list[str] = []
    engine.run(Lines(reader(b"\n".join(lines) + b"\n")), written.append)
    return split_answers("".join(written))


def split_answers(text: str) -> list[str]:
    """Return the answers in an engine's output; each must end with a blank line."""
    assert not text or text.endswith("\n\n"), text[-100:]
    return text.split("\n\n")[:-1]


def reader(data: bytes, at_once: int = 65_536) -> Callable[[], bytes]:
    """Return a function that returns the bytes in pieces, as a pipe does."""
    stream = io.BytesIO(data)
    return lambda: stream.read(at_once)
