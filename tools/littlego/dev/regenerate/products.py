"""Everything in the repository that is made: from what, by which code, and how long that takes.

What takes a second is made to see whether it is up to date. Of all else tools/littlego/dev/regenerate/made.json keeps
digests of what it was made from: files by their bytes, code by what it means. Digests of the files made are kept as
well, so that an edit by hand is seen. What takes hours has a command of its own: labels, overrides, the certificate,
trained tables.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from littlego.cache import FOLDER, ROOT, digest
from littlego.cli.arguments import jobs
from littlego.dev.regenerate.console_blocks import prepare, read_steps, update_page
from littlego.dev.regenerate.figures import PAGE, RunError, figure_files, refresh_figures
from littlego.dev.regenerate.page_tables import PAGE_SIZES, page_sizes_text
from littlego.dev.regenerate.transcripts import read_transcripts, update_transcripts
from littlego.engines.small.engine import ENGINE
from littlego.files import short_name
from littlego.judging.deciding import decided
from littlego.judging.recorded import read_record, write_record
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import read_knowledge
from littlego.knowledge.reference import PAGES, SCHEMA, refresh, schema_text
from littlego.meaning import meaning_of
from littlego.paths import (
    DECISIONS,
    ENGINE_GAMES,
    MATCH_DECISIONS,
    MATCH_TXT,
    MATCH_YAML,
    OVERRIDES,
    PATTERNS_TXT,
    PATTERNS_YAML,
    REAL_GAMES,
)
from littlego.players.roles.championship import OPENINGS, RECORDED
from littlego.rules.patternfile import load

CODE = "the code"


class NotMadeError(Exception):
    """A product cannot be made, or is not to be changed without its author; the message says why and what to do."""


class Product(NamedTuple):
    """Something that is made. about: what it is, in a line.

    make: returns {file: its bytes}, for all files of the product; raises NotMadeError. files: what it is made from.
    modules: whose meaning it depends on; none for a product that is made in a second, which is no use to remember.
    parts: returns {input: text} of inputs that are no whole files; the files made are then not remembered either.
    """

    name: str
    about: str
    make: Callable[[], dict[Path, bytes]]
    files: tuple[Path, ...]
    modules: tuple[str, ...] = ()
    parts: Callable[[], dict[str, str]] | None = None

    @property
    def is_quick(self) -> bool:
        """Whether it is made to see whether it is up to date."""
        return not self.modules

    def inputs(self) -> dict[str, str]:
        """Return {file or "the code": digest} of all that it is made from."""
        parts = self.parts() if self.parts else {}
        return {
            **file_digests(self.files),
            **{name: sha256(text.encode("utf-8")).hexdigest() for name, text in parts.items()},
            CODE: meaning_of(*self.modules),
        }


def name_of(path: Path) -> str:
    """Return a path as made.json and messages name it: below the repository, with slashes."""
    return path.relative_to(ROOT).as_posix()


def file_digests(paths: Mapping[Path, object] | tuple[Path, ...]) -> dict[str, str]:
    """Return {path below the repository: digest of its bytes}, "" for a file that is not there."""
    return {name_of(path): sha256(path.read_bytes()).hexdigest() if path.is_file() else "" for path in paths}


def make_patterns() -> dict[Path, bytes]:
    """Compile patterns.yaml and patterns.match.yaml."""
    made = {}
    for source, target in ((PATTERNS_YAML, PATTERNS_TXT), (MATCH_YAML, MATCH_TXT)):
        data, problems, _ = compile_text(source.read_bytes(), os.path.relpath(source))
        if data is None:
            mend = f"mend {source.name} first: `littlego check` says more"
            raise NotMadeError("\n".join([*map(str, problems), mend]))
        made[target] = data
    return made


def make_schema() -> dict[Path, bytes]:
    """Write the schema for editors from the declared keys and facts."""
    return {SCHEMA: schema_text().encode("utf-8")}


def make_tables() -> dict[Path, bytes]:
    """Write the tables of keys, symbols, classes and facts into the reference pages."""
    return {page: refresh(page.read_text(encoding="utf-8")).encode("utf-8") for page in PAGES}


def make_figures() -> dict[Path, bytes]:
    """Write the tables of docs/results.md from the kept runs."""
    try:
        return {PAGE: refresh_figures(PAGE.read_text(encoding="utf-8")).encode("utf-8")}
    except RunError as error:
        raise NotMadeError(f"{error}; fix the run in docs/results/") from None


def make_page_sizes() -> dict[Path, bytes]:
    """Write the board sizes of the studio's page from the table of sizes."""
    return {PAGE_SIZES: page_sizes_text().encode("utf-8")}


