"""Memory that Python in a page shares with the compiled code, and a function that calls this code.

The JavaScript module `littlego_engine` provides both: see static/engine.js.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any
from weakref import finalize

import littlego_engine as engine  # type: ignore[import-not-found]

WIDTH = 8  # bytes of a number


class Numbers:
    """An array of int64 numbers in shared memory, initially zero. The memory is released together with the array."""

    def __init__(self, count: int) -> None:
        self.size = count
        self.address: int = engine.allocate(WIDTH * count)
        finalize(self, engine.release, self.address, WIDTH * count)

    @classmethod
    def of(cls, values: Sequence[int] | array[int]) -> Numbers:
        """Return an array with these values."""
        made = cls(len(values))
        engine.write(made.address, (values if isinstance(values, array) else array("q", values)).tobytes())
        return made

    def bytes(self, count: int) -> bytes:
        """Return the first `count` bytes."""
        data: bytes = engine.read(self.address, count).to_bytes()  # `bytes(...)` would copy byte by byte
        return data

    def values(self, count: int | None = None) -> array[int]:
        """Return the first `count` values, by default all values."""
        found = array("q")
        found.frombytes(self.bytes(WIDTH * (self.size if count is None else count)))
        return found


def call(name: str, *arguments: int | Numbers) -> int:
    """Call an exported function with numbers and arrays; return the function's result.

    For exported functions, see littlego.studio.site.wasm.exported.
    """
    passed = Numbers.of([one if isinstance(one, int) else one.address for one in arguments])
    answer: Any = engine.call(name, passed.address)
    return int(answer)
