"""Answers about an entry's problems and examples, and about the problems of the whole patterns file."""

from __future__ import annotations

from shlex import quote
from typing import Any, Literal

from littlego.editor.answers.editing import changes_json
from littlego.editor.answers.firing import entry_of, position_of
from littlego.editor.answers.forms import without_mistake
from littlego.editor.drafts import drawn
from littlego.editor.edits import Editing
from littlego.editor.example_edits import ExampleEdit
from littlego.editor.findings import base_of, entry_findings, file_findings, finding_json, findings_json
from littlego.editor.methods import SLOW, Refusal, ask
from littlego.editor.positions import position_text
from littlego.editor.session import Session
from littlego.games.boards import board_rows
from littlego.knowledge.codes import CODES
from littlego.knowledge.examples import Result, cases, point_name
from littlego.knowledge.model import Example, most_left
from littlego.knowledge.problems import no_such
from littlego.records.inputs import move_at
from littlego.rules.position import BLACK

Kind = Literal["matches", "no_match", "todo_match", "todo_no_match"]


@ask("findings")
def findings(session: Session, *, pattern: str, notes: bool = False) -> dict[str, Any]:
    """Return the problems of an entry, including failing examples, and the problems outside all entries.

    notes: whether `problems` includes notes. In the answer, `problems` lists the entry's problems, and `outside` lists
    the others. See finding_json for the format of a problem.
    """
    entries = session.entries
    found = entry_findings(entries, entry_of(session, pattern), session.runner, notes)
    return {"problems": findings_json(entries, found, notes), "outside": findings_json(entries, entries.head[0], True)}


@ask("check", lane=SLOW)
def check(session: Session, *, exact: bool = True, notes: bool = False) -> dict[str, Any]:
    """Return the problems of the whole file, as `littlego check` reports them.

    exact: whether to run the exact searches, which find additional problems. notes: whether to include notes. In the
    answer, `problems` lists the problems (see finding_json), and `patterns` is the number of patterns. `undecided`
    contains a line for each exact search that ended without a result.
    """
    from littlego.knowledge.lint.proofs import lints_of

    exact_lints = (lambda base, undecided: lints_of(base, undecided, 1, notes)) if exact else None
    checked = file_findings(session.entries, session.runner, exact_lints, notes)
    options = ("" if exact else " --no-exact") + (" --notes" if notes else "")
    return {
        "problems": findings_json(session.entries, checked.problems, True),
        "patterns": checked.patterns,
        "undecided": checked.undecided,
        "command": f"littlego check {quote(session.filename)}{options}",
    }


@ask("page")
def page(session: Session, *, code: str) -> dict[str, Any]:
    """Return the documentation of a problem code.

    The keys are code, title, severity, page (Markdown) and command (a shell command that prints the page).
    """
    one = CODES.get(code.upper())
    if one is None:
        raise Refusal(
            "unknown", f"{no_such('code', code.upper(), CODES)}; `littlego check --explain all` lists all codes"
        )
    command = f"littlego check --explain {one.name}"
    return {"code": one.name, "title": one.title, "severity": one.severity, "page": one.page(), "command": command}


@ask("examples")
def examples(session: Session, *, pattern: str) -> dict[str, Any]:
    """Return an entry's examples with their results.

    `compiles` is false if the entry's drawing, conditions or points contain a mistake. If any key contains a mistake,
    `examples` is empty. Each example has the keys of `littlego test --json`, the keys of drawn_json, and the keys
    index, problem and fields. `index` is the example's zero-based index among the entry's examples of the same kind.
    `problem` is the example's problem (see finding_json), or null if the example passes. For `fields`, see fields_json.
    """
    entries = session.entries
    entry = entry_of(session, pattern)
    patterns = drawn(entries, entry)
    numbered: dict[str, int] = {}
    told = []
    for case in cases(base_of(entries, patterns)):
        result = Result(case, session.runner.outcome(case))
        index = numbered[case.example.kind] = numbered.get(case.example.kind, -1) + 1
        problem = result.problem(entries.filename)
        shown = None if problem is None else finding_json(entries, problem)
        fields = {"index": index, "problem": shown, "fields": fields_json(case.example)}
        told.append({**result.as_json(), **drawn_json(case.example), **fields})
    name = entries.ids[entry.number]
    command = f"littlego test -f {quote(session.filename)} {name}"
    return {"compiles": bool(patterns), "examples": told, "command": command}


