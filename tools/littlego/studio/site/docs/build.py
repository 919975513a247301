"""The build of the docs with Sphinx, from the pages of docs/ and the declarations in the code."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from littlego.cli.arguments import ArgumentError
from littlego.engines.draw.svg import draw_board
from littlego.files import write_text
from littlego.knowledge.codes import CODES, SEVERITIES
from littlego.knowledge.compiler import compile_text
from littlego.paths import HOME, PATTERNS_YAML
from littlego.studio.site.docs.examples import linker

HERE = Path(__file__).parent
DOCS = HOME / "docs"
OTHERS = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")  # pages at the repository's root
FIRST = "snap-back"  # the pattern in the picture of the first page
KINDS = ("Tutorial", "How to", "Reference", "Results", "Explanation")  # how page titles begin, in display order
CONFIGURATION = """\
project = "Little-Go by rules"
author = copyright = "The Little-Go contributors"
release = version = {version!r}
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!littlego\\.(?:Board|Decision|Move|Reason)\\b).*")]
html_theme = "furo"
html_static_path = ["style"]
html_favicon = "first.svg"
html_css_files = ["frames.css"]
html_title = "Little-Go by rules " + release
html_copy_source = html_show_sourcelink = False
autodoc_member_order = "bysource"
"""
LINKS = """\
<a href="{playground}">Open the playground</a>: a pattern and a board, with nothing to install. See
<a href="{playground}gallery/little-go.html">all patterns for 5x5</a> and
<a href="{playground}gallery/match.html">all patterns for large boards</a>.
"""
API = """\
# Reference: the Python API

This page lists the public classes and functions of the package `littlego`.

```{eval-rst}
.. automodule:: littlego.api
   :members:
```
"""


def build_docs(out: Path, playground: str = "", earlier: Sequence[str] = ()) -> None:
    """Build the docs in a folder.

    playground: the address of the playground relative to the docs pages; '' omits the links to the playground. earlier:
    the names of earlier versions, whose sites are in folders of the playground. Raise ArgumentError if Sphinx,
    MyST or Furo is missing, and for any error or warning of Sphinx.
    """
    if not all(map(find_spec, ("sphinx", "myst_parser", "furo"))):
        raise ArgumentError("building the docs needs Sphinx, MyST and Furo: pip install -e '.[test]'")
    with TemporaryDirectory() as scratch:
        source, trees = Path(scratch, "source"), Path(scratch, "trees")
        _write_source(source, playground, earlier)
        options = ["-q", "-W", "-n", "--keep-going", "-d"]
        command = [sys.executable, "-m", "sphinx", *options, *map(str, (trees, source, out))]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            raise ArgumentError(f"Sphinx found problems in the docs:\n{run.stderr.replace(str(source), 'docs')}")
    for path in (out / ".buildinfo", out / "objects.inv"):
        path.unlink(missing_ok=True)  # the files contain the build time, and only other tools need them


def _write_source(source: Path, playground: str, earlier: Sequence[str]) -> None:
    """Write all pages, the pictures and the configuration for Sphinx to a folder."""
    shutil.copytree(DOCS / "pictures", source / "pictures")
    (source / "lints").mkdir()
    write_text(source / "conf.py", CONFIGURATION.format(version=version("littlego")))
    write_text(source / "first.svg", _first_picture())
    (source / "style").mkdir()
    shutil.copy(HERE / "frames.css", source / "style")
    link = linker(playground)
    for name, page in _pages(playground, earlier):
        deeper = linker("../" + playground if playground else "") if "/" in name else link
        write_text(source / name, deeper(_plain_fences(page)))


def _pages(playground: str, earlier: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, Markdown) of each page."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
    pages["api.md"], pages["lints.md"] = API, _lints()
    for name in OTHERS:
        pages[name] = re.sub(r"\]\(docs/", "](", (HOME / name).read_text(encoding="utf-8"))
    for name, page in pages.items():
        page = re.sub(rf"\]\(\.\./({'|'.join(map(re.escape, OTHERS))})", r"](\1", page)
        yield name, re.sub(r"\[([^\]]*)\]\(\.\./[^)]*\)", r"\1", page)  # other files are not part of the site
    for code in CODES.values():
        yield f"lints/{code.name}.md", code.page()
    yield "index.md", _index(pages, playground, earlier)


def _index(pages: dict[str, str], playground: str, earlier: Sequence[str]) -> str:
    """Return the first page, which lists the pages by kind and links to earlier versions."""
    text = (HERE / "index.md").read_text(encoding="utf-8")
    links = LINKS.format(playground=playground) if playground else ""
    parts = [text.replace("PLAYGROUND\n", links)]
    titles = {name: page.partition("\n")[0].lstrip("# ") for name, page in pages.items()}
    groups = {kind: [name for name, title in titles.items() if title.startswith(kind)] for kind in KINDS}
    groups["About the project"] = [name for name in titles if not titles[name].startswith(KINDS)]
    for kind, names in groups.items():
        shown = "\n".join(f"{_short(titles[name], kind)} <{name.removesuffix('.md')}>" for name in names)
        parts.append(f"```{{toctree}}\n:caption: {kind}\n:maxdepth: 1\n\n{shown}\n```\n")
    if earlier:
        shown = ", ".join(f'<a href="{playground}{name}/docs/index.html">{name}</a>' for name in earlier)
        parts.append(f"These pages describe version {version('littlego')}. Earlier versions: {shown}.\n")
    return "\n".join(parts)


def _short(title: str, kind: str) -> str:
    """Return a page's title without the prefix `kind`, such as `How to`. The first letter is capitalized."""
    rest = title.removeprefix(kind).lstrip(": ")
    return rest[0].upper() + rest[1:]


def _lints() -> str:
    lines = ["# Reference: the findings of `check`", "", "This page lists every code that `littlego check` prints.", ""]
    for severity in SEVERITIES:
        found = [code for code in CODES.values() if code.severity == severity]
        lines += [f"## {severity.capitalize()}s", ""]
        lines += [f"- [{code.name}](lints/{code.name}.md) {code.title}" for code in found]
        lines += ["", "```{toctree}", ":hidden:", "", *(f"lints/{code.name}" for code in found), "```", ""]
    return "\n".join(lines)


def _plain_fences(page: str) -> str:
    """Mark GTP blocks, and YAML blocks with conflict markers, as plain text; return the page.

    Sphinx cannot highlight these blocks.
    """
    page = re.sub(r"^( *```)gtp\b.*$", r"\1text", page, flags=re.MULTILINE)
    return re.sub(r"^```yaml[^\n]*\n(?=(?:(?!```).*\n)*<{7})", "```text\n", page, flags=re.MULTILINE)


def _first_picture() -> str:
    """Return the first page's picture as SVG: the first example of the pattern FIRST."""
    _, _, base = compile_text(PATTERNS_YAML.read_bytes(), PATTERNS_YAML.name, with_examples=False)
    (pattern,) = (one for one in base.patterns if one.id == FIRST)
    example = pattern.examples[0]
    return draw_board(example.ruleset.size, *example.stones, move=example.move, title=pattern.summary, size_px=240)
