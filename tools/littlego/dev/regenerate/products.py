"""The products of `dev regenerate`: generated files, their inputs and the code that generates them.

`dev regenerate` checks a quick product by building it again. For all other products,
tools/littlego/dev/regenerate/made.json has digests of the inputs: of each file's bytes, of parts of files, and of the
code without comments, docstrings and layout. For most products, made.json also has digests of the generated files, so
that manual edits are detected. Separate commands generate labels, overrides, certificates and trained tables, because
each command takes hours.
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
from littlego.cli.arguments import ArgumentError, jobs
from littlego.dev.regenerate.console_blocks import prepare, read_steps, update_page
from littlego.dev.regenerate.figures import PAGE, RunError, figure_files, refresh_figures
from littlego.dev.regenerate.page_tables import PAGE_SIZES, page_sizes_text
from littlego.dev.regenerate.transcripts import read_transcripts, update_transcripts
from littlego.engines.large.shapes import FILE as SHAPES
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


WASM = ROOT / "tools" / "littlego" / "studio" / "site" / "wasm" / "engine.wasm"
RETARGET = WASM.with_name("retarget.py")


class NotMadeError(Exception):
    """Raised if a product cannot be built or needs another command; the message says what to do."""


class Product(NamedTuple):
    """A generated file or group of files."""

    name: str
    about: str  # one-line description
    make: Callable[[], dict[Path, bytes]]  # returns {file: bytes} for all files of the product; raises NotMadeError
    files: tuple[Path, ...]  # the input files
    # modules on whose code the product depends; empty for a quick product, which made.json omits
    modules: tuple[str, ...] = ()
    # returns {input: text} for inputs that are parts of files; made.json then has no digests of the generated files
    parts: Callable[[], dict[str, str]] | None = None

    @property
    def is_quick(self) -> bool:
        """Whether the product is fast enough to be rebuilt for every check."""
        return not self.modules

    def inputs(self) -> dict[str, str]:
        """Return {input: digest} for the input files, inputs that are parts of files, and the code (key CODE)."""
        parts = self.parts() if self.parts else {}
        return {
            **file_digests(self.files),
            **{name: sha256(text.encode("utf-8")).hexdigest() for name, text in parts.items()},
            CODE: meaning_of(*self.modules),
        }


def name_of(path: Path) -> str:
    """Return a file's name in made.json and in messages.

    The name is the path relative to the repository, with forward slashes.
    """
    return path.relative_to(ROOT).as_posix()


def file_digests(paths: Mapping[Path, object] | tuple[Path, ...]) -> dict[str, str]:
    """Return {name of a file: digest of its bytes}; the digest of a missing file is ""."""
    return {name_of(path): sha256(path.read_bytes()).hexdigest() if path.is_file() else "" for path in paths}


def make_patterns() -> dict[Path, bytes]:
    """Return {file: bytes} of the compiled patterns.yaml and patterns.match.yaml.

    Raise NotMadeError if one of these files has problems.
    """
    made = {}
    for source, target in ((PATTERNS_YAML, PATTERNS_TXT), (MATCH_YAML, MATCH_TXT)):
        data, problems, _ = compile_text(source.read_bytes(), os.path.relpath(source))
        if data is None:
            mend = f"fix {source.name} first; see `littlego check`"
            raise NotMadeError("\n".join([*map(str, problems), mend]))
        made[target] = data
    return made


def make_schema() -> dict[Path, bytes]:
    """Return {file: bytes} of the JSON schema of patterns.yaml, built from the declared keys and facts."""
    return {SCHEMA: schema_text().encode("utf-8")}


def make_tables() -> dict[Path, bytes]:
    """Return {file: bytes} of the reference pages with new tables of keys, symbols, classes and facts."""
    return {page: refresh(page.read_text(encoding="utf-8")).encode("utf-8") for page in PAGES}


def make_figures() -> dict[Path, bytes]:
    """Return {file: bytes} of docs/results.md with tables from the recorded runs, or raise NotMadeError."""
    try:
        return {PAGE: refresh_figures(PAGE.read_text(encoding="utf-8")).encode("utf-8")}
    except RunError as error:
        raise NotMadeError(f"docs/results/{error}; write or correct this file as CONTRIBUTING.md describes") from None


def make_page_sizes() -> dict[Path, bytes]:
    """Return {file: bytes} of the script with the studio page's board sizes."""
    return {PAGE_SIZES: page_sizes_text().encode("utf-8")}


def make_wasm() -> dict[Path, bytes]:
    """Return {file: bytes} of the engine and solver for the browser.

    Raise NotMadeError if the linker is missing or the build fails.
    """
    from littlego.studio.site.wasm.retarget import make

    try:
        return {WASM: make()}
    except ArgumentError as error:
        raise NotMadeError(str(error)) from None


