"""The operator's commands, one per line: view, join, leave, swap, start, stop, clear, quit and help.

With several tables, a command may end with a table's number, as in `view 3`; the default is the first table.
"""

from __future__ import annotations

from collections.abc import Callable

from littlego.files import short_name
from littlego.games.boards import board_text
from littlego.match.referee import COLOURS
from littlego.players.server.hall import Client, Hall, Table
from littlego.players.server.messages import shorten
from littlego.players.server.report import Report
from littlego.printable import printable
from littlego.rules.position import BLACK, WHITE

HELP = """\
view             list clients, board, score and clocks
join ID COLOUR   give a client a seat, as in `join 2 black`
leave ID         free a client's seat
swap             swap the colours
start            start a game, or resume the stopped game
stop             stop the game and both clocks
clear            set the stopped game aside (discarded-TIME.json), so that the next game is new
quit             stop the game and the server; the next server resumes the game
With several tables, add a table's number, as in `view 3`."""
_COLOURS = {"black": BLACK, "b": BLACK, "white": WHITE, "w": WHITE}


class _Refused(Exception):
    """Raised for a command that is invalid or not possible now; the message gives the reason."""


class Operator:
    """The interpreter of the operator's commands. end: the function that `quit` calls."""

    def __init__(self, hall: Hall, report: Report, end: Callable[[], None]) -> None:
        self.hall = hall
        self.report = report
        self.end = end
        self._commands: dict[str, tuple[int, Callable[..., str]]] = {  # number of arguments, not counting the table
            "view": (0, self._view),
            "join": (2, self._join),
            "leave": (1, self._leave),
            "swap": (0, self._swap),
            "start": (0, self._start),
            "stop": (0, self._stop),
            "clear": (0, self._clear),
        }

    def do(self, line: str) -> None:
        """Run a command and report its result."""
        if answer := self.answer(line):
            self.report.say(answer)

    def answer(self, line: str) -> str:
        """Run a command and return its result, or '' if there is nothing to report."""
        words = line.split()
        if not words:
            return ""
        name, rest = words[0].lower(), words[1:]
        if name in ("quit", "exit"):
            self.end()
            return ""
        if name in self._commands:
            return self._do(name, rest)
        return ("" if name in ("help", "?") else f"unknown command {shorten(name)!r}; expected one of:\n") + HELP

    def _do(self, name: str, words: list[str]) -> str:
        takes, act = self._commands[name]
        try:
            if len(words) not in (takes, takes + 1):
                raise _Refused(f"{name}: expected {takes} argument{'s' * (takes != 1)}; `help` lists the commands")
            table = self._table(words[takes]) if len(words) > takes else self.hall.tables[0]
            return act(table, *words[:takes])
        except _Refused as error:
            return str(error)
        except OSError as error:
            return f"{name}: {error.strerror or error}"

    def _table(self, word: str) -> Table:
        tables = self.hall.tables
        number = int(word) if word.isdecimal() and len(word) < 6 else 0
        if not 1 <= number <= len(tables):
            raise _Refused(f"no table {shorten(word)}: expected 1 to {len(tables)}")
        return tables[number - 1]

    def _client(self, word: str) -> Client:
        client = self.hall.clients.get(int(word) if word.isdecimal() and len(word) < 10 else 0)
        if client is None or not client.name:
            raise _Refused(f"no client {shorten(word)}; `view` lists the clients")
        return client

    def _view(self, table: Table) -> str:
        lines = [_client_line(client) for client in self.hall.clients.values()] or ["no clients"]
        game, size = table.game, table.game.position.ruleset.size
        last = game.log.moves[-1].move if game.log.moves else -1
        board = board_text(size, game.position.black, game.position.white, last if last >= 0 else None)
        state = "over" if game.log.ending else "running" if game.running else "stopped" if game.begun else "not begun"
        lines += [board, f"{game.position.ruleset.name}: {state}, {len(game.log.moves)} moves"]
        for colour in (BLACK, WHITE):
            held, seconds = game.position.prisoners[colour - 1], game.remaining[colour - 1] / 1000
            seated = table.seats[colour]
            name = table.names[colour - 1] or (seated.name if seated else "nobody yet")
            score = f"{game.scores[colour - 1]:g} points, {held} prisoners, {seconds:.1f} s left"
            mover = ", to move" if colour == game.mover and not game.log.ending else ""
            lines.append(f"{COLOURS[colour]} ({printable(name)}): {score}{mover}")
        return "\n".join(lines)

    def _join(self, table: Table, number: str, colour: str) -> str:
        if colour.lower() not in _COLOURS:
            raise _Refused(f"join: expected black or white, found {shorten(colour)}")
        client = self._client(number)
        self._refuse_running(table)
        if client.table:
            self._refuse_running(client.table)
        table.seat(client, _COLOURS[colour.lower()])
        table.begin_if_ready()
        return "done"

    def _leave(self, table: Table, number: str) -> str:
        client = self._client(number)
        if client.table is None:
            raise _Refused(f"{client.shown} has no seat")
        self._refuse_running(client.table)
        client.table.unseat(client)
        client.away = True
        self.hall.seat_waiting()
        return f"{client.shown} has left its seat"

    def _swap(self, table: Table) -> str:
        self._refuse_running(table)
        table.swap()
        return "; ".join(f"{COLOURS[colour]}: {client.shown}" for colour, client in table.seats.items() if client)

    def _start(self, table: Table) -> str:
        self._refuse_running(table)
        if not (table.game.begun or all(table.seats.values())):
            raise _Refused("start: both seats must be taken; `join ID COLOUR` gives a client a seat")
        table.held = False
        table.begin()
        return "started"

    def _stop(self, table: Table) -> str:
        if not table.game.running:
            raise _Refused("stop: no game is being played")
        table.held = True
        table.stop()
        return "stopped; `start` resumes the game"

    def _clear(self, table: Table) -> str:
        self._refuse_running(table)
        kept = table.clear()
        self.hall.seat_waiting()
        table.begin_if_ready()
        return f"cleared; the game is in {short_name(kept)}" if kept else "cleared"

    def _refuse_running(self, table: Table) -> None:
        if table.game.running:
            raise _Refused("a game is being played; enter `stop` first")


def _client_line(client: Client) -> str:
    seat = f"{client.table.label}{COLOURS[client.colour]}" if client.table else "no seat"
    return f"{client.number}  {client.name or '(no name yet)'}  {client.address}  {seat}"
