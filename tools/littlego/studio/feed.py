"""The event stream of all pages: edits of another page, saved files, changes on disk."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

MOST_WAITING = 2000  # events that a page may be behind; one further behind is cut off, and begins anew

Event = dict[str, Any]


class Feed:
    """Passes events to all who listen. Belongs to one event loop."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[Event | None]] = set()
        self._is_closed = False

    def tell(self, event: Event) -> None:
        """Tell an event to all who listen now."""
        for queue in list(self._listeners):
            if queue.full():
                self._listeners.discard(queue)
                queue.get_nowait()
                queue.put_nowait(None)
            else:
                queue.put_nowait(event)

    def listen(self, first: Event) -> AsyncIterator[Event]:
        """Return an event, then all that are told from now on: from this call, not from the first that is taken."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue(MOST_WAITING)
        queue.put_nowait(first)
        if self._is_closed:
            queue.put_nowait(None)
        else:
            self._listeners.add(queue)
        return self._events(queue)

    async def _events(self, queue: asyncio.Queue[Event | None]) -> AsyncIterator[Event]:
        try:
            while (event := await queue.get()) is not None:
                yield event
        finally:
            self._listeners.discard(queue)

    def close(self) -> None:
        """Let all who listen come to their end, and those who begin to from now on."""
        self._is_closed = True
        for queue in list(self._listeners):
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(None)
        self._listeners.clear()
