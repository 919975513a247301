"""`prove --check`: a certificate against a second, slow and simple look."""

from __future__ import annotations

import argparse
import json
from importlib import import_module
from pathlib import Path

from tools.arguments import FINDINGS, FINE, ArgumentError, trying_to
from tools.files import STANDARD_OUTPUT, short_name, write_json

KEYS = "format", "complete", "proved", "colour", "player", "openings", "layers"


def run_check(args: argparse.Namespace, solver) -> int:
    """Check, tell, and return the exit status."""
    if args.json != STANDARD_OUTPUT:
        import_module("rich")  # should it be missing, say so before the work
    from tools.proof.checker import Checker
    from tools.proof.replayed import openings_of

    certificate = read_certificate(args.check)
    files = _files(args, certificate)
    openings, folder = openings_of(certificate["colour"]), _folder(args, certificate)
    layers = list(Checker(certificate, openings, folder, files, solver, args.samples, args.jobs).layers())
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, {"layers": [vars(one) for one in layers]})
    if args.json != STANDARD_OUTPUT:
        _print(certificate, layers)
    return FINDINGS if any(one.faults for one in layers) or not certificate["proved"] else FINE


def read_certificate(path: Path) -> dict:
    """Return a certificate as plain values; raise ArgumentError."""
    from tools.proof.proving import FORMAT

    with trying_to(f"read {short_name(path)}"):
        text = path.read_bytes()
    try:
        found = json.loads(text)
        if found["format"] != FORMAT or not found["layers"]:
            raise ValueError(f"format {found['format']}, expected {FORMAT}, and one layer or more")
        for key in KEYS:
            found[key]
    except (ValueError, KeyError, TypeError) as error:
        raise ArgumentError(f"{short_name(path)} is no certificate of a walk: {error}") from None
    return found


def _files(args: argparse.Namespace, certificate: dict):
    """Return the player's own files; raise ArgumentError if they are not those of the certificate."""
    from tools.effects.books import read_knowledge
    from tools.labels.overrides import OVERRIDES, asked_for
    from tools.proof.certificate import player_of
    from tools.proof.replayed import Files

    patterns = Path(args.patterns).with_suffix(".txt")
    overrides = None if args.no_overrides else args.overrides or OVERRIDES
    moves = asked_for(overrides if args.overrides else None) if overrides else {}
    player = player_of(read_knowledge(patterns), moves)._asdict()
    other = [name for name, value in player.items() if certificate["player"].get(name) != value]
    if other:
        raise ArgumentError(f"{short_name(args.check)} is about another player: its {' and '.join(other)} differ")
    return Files(patterns, overrides if moves else None)


def _folder(args: argparse.Namespace, certificate: dict) -> Path:
    """Return where the layers are: beside the certificate, or where the walk kept them."""
    from tools.proof.kept_walk import CERTIFICATE, layer_file

    if layer_file(args.check.parent, certificate["layers"][0]["left"]).exists():
        return args.check.parent
    for path in sorted(args.folder.glob(f"walks/*/{CERTIFICATE}")):
        if json.loads(path.read_bytes()) == certificate:
            return path.parent
    raise ArgumentError(
        f"the layers of {short_name(args.check)} are not here: "
        f"`littlego prove --{certificate['colour']}` makes them again"
    )


def _print(certificate: dict, layers: list) -> None:
    from tools.draw.terminal import console
    from tools.proof.text import checked_text

    console(markup=False).print(checked_text(certificate, layers))
