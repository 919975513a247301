"""Go Text Protocol transcripts in pages: replay of the commands, and update of the answers.

A block fenced as `gtp` is a game on 5x5 by the rules of Little-Go; `gtp match 9` is a game on 9x9 by the match rules. A
line that begins with `> ` is a command. The lines below a command are the engine's answer, without the final blank
line. The engine plays by our patterns and reports version 1.0. `littlego dev regenerate pages` writes the current
answers into the pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from littlego.games.game import ruleset_named
from littlego.players.gtp.cli import PACKAGE, engine_for
from littlego.players.gtp.session import Session
from littlego.players.ours import OursPlayer

VERSION = "1.0"
_BLOCK = re.compile(r"^```gtp(?: (?P<game>match) (?P<size>\d+))?\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


class Exchange(NamedTuple):
    """A command, the line number of the command on the page (from 1), and the lines of the answer."""

    line: int
    command: str
    answer: list[str]


class Transcript(NamedTuple):
    """A transcript block: the name of the ruleset, and the exchanges."""

    ruleset: str
    exchanges: list[Exchange]


def read_transcripts(page: str) -> list[Transcript]:
    """Return the transcripts of a page, in order."""
    results = []
    for block in _BLOCK.finditer(page):
        exchanges: list[Exchange] = []
        first = page[: block.start("text")].count("\n") + 1
        for line, text in enumerate(block["text"].splitlines(), first):
            if text.startswith("> "):
                exchanges.append(Exchange(line, text[2:], []))
            else:
                exchanges[-1].answer.append(text)
        results.append(Transcript(f"{block['game']}-{block['size']}" if block["game"] else "little-go", exchanges))
    return results


def replay(transcript: Transcript) -> Iterator[tuple[Exchange, list[str]]]:
    """Yield each exchange with the lines of the engine's current answer."""
    ruleset, player = ruleset_named(transcript.ruleset), OursPlayer()
    engine = engine_for(Session(ruleset, player, PACKAGE, VERSION, lambda text: None))
    for exchange in transcript.exchanges:
        written: list[str] = []
        engine.answer(exchange.command.encode(), written.append)
        yield exchange, "".join(written).rstrip("\n").split("\n")


def update_transcripts(page: str) -> str:
    """Return the page with the engine's current answers."""
    lines, moved = page.splitlines(), 0
    for transcript in read_transcripts(page):
        for exchange, answer in replay(transcript):
            begin = exchange.line + moved
            lines[begin : begin + len(exchange.answer)] = answer
            moved += len(answer) - len(exchange.answer)
    return "\n".join(lines) + "\n"