def drawn_json(example: Example) -> dict[str, Any]:
    """Return an example's board.

    The keys are position (in the syntax of editor.positions), size (of the board) and rows (as drawn; X is the mover).
    """
    size = example.ruleset.size
    return {"position": position_text(example.position()), "size": size, "rows": board_rows(size, *example.stones)}


def fields_json(example: Example) -> dict[str, Any]:
    """Return the values of an example, except the board and the move.

    `colour` is the mover's colour, black or white. `left` is the number of moves left; null means the maximum number.
    `previous` lists the rows of the previous board, where X is the mover. `prisoners` contains the numbers of prisoners
    that X and O hold. `last` is O's last move, and `own_last` is X's last move. `previous`, `prisoners`, `last` and
    `own_last` are null if they are missing from the example.
    """
    size, most = example.ruleset.size, most_left(example.ruleset, example.stones, example.colour)
    return {
        "colour": "black" if example.colour == BLACK else "white",
        "left": None if example.moves_left == most else example.moves_left,
        "previous": None if example.previous is None else board_rows(size, *example.previous),
        "prisoners": example.prisoners,
        "last": None if example.last is None else point_name(example.last, size),
        "own_last": None if example.own_last is None else point_name(example.own_last, size),
    }


@ask("add_example", channel="edit")
def add_example(
    session: Session, *, pattern: str, kind: Kind, position: str, move: str | None = None
) -> dict[str, Any]:
    """Return the text changes that add a position to an entry's examples.

    kind: the kind of the example. move: the example's move, or null for any move.
    """
    board = position_of(session, position)
    point = None if move is None else move_at(move, board.ruleset.size, "move")
    edit = ExampleEdit(Editing(session.entries, entry_of(session, pattern)))
    return changes_json(edit.add(Example.of_position(kind, board, point)))


@ask("edit_example", channel="edit")
def edit_example(
    session: Session,
    *,
    pattern: str,
    kind: Kind,
    index: int,
    op: Literal["duplicate", "remove", "up", "down", "move_to", "set", "cell"],
    to: Kind = "matches",
    key: str = "",
    value: str | int | bool | list[str] | None = None,
    row: int = -1,
    column: int = -1,
    symbol: str = "",
) -> dict[str, Any]:
    """Return the text changes that edit one example.

    op: the operation. `duplicate` and `remove` take no further parameters. `up` and `down` swap the example with the
    previous or the next example of the same kind. `move_to` moves the example to the kind `to`. `set` sets `key` to
    `value`, or removes the key if `value` is null. `cell` puts `symbol` (X, O or `.`) on a point of a board: `key` is
    board or previous, and `row` and `column` are zero-based. Raise ArgumentError for a `set` that adds a mistake to the
    entry.
    """
    edit = ExampleEdit(Editing(session.entries, entry_of(session, pattern)))
    if op in ("up", "down"):
        return changes_json(edit.shift(kind, index, -1 if op == "up" else 1))
    if op == "move_to":
        return changes_json(edit.move_to(kind, index, to))
    if op == "set":
        return without_mistake(session, pattern, key, changes_json(edit.set(kind, index, key, value)))
    if op == "cell":
        return changes_json(edit.cell(kind, index, key, row, column, symbol))
    return changes_json({"duplicate": edit.duplicate, "remove": edit.remove}[op](kind, index))
