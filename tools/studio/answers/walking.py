"""What the guided walk asks: the game that was lost, why it was, and how it goes with the patterns as they are now."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from rules.position import BLACK
from rules.ruleset import LITTLE_GO
from tools.arguments import ArgumentError, read_file
from tools.authoring.cli import FIRST, TXT, YAML
from tools.draw.boards import move_text
from tools.draw.decisions import short_text
from tools.explain.answers import why_not, why_not_text
from tools.games.game import margin2, opening
from tools.knowledge.compiler import compile_text
from tools.knowledge.model import CLASSES
from tools.knowledge.problems import plural
from tools.match.inputs import move_at
from tools.match.records import Record, RecordError, game_sgf
from tools.match.referee import COLOURS, count_out
from tools.opponents.ours import decide_by_book
from tools.reasons.contrast import contrast
from tools.studio.answers.checking import check, examples
from tools.studio.answers.editing import entry
from tools.studio.asking import SLOW, Refusal, ask
from tools.studio.demo import LOST, MOVE, NUMBER, OPPONENT, PLAY, SEED
from tools.studio.games import StudioGame
from tools.studio.playing import THIS_FILE, play_out
from tools.studio.positions import position_text
from tools.studio.session import Session

FEW = 2  # near misses that are shown, as `littlego explain` does


@ask("walk_lost")
def walk_lost(session: Session) -> dict[str, Any]:
    """Return the game that the demo begins with: see record_json; number, move: of the choice that the walk is about;
    classes: those that a pattern may have.

    text, why_not: what `littlego explain` says of the position before it, with the patterns as they are now.
    """
    path = Path(session.snapshot.path).with_name(LOST)
    try:
        record = game_sgf(read_file(path).decode("utf-8", "replace"))
    except RecordError as error:
        raise ArgumentError(f"{LOST}{error}") from None
    told = record_json(record)
    position = record.positions()[NUMBER - 1]
    decision = decide_by_book(position, session.book(), True)
    asked = why_not(decision, move_at(MOVE, position.ruleset.size, "move"), session.book().patterns)
    return {
        **told,
        "classes": list(CLASSES),
        "number": NUMBER,
        "move": MOVE,
        "text": short_text(contrast(decision)),
        "why_not": why_not_text(asked, FEW, False),
        "command": f"littlego explain {LOST}:{NUMBER} -f {TXT} --why-not {MOVE}",
    }


@lru_cache(maxsize=1)
def begun() -> list[str]:
    """Return the ids of the patterns that the demo begins with."""
    return [pattern.id for pattern in compile_text(FIRST.read_text(encoding="utf-8"), YAML)[2].patterns]


@ask("walk_now")
def walk_now(session: Session) -> dict[str, Any]:
    """Return how far the walk is: mine (the id of the first pattern that is not the demo's, '' for none), and of that
    one entry and examples, as the methods of these names answer.

    The walk asks for itself, for the views' own requests would take the place of its (see asking.ask).
    """
    mine = next((name for name in session.entries.ids if name not in begun()), "")
    if not mine:
        return {"mine": ""}
    return {"mine": mine, "entry": entry(session, pattern=mine), "examples": examples(session, pattern=mine)}


@ask("walk_check", lane=SLOW)
def walk_check(session: Session) -> dict[str, Any]:
    """Return what `check` answers."""
    return check(session)


@ask("walk_game", lane=SLOW)
def walk_game(session: Session) -> dict[str, Any]:
    """Return the same game played anew with the patterns as they are now: see record_json; result, won, patterns."""
    problems, base = session.compiled()
    if problems:
        first = problems[0].lines()[0]
        raise Refusal("invalid", f"{plural(len(problems), 'mistake')} in the patterns: {first}; mend that first")
    if base.ruleset is not LITTLE_GO:
        raise Refusal("invalid", f"the patterns are for {base.ruleset.name}; the walk is about {LITTLE_GO.name}")
    game = StudioGame(Record(opening(LITTLE_GO), []))
    *_, played = play_out(session, game, (THIS_FILE, OPPONENT), SEED)
    return {**record_json(played.record), "patterns": len(base.patterns), "command": PLAY}


def record_json(record: Record) -> dict[str, Any]:
    """Return a finished game of Little-Go as plain values.

    moves: colour and move of each. positions: the text of that before each move and of the last. result: a sentence.
    won: whether Black has won.
    """
    positions, size = record.positions(), record.start.ruleset.size
    if len(positions) == len(record.moves):  # the last move ended the game
        positions.append(positions[-1].play(record.moves[-1].move))
    winner, why = count_out(positions[-1], len(record.moves))
    lead = abs(margin2(positions[-1])) / 2
    return {
        "moves": [
            {"colour": COLOURS[position.colour].lower(), "move": move_text(played.move, size).lower()}
            for position, played in zip(positions, record.moves, strict=False)
        ],
        "positions": list(map(position_text, positions)),
        "result": f"{COLOURS[winner]} wins by {lead:g} ({why})." if winner else f"A tie ({why}).",
        "won": winner == BLACK,
    }
