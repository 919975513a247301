"""The tables of docs/results.md, built from runs, certificates and recorded games.

The runs (recorded measurements) are JSON files in docs/results/. Each run except zero.json has the keys `columns` and
`rows` (a table), `commands` (to reproduce the run) and `measured` (a note). On the page, the text between the lines
`<!-- figures: NAME -->` and `<!-- end -->` is the result of DERIVED[NAME] or, for any other name, the table, commands
and note of docs/results/NAME.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from littlego.cache import ROOT
from littlego.knowledge.reference import format_table
from littlego.paths import ENGINE_GAMES, OWN_GAMES
from littlego.records.packed_games import PackedGame, read_packed
from littlego.rules.position import BLACK

PAGE = ROOT / "docs" / "results.md"
RUNS = ROOT / "docs" / "results"
PROOFS = ROOT / "docs" / "proof"
KEYS = {"columns", "rows", "commands", "measured"}
_BLOCK = re.compile(r"(<!-- figures: ([\w-]+) -->)\n.*?(<!-- end -->)", re.DOTALL)


class RunError(Exception):
    """Raised for a missing or invalid run; the message names the file and the fault."""


def refresh_figures(page: str) -> str:
    """Return the page with all marked tables rebuilt; raise RunError for a missing or invalid run."""
    return _BLOCK.sub(lambda part: f"{part[1]}\n{_figures(part[2])}\n{part[3]}", page)


def figure_files() -> tuple[Path, ...]:
    """Return the files from which the tables are generated."""
    return (*sorted(RUNS.glob("*.json")), *sorted(PROOFS.glob("*.json")), ENGINE_GAMES, OWN_GAMES)


def run_table(path: Path) -> str:
    """Return a run's table, commands and note as Markdown; raise RunError for a missing or invalid run."""
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"{path.name}: {error}") from None
    if not isinstance(run, dict) or set(run) != KEYS:
        raise RunError(f"{path.name}: expected the keys {', '.join(sorted(KEYS))}")
    columns, rows = run["columns"], run["rows"]
    if not run["commands"] or any(len(row) != len(columns) for row in rows):
        raise RunError(f"{path.name}: expected at least one command, and rows of {len(columns)} cells")
    commands = "\n".join(f"    {command}" for command in run["commands"])
    return f"{format_table(tuple(columns), [tuple(row) for row in rows])}\n\n{commands}\n\n{run['measured']}"


def _figures(name: str) -> str:
    return DERIVED[name]() if name in DERIVED else run_table(RUNS / f"{name}.json")


def _proof_table() -> str:
    """Return a table with the numbers of positions and overrides in the proofs for Black and for White.

    The last two rows are totals. Each other row is for one colour and one number of moves left, largest number first.
    """
    certificates = [json.loads((PROOFS / f"{colour}.json").read_bytes()) for colour in ("black", "white")]
    layers = [(cert["colour"], layer) for cert in certificates for layer in cert["layers"]]
    layers.sort(key=lambda pair: -pair[1]["left"])
    rows = [_proof_row(str(layer["left"]), colour, layer["positions"], layer["overruled"]) for colour, layer in layers]
    rows += [
        _proof_row("all", cert["colour"], cert["positions"], sum(layer["overruled"] for layer in cert["layers"]))
        for cert in certificates
    ]
    return format_table(("moves left", "player", "positions", "overrides needed", "per million"), rows)


def _proof_row(left: str, colour: str, positions: int, overruled: int) -> tuple[str, ...]:
    return left, colour.capitalize(), f"{positions:,}", f"{overruled:,}", f"{1e6 * overruled / positions:,.0f}"


def _games_table() -> str:
    """Return a table that summarizes the recorded games for each ruleset and set of players."""
    heads = ("ruleset", "players", "games", "different", "mean moves", "Black won", "`ours` won")
    games = [*read_packed(ENGINE_GAMES), *read_packed(OWN_GAMES)]
    return format_table(heads, list(_games_rows(sorted(games, key=_group_of))))


def _group_of(game: PackedGame) -> tuple[str, str]:
    return game.ruleset.name, " and ".join(sorted(set(game.players)))


def _games_rows(games: Sequence[PackedGame]) -> Iterator[tuple[str, ...]]:
    for (ruleset, players), members in groupby(games, _group_of):
        group = list(members)
        different = len({game.moves for game in group})
        mean = sum(len(game.moves) for game in group) / len(group)
        black = sum(game.winner == BLACK for game in group)
        ours = sum(game.winner != 0 and game.players[game.winner != BLACK] == "ours" for game in group)
        won = str(ours) if "ours" in players.split() else ""
        yield ruleset, players, str(len(group)), str(different), f"{mean:.0f}", str(black), won


def _zero_section() -> str:
    """Return the part of the page about the learning player; raise RunError for a missing or invalid run."""
    from littlego.dev.regenerate.zero_section import zero_section  # numba takes a second to load

    try:
        return zero_section(json.loads((RUNS / "zero.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"zero.json: {error!r}; to write the file, run `littlego dev measure-zero`") from None


DERIVED: dict[str, Callable[[], str]] = {"proof": _proof_table, "kept-games": _games_table, "zero": _zero_section}
