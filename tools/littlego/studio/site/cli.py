"""The command `dev site`: the studio as plain files."""

from __future__ import annotations

from pathlib import Path

import click

from littlego.cli.arguments import FINE
from littlego.cli.commandline import command


@command("site", example="littlego dev site out && python3 -m http.server --directory out")
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
def site(out: Path) -> int:
    """Build the studio as plain files, with Python in the browser.

    OUT is a new or empty folder, which any web server can serve, from any path. npm installs Pyodide once.
    """
    from littlego.studio.site.build import build

    size, compressed = build(out)
    print(f"{out}: {size:,} bytes, {compressed:,} if a server compresses each file")
    print(f"To see it: python3 -m http.server --directory {out}")
    return FINE
