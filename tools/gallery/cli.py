"""The command `gallery`: an atlas of the patterns as one HTML page that needs no network."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path

from tools.arguments import BadArgument, complaining
from tools.cache import ROOT

FINE, FINDINGS = 0, 1
FOLDER = Path("build") / "gallery"  # git-ignored
PAGE = "index.html"


def add_parsers(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    parser = subparsers.add_parser("gallery", help="draw all patterns as a web page, with their images and examples")
    parser.add_argument("yaml", nargs="?", type=Path, default=ROOT / "patterns.yaml", help="default: patterns.yaml")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, metavar="FOLDER", help="default: %(default)s")
    parser.add_argument("--coverage", action="store_true", help="count what each does in the recorded decisions")
    parser.add_argument("--open", action="store_true", help="show the page in the browser")
    parser.set_defaults(run=complaining(run_gallery))


def run_gallery(args: argparse.Namespace) -> int:
    """Write the page; problems of the pattern file go to standard error, and the old page stays."""
    from tools.gallery.atlas import atlas
    from tools.knowledge.compiler import compile_text
    from tools.knowledge.problems import counted

    try:
        _, problems, base = compile_text(args.yaml.read_bytes(), str(args.yaml), with_examples=False)
    except OSError as error:
        raise BadArgument(f"cannot read {args.yaml}: {error.strerror}") from None
    if problems:
        print(*problems, f"{counted(len(problems), 'problem')}; no page is written", sep="\n", file=sys.stderr)
        return FINDINGS
    path = _write(atlas(base, args.yaml.name, _counts(base) if args.coverage else None), args.output)
    print(f"{path}: {counted(len(base.patterns), 'pattern')}, {path.stat().st_size:,} bytes")
    if args.open:
        webbrowser.open(path.resolve().as_uri())
    return FINE


def _counts(base):
    from tools.effects.recorded import BadRecord
    from tools.gallery.counts import counts_of
    from tools.knowledge.textfile import pattern_line

    try:
        return counts_of(tuple(pattern_line(pattern) for pattern in base.ranked()))
    except (OSError, BadRecord) as error:
        raise BadArgument(f"cannot read the recorded decisions: {error}") from None


def _write(text: str, folder: Path) -> Path:
    from tools.files import write_text

    path = folder / PAGE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
    except OSError as error:
        raise BadArgument(f"cannot write {path}: {error.strerror}") from None
    return path
