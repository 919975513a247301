"""Archives of files that a page loads only when a task needs them, apart from the code that it loads first."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from littlego.paths import HOME

ADDRESSES = "later.json"  # a file beside the player: the address of each archive in the site, by name
LABELS = "labels"
NEEDED_BY = {  # task -> the archive that it needs
    "accept": LABELS,
    "diff": LABELS,
    "flips": LABELS,
    "prepare": LABELS,
    "truth": LABELS,
}


class Later:
    """The archives that a page has loaded. load: unpacks the archive at an address, and returns whether it could."""

    def __init__(self, load: Callable[[str], Awaitable[bool]]) -> None:
        self._load, self._loaded = load, set[str]()

    async def provide_for(self, task: str) -> None:
        """Load the archive that a task needs; without a network its files stay missing, and the task handles that."""
        name = NEEDED_BY.get(task)
        if name is None or name in self._loaded:
            return
        address = json.loads((HOME / ADDRESSES).read_text(encoding="utf-8"))[name]
        if await self._load(address):
            self._loaded.add(name)
