"""Studio jobs in the test's process, and the output of the corresponding commands."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

from littlego.cli.main import main
from littlego.editor.session import Session, Snapshot
from littlego.parallel import Returning


def outcome(work: Generator[dict[str, Any], None, Any]) -> tuple[list[Any], Any]:
    """Run a job; return (all its results, its return value)."""
    steps = Returning(work)
    results = [event["result"] for event in steps if "result" in event]
    return results, steps.result


def session_of(path: Path, text: str) -> Session:
    """Return a session with an open file and this text."""
    session = Session()
    session.take(Snapshot(1, text, str(path), str(path)))
    return session


def command_json(folder: Path, *words: object) -> Any:
    """Run a command with --json, and return its parsed output."""
    out = folder / "out.json"
    main([*map(str, words), "--json", str(out)])
    return json.loads(out.read_text(encoding="utf-8"))