def check_decisions() -> dict[Path, bytes]:
    """Return {file: bytes} of the recorded decisions.

    Raise NotMadeError if the player now decides differently.
    """
    return _check_record(PATTERNS_TXT, DECISIONS, "littlego diff")


def check_match_decisions() -> dict[Path, bytes]:
    """Return {file: bytes} of the recorded match decisions.

    Raise NotMadeError if the player now decides differently.
    """
    return _check_record(MATCH_TXT, MATCH_DECISIONS, "littlego diff --ruleset match")


def _check_record(patterns: Path, path: Path, command: str) -> dict[Path, bytes]:
    record = read_record(path)
    moves = decided(read_knowledge(patterns), record, jobs()).moves
    if others := sum(move != now for move, now in zip(record.moves, moves, strict=True)):
        raise NotMadeError(
            f"the player's moves differ from the record in {others} of {len(moves):,} positions of {short_name(path)}; "
            f"the record is unchanged: `{command}` shows the differences, `{command} --accept` records the new moves"
        )
    return {path: path.read_bytes()}


def extend_decisions() -> dict[Path, bytes]:
    """Return {file: bytes} of the recorded decisions, with new positions from the player's games added."""
    from littlego.judging.role_games import extend_record

    check_decisions()
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / DECISIONS.name
        write_record(extend_record(read_record(DECISIONS), load(str(PATTERNS_TXT))), path)
        return {DECISIONS: path.read_bytes()}


def make_replies() -> dict[Path, bytes]:
    """Return {file: bytes} of the recorded replies of the course's championship player."""
    from littlego.players.fidelity import recorded_replies_text

    return {Path(RECORDED): recorded_replies_text().encode("ascii")}


def make_openings() -> dict[Path, bytes]:
    """Return {file: bytes} of the championship player's opening table.

    After an interrupted call, the next call with unchanged inputs resumes the computation.
    """
    from littlego.players.championship_openings import fill

    unfinished = FOLDER / "regenerate" / f"openings-{digest(*PRODUCTS['openings'].inputs().values())}.txt"
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    fill(str(unfinished))
    return {Path(OPENINGS): unfinished.read_bytes()}


def make_pages() -> dict[Path, bytes]:
    """Return {file: bytes} of the pages in docs/ that contain commands, with the commands' current output."""
    made = {}
    for path, page in pages_with_commands().items():
        print(f"  running the commands of {name_of(path)}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as scratch:
            prepare(Path(scratch))
            made[path] = update_transcripts(update_page(page, Path(scratch))).encode("utf-8")
    return made


def pages_with_commands() -> dict[Path, str]:
    """Return {path: text} of the pages in docs/ with console blocks or transcripts."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
    return {path: page for path, page in pages.items() if read_steps(page) or read_transcripts(page)}


def console_blocks() -> dict[str, str]:
    """Return {name of a page: the page's commands and transcripts, with the output, as text}."""
    return {
        name_of(path): repr([*(step._replace(line=0) for step in read_steps(page)), *_exchanges(page)])
        for path, page in pages_with_commands().items()
    }


def _exchanges(page: str) -> list[tuple[str, str, list[str]]]:
    return [
        (transcript.ruleset, exchange.command, exchange.answer)
        for transcript in read_transcripts(page)
        for exchange in transcript.exchanges
    ]


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
        Product("schema", "the schema that lets editors complete patterns.yaml", make_schema, ()),
        Product("tables", "the tables in docs/patterns.md and docs/facts.md", make_tables, ()),
        Product("figures", "the tables in docs/results.md, from recorded runs", make_figures, figure_files()),
        Product(
            "wasm",
            "the engine and the solver for the browser, from the sources that numba compiles; needs wasm-ld",
            make_wasm,
            (RETARGET,),
            ("littlego.studio.site.wasm.exported",),
        ),
        Product("sizes", "the board sizes of the studio's page", make_page_sizes, ()),
        Product(
            "decisions",
            "the recorded decisions; compared with the player's decisions, changed only by --extend",
            check_decisions,
            (PATTERNS_TXT,),
            ENGINE.modules,
        ),
        Product(
            "match",
            "the recorded decisions of matches; compared with the player's decisions, never overwritten; takes one "
            "minute",
            check_match_decisions,
            (MATCH_TXT, ENGINE_GAMES, SHAPES),
            ("littlego.engines.large.search",),
        ),
        Product(
            "replies",
            "the replies of the course's championship player, from recorded games",
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
            "the command output shown on the pages in docs/; takes minutes",
            make_pages,
            (PATTERNS_YAML, MATCH_YAML, SHAPES, *PLAYER),
            ENGINE.modules,
            console_blocks,
        ),
    )
}
