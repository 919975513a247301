"""The generated script sizes.js, with the board sizes that the studio's page offers."""

from __future__ import annotations

import json

from littlego.games.sizes import LARGE_SIZES, LITTLE_GO_SIZES, MATCH_SIZES, offered_sizes, star_lines
from littlego.paths import PACKAGE

PAGE_SIZES = PACKAGE / "studio" / "static" / "sizes.js"


def page_sizes_text() -> str:
    """Return the text of the script, which defines STARTS, EMPTY_SIZES, STARS and MOST_CELLS."""
    usual, sizes = LITTLE_GO_SIZES.usual, range(LITTLE_GO_SIZES.smallest, MATCH_SIZES.largest + 1)
    tables = {
        "STARTS": {
            "little-go": f"{usual}x{usual}, Little-Go",
            **{f"match-{size}": f"{size}x{size}" for size in offered_sizes()},
        },
        "EMPTY_SIZES": {"little-go": usual, "match": LARGE_SIZES.usual},
        "STARS": {size: star_lines(size) for size in sizes if star_lines(size)},
        "MOST_CELLS": MATCH_SIZES.largest,
    }
    head = "// Board sizes, generated from tools/littlego/games/sizes.py by `littlego dev regenerate`.\n"
    return head + "".join(f"export const {name} = {json.dumps(table)};\n" for name, table in tables.items())
