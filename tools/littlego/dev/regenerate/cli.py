"""The command `dev regenerate`, which rebuilds the repository's generated files."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from difflib import unified_diff
from pathlib import Path

import click

from littlego.cache import ROOT
from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, trying_to
from littlego.cli.commandline import command
from littlego.dev.regenerate.products import PRODUCTS, NotMadeError, Product, extend_decisions, file_digests, name_of
from littlego.files import write_bytes, write_json
from littlego.paths import INSTALLED

MADE = Path(__file__).with_name("made.json")  # {product: {"from": {input: digest}, "files": {generated file: digest}}}
Remembered = dict[str, dict[str, dict[str, str]]]


@command(
    "regenerate",
    example="littlego dev regenerate\nlittlego dev regenerate patterns schema\nlittlego dev regenerate --check",
    epilog="`regenerate` does not run `dev label`, `prove` or `dev train`, which take hours. PRODUCT is one of:\n\n\b\n"
    + "\n".join(f"  {product.name:10} {product.about}" for product in PRODUCTS.values()),
)
@click.argument("names", metavar="[PRODUCT]...", nargs=-1, type=click.Choice(list(PRODUCTS)))
@click.option("--check", is_flag=True, help="Write nothing, and fail if any file is stale.")
@click.option("--all", "everything", is_flag=True, help="Also rebuild files that are up to date.")
@click.option(
    "--extend",
    is_flag=True,
    help="Also add positions from games of the current player to the product `decisions`.",
)
def regenerate(names: tuple[str, ...], check: bool, everything: bool, extend: bool) -> int:
    """Rebuild the generated files of the repository, and report the changed files.

    The command skips files that are up to date, unless you name their PRODUCT or use --all.
    """
    if INSTALLED:
        raise ArgumentError("an installed package has no generated files to rebuild: run this in a checkout")
    chosen = [PRODUCTS[name] for name in PRODUCTS if name in names or not names]
    if extend:
        chosen = [one._replace(make=extend_decisions) if one.name == "decisions" else one for one in chosen]
    if check:
        return max([_check(product) for product in chosen], default=FINE)
    forced = set(names) | (set(PRODUCTS) if everything else set()) | ({"decisions"} if extend else set())
    return max([make(product, product.name in forced) for product in chosen], default=FINE)


def load_made() -> Remembered:
    """Return the content of made.json, or {} for a missing file.

    Raise ArgumentError for a file that is not a JSON object.
    """
    try:
        made = json.loads(MADE.read_bytes())
        if not isinstance(made, dict):
            raise ValueError("it is not a JSON object")
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ArgumentError(f"{MADE.name} is damaged ({error}): delete it, and run `littlego dev regenerate`") from None
    return made


def what_changed(product: Product) -> str:
    """Return why a product is stale, or "" if the product is up to date.

    Raise NotMadeError if a quick product cannot be built.
    """
    if product.is_quick:
        changed = [name_of(path) for path, data in product.make().items() if data != _read_if_there(path)]
        return f"{', '.join(changed)} would change" if changed else ""
    made = load_made().get(product.name)
    if made is None:
        return "it was never built"
    inputs = product.inputs()
    changed = [name for name in inputs if made["from"].get(name) != inputs[name]]
    files = file_digests(tuple(ROOT / name for name in made["files"]))
    changed += [name for name, known in made["files"].items() if files[name] != known]
    return f"{', '.join(changed)} changed" if changed else ""


def _check(product: Product) -> int:
    try:
        why = what_changed(product)
    except NotMadeError as error:
        why = str(error)
    if why:
        print(f"{product.name}: stale: {why}; run `littlego dev regenerate`", file=sys.stderr)
        return FINDINGS
    print(f"{product.name}: up to date")
    return FINE


def make(product: Product, forced: bool) -> int:
    """Build a product if it is quick, stale or forced; write the changed files; return the exit status.

    Print the changes. For a product that is not quick, also record the digests in made.json (see products).
    """
    if not (forced or product.is_quick or what_changed(product)):
        print(f"{product.name}: up to date")
        return FINE
    began = time.monotonic()
    try:
        made = product.make()
    except NotMadeError as error:
        print(f"{product.name}: {error}", file=sys.stderr)
        return FINDINGS
    changes = [(path, _read_if_there(path), data) for path, data in made.items() if data != _read_if_there(path)]
    for path, _, data in changes:
        with trying_to(f"write {name_of(path)}"):
            write_bytes(path, data)
    if not product.is_quick:
        files = {} if product.parts else file_digests(tuple(made))
        known = {**load_made(), product.name: {"from": product.inputs(), "files": files}}
        with trying_to(f"write {name_of(MADE)}"):
            write_json(MADE, {name: known[name] for name in PRODUCTS if name in known})
    changed = "; ".join(f"{name_of(path)} changed, {_count_lines(old, new)}" for path, old, new in changes)
    print(f"{product.name}: {changed or 'nothing changed'} ({time.monotonic() - began:.0f} s)")
    return FINE


def _count_lines(old: bytes, new: bytes) -> str:
    """Return a text with the numbers of removed and added lines."""
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (old, new))
    signs = Counter(line[0] for line in list(unified_diff(before, after, n=0, lineterm=""))[2:])
    return f"{signs['-']} lines removed, {signs['+']} added"


def _read_if_there(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
