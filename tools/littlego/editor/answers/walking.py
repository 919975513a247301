"""Methods for the studio's guided walk.

The walk shows a lost game, explains the loss, and plays the game again with the current patterns.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from littlego.cli.arguments import ArgumentError, read_file
from littlego.editor.games import StudioGame, game_json, positions_of, winner_of, word
from littlego.editor.methods import SLOW, Refusal, ask
from littlego.editor.players import THIS_FILE, play_out
from littlego.editor.session import Session
from littlego.engines.choosing import engine_for
from littlego.games.game import opening
from littlego.knowledge.answers import why_not
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.problems import plural
from littlego.paths import PATTERNS_TXT, PATTERNS_YAML, TUTORIAL
from littlego.records.inputs import move_at
from littlego.records.main_line import game_sgf
from littlego.records.records import Record, RecordError
from littlego.rules.engine import Candidate, Decision
from littlego.rules.position import BLACK
from littlego.rules.ruleset import LITTLE_GO

YAML, TXT, LOST = PATTERNS_YAML.name, PATTERNS_TXT.name, "lost.sgf"
OPPONENT, SEED = "greedy", 2
NUMBER, MOVE = 7, "2,3"  # the one-based number of the move that the walk discusses, and a better move
PLAY = f"littlego play --black ours:{TXT} --white {OPPONENT} --seed {SEED} --brief"
FEW = 2  # maximum number of near misses to show


@ask("walk_lost")
def walk_lost(session: Session) -> dict[str, Any]:
    """Return the lost game, the number of the discussed move, and a better move.

    For the game, see _game_json. `number` is the one-based number of the discussed move, and `move` is the better move.
    The other keys describe the decision of the current patterns in the position before the discussed move. `played` is
    the chosen move, and `points` is the number of points that this move has. `equals` lists the other moves that are
    not vetoed and have the same score as `played`. In `rank`, `at` is the one-based rank of the better move among the
    candidates, and `of` is the number of candidates. `missing` lists at most FEW patterns that almost fire for the
    better move; each item has `pattern` (the id) and `why` (the first failing clause). `command` is the `littlego
    explain` command that prints these values.
    """
    path = Path(session.snapshot.path).with_name(LOST)
    try:
        record = game_sgf(read_file(path).decode("utf-8", "replace"))
    except RecordError as error:
        raise ArgumentError(f"{LOST}{error}") from None
    position = record.positions()[NUMBER - 1]
    decision = engine_for(position.ruleset).decide(position, session.book(), True)
    size = position.ruleset.size
    asked = why_not(decision, move_at(MOVE, size, "move"), session.book().patterns)
    return {
        **_game_json(StudioGame(record)),
        "number": NUMBER,
        "move": MOVE,
        "played": word(decision.move, size),
        "equals": [word(one.move, size) for one in _equals(decision)],
        "points": decision.chosen.points,
        "rank": {"at": [one.move for one in decision.candidates].index(asked.move) + 1, "of": len(decision.candidates)},
        "missing": [{"pattern": one.id, "why": miss.failed} for one, miss in asked.misses[:FEW]],
        "command": f"littlego explain {LOST}:{NUMBER} -f {TXT} --why-not {MOVE}",
    }


def _equals(decision: Decision) -> list[Candidate]:
    """Return the other candidates that are not vetoed and have the same score as the chosen move."""
    chosen = decision.chosen
    score = chosen.priority, chosen.points, chosen.specificity
    others = (one for one in decision.candidates if one is not chosen and not one.veto)
    return [one for one in others if (one.priority, one.points, one.specificity) == score]


@lru_cache(maxsize=1)
def first_ids() -> list[str]:
    """Return the ids of the tutorial's patterns."""
    return [pattern.id for pattern in compile_text(TUTORIAL.read_text(encoding="utf-8"), YAML)[2].patterns]


@ask("walk_now")
def walk_now(session: Session) -> dict[str, Any]:
    """Return the walk's state: `mine` is the id of the first pattern that the author added, or ''."""
    return {"mine": next((name for name in session.entries.ids if name not in first_ids()), "")}


@ask("walk_game", lane=SLOW)
def walk_game(session: Session) -> dict[str, Any]:
    """Return a game of the current patterns against the walk's opponent; see _game_json.

    Two keys are added: `patterns` (the number of patterns) and `command` (the shell command that plays the game).
    """
    problems, base = session.compiled()
    if problems:
        first = problems[0].lines()[0]
        raise Refusal(
            "invalid", f"{plural(len(problems), 'mistake')} in the patterns: {first}; correct the patterns first"
        )
    if base.ruleset is not LITTLE_GO:
        raise Refusal(
            "invalid", f"the patterns are for {base.ruleset.name}; the walk needs patterns for {LITTLE_GO.name}"
        )
    game = StudioGame(Record(opening(LITTLE_GO), []))
    *_, played = play_out(session, game, (THIS_FILE, OPPONENT), SEED)
    return {**_game_json(played), "patterns": len(base.patterns), "command": PLAY}


def _game_json(game: StudioGame) -> dict[str, Any]:
    """Return the JSON object of games.game_json for a finished game, with the additional key `won`.

    `won` is true if Black won.
    """
    return {**game_json(game), "won": winner_of(game, positions_of(game)) == BLACK}
