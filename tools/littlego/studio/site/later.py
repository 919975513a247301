"""Archives of files that a page loads only when a task needs them."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from littlego.editor.methods import Refusal
from littlego.games import match
from littlego.paths import HOME

ADDRESSES = "later.json"  # a file in the player's folder: archive name -> the archive's address in the site
LABELS, MATCH = "labels", match.NAME
WITH_LABELS = {"accept", "diff", "flips", "prepare", "truth"}  # tasks that use labels if the labels could be loaded
# The ways in which parameters name the match ruleset: a ruleset, a game, a position, a file.
_OF_A_MATCH = re.compile(r'"match(?:["; ]|-[0-9])|ruleset=match|patterns\.match\.')


def needed_by(task: str, parameters: Any, ruleset: str) -> list[str]:
    """Return the names of the archives that a task needs. ruleset: the ruleset of the open patterns."""
    is_match = ruleset == MATCH or _OF_A_MATCH.search(json.dumps(parameters)) is not None
    return [LABELS] * (task in WITH_LABELS) + [MATCH] * is_match


class Later:
    """The archives that a worker has loaded.

    load: a function that unpacks the archive at an address and returns whether loading succeeded.
    """

    def __init__(self, load: Callable[[str], Awaitable[bool]]) -> None:
        self._load, self.loaded = load, set[str]()

    async def provide(self, names: Iterable[str]) -> None:
        """Load the named archives that are not loaded yet. Raise Refusal if the match archive cannot be loaded.

        If the labels cannot be loaded, the task runs without them or reports the missing labels.
        """
        for name in names:
            if name in self.loaded:
                continue
            address = json.loads((HOME / ADDRESSES).read_text(encoding="utf-8"))[name]
            if await self._load(address):
                self.loaded.add(name)
            elif name == MATCH:
                raise Refusal("lacking", "the files for match games did not load: connect to the network and try again")
