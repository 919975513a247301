"""The scenes of the studio's screenshots: each view with realistic contents."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from studio_server import SMALL, RunningStudio

from littlego.arena.plan import ROUND_ROBIN, Plan
from littlego.arena.play import play_pair
from littlego.arena.players import entrants
from littlego.arena.store import Store
from littlego.match.referee import record_json
from littlego.match.series import Pairing, play_game
from littlego.players.registry import player_for
from littlego.records.sgf_writing import record_sgf
from littlego.rules.position import BLACK

LONGEST = 180_000  # maximum milliseconds until a scene is ready: the first comparison compiles the fast engine
GAME = "lost.sgf"
PATTERN = "take-the-last-liberty"
BOARD = "OX.X./..XO./...X./.O.../..O.."
DECIDED = "...../..OX./.OXX./..O../....."
SPOILT = [("points: 8 *", "points: -60 *"), ("move: 1,0", "move: 3,3")]  # (old, new) pairs


def make_folder(folder: Path) -> Path:
    """Create a patterns file in a folder, with a game, a tournament and a grading; return the file's path."""
    path = folder / "patterns.yaml"
    shutil.copy(SMALL, path)
    record = play_game(Pairing(0, "greedy", "random", 3), player_for)
    (folder / GAME).write_text(record_sgf(record))
    plan = Plan(ROUND_ROBIN, entrants(("ours", "greedy", "random")), 3, seed=7, openings=3)
    with Store.make(folder / "three.sqlite", plan) as store:
        for pair in plan.all_pairs():
            store.add(play_pair(pair))
    (folder / "graded.json").write_text(json.dumps(_grading()))
    return path


def _grading() -> dict[str, Any]:
    """Return a grading of four games in the format of `littlego grade --json`, two of them lost."""
    outcomes = []
    for index, seed in enumerate((1, 2, 3, 4)):
        record = play_game(Pairing(0, "random", "greedy", seed), player_for)
        game = {"repetition": 1, "stage": 1, "role": "greedy", "index": index, "colour": BLACK, "seed": seed}
        outcomes.append({"game": game, "won": index > 1, "tie": False, "record": record_json(record)})
    stage = {"stage": 1, "points": 25.0, "most": 50, "seconds": 0.4, "limit": 90, "late": False, "roles": []}
    program = {"path": "p", "name": "my_player3.py", "runs": "Python <3.7>", "left_out": [], "remarks": []}
    repetition = {"repetition": 1, "points": 25.0, "grading": [stage], "submit": []}
    told = {"games": 4, "points": 25.0, "most": 90, "complete": True, "best": 1}
    return {"program": program, **told, "repetitions": [repetition], "outcomes": outcomes}


def spoil(studio: RunningStudio) -> None:
    """Make an unsaved edit that changes a pattern's points and its example.

    The edited pattern penalises captures, and its example requires another move.
    """
    text = studio.file.read_text(encoding="utf-8")
    entry = text.index(f"- id: {PATTERN}")
    changes = []
    for old, new in SPOILT:
        at = text.index(old, entry)
        changes.append({"from": at, "to": at + len(old), "insert": new})
    revision = studio.request("/api/state")[1]["revision"]
    status, told = studio.request("/api/edit", {"revision": revision, "changes": changes})
    assert status == 200, told


Scene = Callable[[Any, RunningStudio], None]


def _open(tab: Any, studio: RunningStudio, view: str, **parts: str) -> None:
    tab.goto(studio.url + f"&view={view}&pattern={PATTERN}" + "".join(f"&{k}={quote(v)}" for k, v in parts.items()))


def pattern(page: Any, studio: RunningStudio) -> None:
    """Show hits, badges, a finding, a failing example, and why the pattern does not fire for a point."""
    _open(page, studio, "pattern", board=BOARD, move="4,4")
    for there in ("[data-hits]", ".findings-pane li", ".examples .bad", ".why-not .bad", ".cells .badge"):
        page.locator(there).first.wait_for(timeout=LONGEST)


