"""Events sent to all pages, such as edits, saved files and changes on disk."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

MOST_WAITING = 2000  # maximum number of unsent events of a page; with more, the page is disconnected and must reload

Event = dict[str, Any]


class Feed:
    """A broadcaster of events to all listeners. A Feed belongs to one event loop."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[Event | None]] = set()
        self._is_closed = False

    def tell(self, event: Event) -> None:
        """Send an event to all listeners, and disconnect a listener that has too many unsent events."""
        for queue in list(self._listeners):
            if queue.full():
                self._listeners.discard(queue)
                queue.get_nowait()
                queue.put_nowait(None)
            else:
                queue.put_nowait(event)

    def listen(self, first: Event) -> AsyncIterator[Event]:
        """Return an iterator that yields `first`, then every event sent after this call."""
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
        """End the streams of all present and future listeners."""
        self._is_closed = True
        for queue in list(self._listeners):
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(None)
        self._listeners.clear()
