"""The commands `site` and `dev docs`: the playground and the docs as plain files."""

from __future__ import annotations

from pathlib import Path

import click

from littlego.cli.arguments import FINE
from littlego.cli.commandline import command


@command("site", example="littlego site out && python3 -m http.server --directory out")
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "--earlier",
    metavar="FOLDER",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Site built by an earlier version. The new site contains a copy of the earlier site, and the new docs link "
    "to the copy. Repeatable.",
)
def site(out: Path, earlier: tuple[Path, ...]) -> int:
    """Build a website with a playground, the docs, and galleries of all patterns.

    The playground is the studio; its Python code runs in the browser (Pyodide). For the first build, npm downloads
    Pyodide. OUT is a new or empty folder, which any web server can serve under any path.
    """
    from littlego.studio.site.build import build

    size, compressed = build(out, earlier)
    print(f"{out}: the playground first loads {size:,} bytes, {compressed:,} if a server compresses each file")
    print(f"To view the site: python3 -m http.server --directory {out}")
    return FINE


@command("docs", example="littlego dev docs out")
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
def docs(out: Path) -> int:
    """Build the docs as a website, and fail if Sphinx warns.

    OUT is a new or empty folder. `littlego site` builds the same docs with links to a playground.
    """
    from littlego.studio.site.build import check_empty
    from littlego.studio.site.docs.build import build_docs

    check_empty(out)
    build_docs(out)
    print(f"{out / 'index.html'}")
    return FINE
