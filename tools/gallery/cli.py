"""The command `gallery`: an atlas of the patterns as one HTML page that needs no network."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from tools.arguments import FINDINGS, FINE, add_yaml, complaining, jobs, trying_to
from tools.cache import Cache
from tools.files import short_name, write_text

if TYPE_CHECKING:
    from tools.effects.coverage import Survey
    from tools.knowledge.model import KnowledgeBase

FOLDER = Path("build") / "gallery"  # git-ignored
PAGE = "index.html"


def add_parsers(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    parser = subparsers.add_parser("gallery", help="draw all patterns as a web page, with their images and examples")
    add_yaml(parser)
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, metavar="FOLDER", help="default: %(default)s")
    parser.add_argument("--coverage", action="store_true", help="count what each does in the recorded decisions")
    parser.add_argument("--open", action="store_true", help="show the page in the browser")
    parser.set_defaults(run=complaining(run_gallery))


def run_gallery(args: argparse.Namespace) -> int:
    """Write the page; problems of the pattern file go to standard error, and the old page stays."""
    from tools.gallery.atlas import atlas
    from tools.knowledge.compiler import compile_text
    from tools.knowledge.problems import plural

    name = short_name(args.yaml)
    with trying_to(f"read {name}"):
        data = args.yaml.read_bytes()
    _, problems, base = compile_text(data, name, with_examples=False)
    if problems:
        print(*problems, f"{plural(len(problems), 'problem')}; no page is written", sep="\n", file=sys.stderr)
        return FINDINGS
    path = _write(atlas(base, Path(name).name, _counts(base) if args.coverage else None), args.output)
    print(f"{path}: {plural(len(base.patterns), 'pattern')}, {path.stat().st_size:,} bytes")
    if args.open:
        webbrowser.open(path.resolve().as_uri())
    return FINE


def _counts(base: KnowledgeBase) -> Survey:
    """Return what the patterns do in the positions on record."""
    from tools.data import DECISIONS
    from tools.effects.books import knowledge_of
    from tools.effects.corpora import CACHE, survey_all, tasks_in
    from tools.effects.coverage import RECORDED
    from tools.effects.recorded import read_decisions

    with trying_to(f"read {short_name(DECISIONS)}"):
        positions = [one.position for one in read_decisions(DECISIONS)]
    tasks = tasks_in(positions, knowledge_of(base, base.filename), RECORDED)
    return survey_all(tasks, jobs(), Cache(CACHE))[RECORDED]


def _write(text: str, folder: Path) -> Path:
    path = folder / PAGE
    with trying_to(f"write {path}"):
        folder.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
    return path