def check_decisions() -> dict[Path, bytes]:
    """Decide every recorded position; a move that differs from the record is its author's to accept, not ours."""
    return _check_record(PATTERNS_TXT, DECISIONS, "littlego diff")


def check_match_decisions() -> dict[Path, bytes]:
    """Decide every recorded position of matches, likewise."""
    return _check_record(MATCH_TXT, MATCH_DECISIONS, "littlego diff --ruleset match")


def _check_record(patterns: Path, path: Path, command: str) -> dict[Path, bytes]:
    record = read_record(path)
    moves = decided(read_knowledge(patterns), record, jobs()).moves
    if others := sum(move != now for move, now in zip(record.moves, moves, strict=True)):
        raise NotMadeError(
            f"the player decides otherwise in {others} of {len(moves):,} positions of {short_name(path)}; they are "
            f"left as they are: `{command}` shows them, and with --accept puts the new moves on record"
        )
    return {path: path.read_bytes()}


def extend_decisions() -> dict[Path, bytes]:
    """Add the positions that the player meets now to the record."""
    from littlego.judging.role_games import extend_record

    check_decisions()
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / DECISIONS.name
        write_record(extend_record(read_record(DECISIONS), load(str(PATTERNS_TXT))), path)
        return {DECISIONS: path.read_bytes()}


def make_replies() -> dict[Path, bytes]:
    """Write what the course's championship player replied in the real games."""
    from littlego.players.fidelity import recorded_replies_text

    return {Path(RECORDED): recorded_replies_text().encode("ascii")}


def make_openings() -> dict[Path, bytes]:
    """Write the championship player's opening table; stopped, it goes on where it was."""
    from littlego.players.championship_openings import fill

    unfinished = FOLDER / "regenerate" / f"openings-{digest(*PRODUCTS['openings'].inputs().values())}.txt"
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    fill(str(unfinished))
    return {Path(OPENINGS): unfinished.read_bytes()}


def make_pages() -> dict[Path, bytes]:
    """Run the console blocks and transcripts of the pages in docs/, and write down what they print now."""
    made = {}
    for path, page in pages_with_commands().items():
        print(f"  running the commands of {name_of(path)}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as scratch:
            prepare(Path(scratch))
            made[path] = update_transcripts(update_page(page, Path(scratch))).encode("utf-8")
    return made


def pages_with_commands() -> dict[Path, str]:
    """Return {page of docs/: its text} of the pages with console blocks or transcripts."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
    return {path: page for path, page in pages.items() if read_steps(page) or read_transcripts(page)}


def console_blocks() -> dict[str, str]:
    """Return {page: its commands and transcripts, and what it says that they print}."""
    return {
        name_of(path): repr([*(step._replace(line=0) for step in read_steps(page)), *_exchanges(page)])
        for path, page in pages_with_commands().items()
    }


def _exchanges(page: str) -> list[tuple[str, str, list[str]]]:
    return [(one.ruleset, said.command, said.answer) for one in read_transcripts(page) for said in one.exchanges]


PLAYER = (PATTERNS_TXT, OVERRIDES)
PRODUCTS = {
    product.name: product
    for product in (
        Product(
            "patterns",
            "patterns.txt and patterns.match.txt, from the YAML files beside them",
            make_patterns,
            (PATTERNS_YAML, MATCH_YAML),
        ),
        Product("schema", "the schema with which editors complete patterns.yaml", make_schema, ()),
        Product("tables", "the tables in docs/patterns.md and docs/facts.md", make_tables, ()),
        Product("figures", "the tables in docs/results.md, from kept runs", make_figures, figure_files()),
        Product("sizes", "the board sizes of the studio's page", make_page_sizes, ()),
        Product(
            "decisions",
            "the decisions on record: compared with the player's, never overwritten",
            check_decisions,
            (PATTERNS_TXT,),
            ENGINE.modules,
        ),
        Product(
            "match",
            "the decisions on record of matches: likewise; takes a minute",
            check_match_decisions,
            (MATCH_TXT, ENGINE_GAMES),
            ("littlego.engines.large.search",),
        ),
        Product(
            "replies",
            "the real championship player's replies, from the real games",
            make_replies,
            (REAL_GAMES,),
            ("littlego.players.fidelity",),
        ),
        Product(
            "openings",
            "the championship player's opening table; takes minutes",
            make_openings,
            PLAYER,
            ("littlego.players.championship_openings",),
        ),
        Product(
            "pages",
            "what the commands on the pages of docs/ print; takes minutes",
            make_pages,
            (PATTERNS_YAML, *PLAYER),
            ENGINE.modules,
            console_blocks,
        ),
    )
}
