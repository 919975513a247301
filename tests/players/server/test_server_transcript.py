"""Tests of docs/server.md: the transcript has all message types, and a replay differs only in times."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from match_server import plain_client, running_server
from websockets.exceptions import ConnectionClosed

from littlego.cache import ROOT
from littlego.players.server.hall import Plan
from littlego.players.server.operating import Operator

PAGE = ROOT / "docs" / "server.md"
TRANSCRIPT = re.compile(r"^```text\n(server to Black.*?)^```$", re.DOTALL | re.MULTILINE)
STEP = re.compile(r"(server|Black|White|operator) (?:to (server|Black|White|both) )? *(\S.*)")
TIMES = re.compile(r'("(?:remainingTime|deltaTime|idleDeltaTime|B|W)": ?)-?\d+(?=[,}])')
KINDS = {"server": {"NAME", "START", "MOVE", "VALID", "INVALID", "END"}, "client": {"NAME", "MOVE"}}


def steps() -> list[tuple[str, str, str]]:
    """Return (sender, recipient, message) for each step; continuation lines begin with a space."""
    [text] = TRANSCRIPT.findall(PAGE.read_text(encoding="utf-8"))
    found, started = [], "null"
    for line in re.sub(r"\n +", " ", text).splitlines():
        who, whom, what = STEP.fullmatch(line).groups()
        what = what.replace("(the same)", started)
        if what.startswith('{"type": "START"'):
            started = json.dumps(json.loads(what)["configuration"])
        found += [(who, one, what) for one in (("Black", "White") if whom == "both" else (whom,))]
    return found


def timeless(text: str) -> str:
    """Return a message without the parts that differ from game to game."""
    return TIMES.sub(r"\g<1>0", json.dumps(json.loads(text)))


async def play_again(folder) -> None:
    async with running_server(folder, Plan(auto=True, games=1)) as server:
        operator = Operator(server.hall, server.serving.report, lambda: None)
        async with plain_client(server.address) as black, plain_client(server.address) as white:
            clients = {"Black": black, "White": white}
            for who, whom, what in steps():
                if who == "operator":
                    operator.do(what)
                elif who != "server":
                    await clients[who].say(what)
                elif what == '{"type": "NAME"}':
                    assert clients[whom].got == [{"type": "NAME"}]
                else:
                    assert timeless(json.dumps(await clients[whom].take(*KINDS["server"]))) == timeless(what)
            for client in clients.values():
                with pytest.raises(ConnectionClosed):
                    await client.take()


def test_the_transcript_of_the_page_is_what_is_said(tmp_path):
    asyncio.run(play_again(tmp_path))


def test_it_shows_every_type_of_message():
    shown = {"server": set(), "client": set()}
    for who, _, what in steps():
        if who != "operator" and what.startswith('{"type"'):
            shown["server" if who == "server" else "client"].add(json.loads(what)["type"])
    assert shown == KINDS