def board(page: Any, studio: RunningStudio) -> None:
    """Show candidates with their reasons, a selected point, and another player's opinion."""
    _open(page, studio, "board", board=DECIDED, move="1,1")
    page.locator("[data-why]:not(:empty)").wait_for()
    page.get_by_role("button", name="Ask zero").click()
    page.locator(".opinion tbody").wait_for(timeout=LONGEST)


def game(page: Any, studio: RunningStudio) -> None:
    """Show a game at a step, with its graph and its turning points."""
    told = studio.ask("open_game", file=GAME)["game"]
    _open(page, studio, "board", game=told, step="18")
    page.locator('[data-step="18"]').wait_for()
    page.get_by_role("button", name="Judge moves").click()
    page.get_by_role("button", name="Stop judging").wait_for()
    page.get_by_role("button", name="Judge moves").wait_for(timeout=LONGEST)
    page.locator("[data-winner]").wait_for(timeout=LONGEST)


def large(page: Any, studio: RunningStudio) -> None:
    """Show a match on 19x19 with its labels and figures."""
    _open(page, studio, "board", game="match-19; 3,3 15,15 3,15 15,3 9,9 2,5")
    page.locator("[data-chosen]").wait_for(timeout=LONGEST)


def effects(page: Any, studio: RunningStudio) -> None:
    """Show changed decisions, the truth strip, a moved slider, and boards of the pattern."""
    _open(page, studio, "effects")
    page.locator(".changes-pane [data-changes] p", has_text="decisions").first.wait_for(timeout=LONGEST)
    page.locator(".changes-pane .change .responsible").first.wait_for(timeout=LONGEST)
    page.locator(".strip-pane [data-decisions]").wait_for(timeout=LONGEST)
    page.get_by_label("Points added, as a number").fill("60")
    page.get_by_role("button", name="Find boards").click()
    page.locator(".boards-pane .change").first.wait_for(timeout=LONGEST)
    page.locator(".slider-pane [data-flips]").wait_for(timeout=LONGEST)


def _page_of(name: str) -> Scene:
    def show(page: Any, studio: RunningStudio) -> None:
        _open(page, studio, "pages", page=name)
        page.locator("[data-page]").wait_for(timeout=LONGEST)
        page.frame_locator("iframe").locator("h1").wait_for()

    show.__doc__ = f"The page {name or 'gallery'}."
    return show


def keys(page: Any, studio: RunningStudio) -> None:
    """Show the help page about keyboard shortcuts."""
    board(page, studio)
    page.get_by_role("button", name="Shortcuts", exact=True).click()
    page.locator("dialog", has_text="Go to Pages").wait_for()


def handed_out(page: Any, studio: RunningStudio) -> None:
    """Show the export dialog, which offers the board as text, picture and SGF."""
    board(page, studio)
    page.keyboard.press("x")
    page.locator("dialog img").wait_for()


SCENES: dict[str, Scene] = {
    "pattern": pattern,
    "board": board,
    "game": game,
    "large": large,
    "effects": effects,
    "gallery": _page_of(""),
    "coverage": _page_of("coverage"),
    "arena": _page_of("arena three.sqlite"),
    "grading": _page_of("grading graded.json"),
    "keys": keys,
    "export": handed_out,
}
STEPS = ["Lose a game", "Ask why", "Draw the pattern", "Test it", "Play again, and win"]


def walk_step(page: Any, studio: RunningStudio, number: int) -> None:
    """Show step `number`, from 1, of the demo's walk; step 3 creates the pattern that later steps use."""
    page.goto(f"{studio.url}&walk={number}")
    page.locator("ol [aria-current=step]", has_text=STEPS[number - 1]).wait_for()
    page.locator(".walk-step p").first.wait_for()
    page.locator("[data-hits]").wait_for(timeout=LONGEST)
    if number == 3 and page.get_by_role("button", name="New pattern …").is_enabled():
        page.get_by_role("button", name="New pattern …").click()
        page.locator("#new-summary").fill("Take the point between two stones, so that they cannot connect.")
        page.get_by_role("button", name="Create").click()
        page.locator(".walk-edits [data-done=false]").first.wait_for()
    if number == 4:
        page.get_by_text("examples pass").wait_for()
    if number == 5:
        page.get_by_role("button", name="Play again").click()
        page.locator("[data-won]:not(:empty)").wait_for(timeout=LONGEST)
