"""The command `gallery`: an atlas of the patterns as a self-contained HTML page."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

import click

from littlego.cli.arguments import FINDINGS, FINE, jobs, read_file, trying_to
from littlego.cli.commandline import command, patterns_argument, patterns_ruleset_option
from littlego.files import short_name, write_text
from littlego.judging.corpora import RECORDED, corpora_of, survey_all
from littlego.judging.coverage import Survey, total_in_play
from littlego.judging.gallery.atlas import atlas_page
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import knowledge_of
from littlego.knowledge.model import KnowledgeBase
from littlego.knowledge.problems import plural

FOLDER = Path("build") / "gallery"  # git-ignored
PAGE = "index.html"


@command("gallery", example="littlego dev gallery --open\nlittlego dev gallery my.yaml -o pages --coverage")
@patterns_argument
@patterns_ruleset_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=FOLDER,
    show_default=True,
    metavar="FOLDER",
    help="Folder for the page.",
)
@click.option("--coverage", is_flag=True, help="Show how often each pattern fires in the recorded decisions.")
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
def gallery(patterns: Path, output: Path, coverage: bool, show: bool) -> int:
    """Draw all patterns of a patterns.yaml on one web page, with rotations, reflections and examples.

    If the file has errors, the command prints the errors to standard error and does not change an existing page.
    """
    name = short_name(patterns)
    _, problems, base = compile_text(read_file(patterns), name, with_examples=False)
    if problems:
        print(*problems, f"{plural(len(problems), 'problem')}; no page is written", sep="\n", file=sys.stderr)
        return FINDINGS
    page = atlas_page(base, Path(name).name, _survey_record(base) if coverage else None)
    path = output / PAGE
    with trying_to(f"write {path}"):
        output.mkdir(parents=True, exist_ok=True)
        write_text(path, page)
    print(f"{path}: {plural(len(base.ranked()), 'pattern')}, {path.stat().st_size:,} bytes")
    if show:
        webbrowser.open(path.resolve().as_uri())
    return FINE


def _survey_record(base: KnowledgeBase) -> Survey:
    """Return a Survey of the recorded positions.

    The Survey says how often each pattern fires, and how often it decides or supports the move.
    """
    knowledge = knowledge_of(base, base.filename)
    corpora = corpora_of(knowledge.ruleset)
    record = {RECORDED: corpora.on_record(RECORDED, corpora.record)}
    return total_in_play(survey_all(knowledge, record, jobs()))
