"""The build of the site: the studio's page, Python for the browser, and our modules, as static files.

The build is reproducible: the same sources give the same bytes.
"""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import distribution, version
from pathlib import Path
from tempfile import TemporaryDirectory

from littlego import paths
from littlego.cache import FOLDER, digest, make_private
from littlego.cli.arguments import ArgumentError, trying_to
from littlego.editor.links import BASES
from littlego.engines.large.shapes import FILE as SHAPES
from littlego.files import write_bytes, write_text
from littlego.paths import HOME, INSTALLED, PACKAGE
from littlego.studio.guard import SECURITY, script_hashes
from littlego.studio.site.docs.build import build_docs
from littlego.studio.site.first import first_view
from littlego.studio.site.gallery import gallery
from littlego.studio.site.in_browser import REPLACED
from littlego.studio.site.later import ADDRESSES, LABELS, MATCH
from littlego.truth.labels import WORKING

HERE = Path(__file__).parent
STUDIO = PACKAGE / "studio" / "static"
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm")
LIBRARY = "python_stdlib.zip"  # Pyodide's name for the standard library
PACKAGES_OF_RUNTIME = "pyodide-lock.json"  # Pyodide's packages, none of which the page loads
PACKAGES = ("click", "jinja2", "markupsafe", "PyYAML")  # packages that the answers need, without compiled parts
ROOT_FILES = (
    "docs/tutorial/first.yaml",
    "my_player3.py",
    "overrides.txt",
    "patterns.txt",
    "patterns.yaml",
)
LEFT_OUT = (  # never needed in a page, or loaded later
    *(
        "arena",
        "dev",
        "grading/classroom",
        "learning",
        "players/gtp",
        "players/server",
        "players/zero",
        "studio/site/docs",
        "studio/site/wasm",
        "studio/site/npm",
        "studio/site/static",
        "studio/static",
        "submission",
        "truth/proof",
    ),
    "engines/large/shapes.txt",
    "knowledge/patterns.schema.json",
    "records/match_decisions.txt",
)
NEEDED = ("players/zero/__init__.py", "players/zero/player.py")  # in an omitted folder, but needed for a player's name
VERSION = "version.txt"  # the file of a site that contains the site's version
RECORDS = ("INSTALLER", "RECORD", "REQUESTED")  # files that pip writes about an installation
ENDINGS = (".css", ".html", ".js", ".json", ".jsonl", ".md", ".py", ".txt", ".yaml")
# The installed studio's policy, adapted: Python in the page is WebAssembly in workers, and a policy in a `meta`
# element cannot restrict `frame-ancestors`.
POLICY = (
    SECURITY["Content-Security-Policy"]
    .replace("'self'{hashes}", "'self' 'wasm-unsafe-eval'{hashes}")
    .replace("frame-ancestors 'none'", "worker-src 'self'")
)
TIMEOUT = 600  # seconds for npm, or for node


def build(out: Path, earlier: Sequence[Path] = ()) -> tuple[int, int]:
    """Build the site in an empty or missing folder; return the playground's sizes (raw, compressed).

    earlier: the sites of earlier versions; each site is copied into a folder named after its version. The sizes are in
    bytes and count the files that the playground loads first. The compressed size is the total if a server compresses
    each file separately. Raise ArgumentError outside a checkout, for a folder that is not empty, for an invalid earlier
    site, for a mistake in the patterns or the docs, and if a required program or package is missing or fails.
    """
    check_empty(out)
    versions = {_version_of(site): site for site in earlier}
    runtime = fetch_runtime()
    with trying_to(f"write {out}"):
        for name, site in versions.items():
            shutil.copytree(site, out / name)
        later = dict(_archives())
        files = dict(_files(runtime, {name: address for name, (address, _) in later.items()}))
        files["sw.js"] = _service_worker(files, versions)
        for path, data in (*files.items(), *later.values()):
            target = out / path
            target.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(target, data)
        _pages(out, list(versions))
    return sum(map(len, files.values())), sum(len(gzip.compress(data, mtime=0)) for data in files.values())


def check_empty(out: Path) -> None:
    """Raise ArgumentError unless this code runs from a checkout and the folder is empty or missing."""
    if INSTALLED:
        raise ArgumentError("this command needs a checkout: run the command in a clone of the repository")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ArgumentError(f"{out} exists and is not an empty folder; expected a new or an empty folder")


def _version_of(site: Path) -> str:
    """Return the version of an earlier site.

    Raise ArgumentError if the folder is not a site, or if its version is invalid or equals the version of this build.
    """
    try:
        text = (site / VERSION).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ArgumentError(
            f"{site} is not a site: cannot read {VERSION}: {error.strerror}; build a site with `littlego site`"
        ) from None
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)+\w*", text):
        raise ArgumentError(f"{site / VERSION}: found {text[:40]!r}; expected a version such as 1.0.0")
    if text == version("littlego"):
        raise ArgumentError(f"{site} has the version {text}, which this command builds; expected an earlier version")
    return text


def fetch_runtime() -> Path:
    """Return the folder of Pyodide in the version that the lock file names. The first call installs Pyodide with npm.

    Raise ArgumentError if the installation fails.
    """
    lock = HERE / "npm" / "package-lock.json"
    folder = FOLDER / "site" / digest(lock.read_text(encoding="utf-8"))
    runtime = folder / "node_modules" / "pyodide"
    if not (folder / "complete").exists():
        make_private(FOLDER)
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / "npm" / name, folder)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        _run(command, folder, "npm cannot install Pyodide", "the build needs npm and a network")
        (folder / "complete").touch()
    return runtime


def _run(command: Sequence[str], folder: Path, fault: str, needs: str) -> None:
    """Run a command in a folder. Raise ArgumentError with `fault` and `needs` if the command fails."""
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=TIMEOUT)
    except (OSError, subprocess.SubprocessError) as error:
        output = getattr(error, "stderr", "") or str(error)
        raise ArgumentError(f"{fault}: {output.strip()[-300:]}; {needs}") from None


def _compile_library(runtime: Path, code: bytes) -> bytes:
    """Return the page's standard library (see littlego.studio.site.library). code: the bytes of code.tar.gz."""
    packages = pack({name: data for name, data in _package_files() if ".dist-info" not in name})
    with TemporaryDirectory() as folder:
        archives = [(Path(folder, "code.tar.gz"), code), (Path(folder, "packages.tar.gz"), packages)]
        for path, data in archives:
            path.write_bytes(data)
        library = Path(folder, LIBRARY)
        command = ["node", HERE / "npm" / "library.mjs", runtime, *(path for path, _ in archives), library]
        _run([*map(str, command)], Path(folder), "node cannot compile the standard library", "the build needs node")
        return library.read_bytes()


def _archives() -> Iterator[tuple[str, tuple[str, bytes]]]:
    """Yield (name, (path in the site, content)) of each archive that a page loads on demand."""
    for name, files in ((LABELS, _labels()), (MATCH, _match())):
        packed = pack({path.relative_to(HOME).as_posix(): data for path, data in files})
        yield name, (f"later/{name}-{sha256(packed).hexdigest()[:16]}.tar.gz", packed)


def _labels() -> Iterator[tuple[Path, bytes]]:
    """Yield (path, content) of the page's labels file.

    The file contains the working part (see littlego.truth.labels) with all tags set to 0.
    """
    from littlego.truth.labels.labels import load, to_bytes

    labels = load(WORKING)
    yield paths.LABELS, to_bytes(labels._replace(tags=0 * labels.tags))


def _match() -> Iterator[tuple[Path, bytes]]:
    """Yield (path, content) of each file for the match ruleset.

    The recorded games are stored without LZMA compression, because Python in a page lacks lzma.
    """
    for path in (paths.MATCH_YAML, paths.MATCH_TXT, paths.MATCH_DECISIONS, SHAPES):
        yield path, path.read_bytes()
    yield paths.ENGINE_GAMES, lzma.decompress(paths.ENGINE_GAMES.read_bytes())


def _files(runtime: Path, later: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of all files that the playground loads first. later: {name of an archive: its path}."""
    for name in RUNTIME:
        yield f"runtime/{name}", (runtime / name).read_bytes()
    lock = json.loads((runtime / PACKAGES_OF_RUNTIME).read_text(encoding="utf-8"))
    yield f"runtime/{PACKAGES_OF_RUNTIME}", json.dumps({**lock, "packages": {}}).encode()
    for path in _below(STUDIO):
        if path.name not in ("index.html", "link.js"):
            yield f"static/{path.relative_to(STUDIO).as_posix()}", path.read_bytes()
    yield "engine.wasm", (HERE / "wasm" / "engine.wasm").read_bytes()
    for name in ("boot.js", "desk.js", "engine.js", "second.js", "start.js", "stored.js"):
        yield name, (HERE / "static" / name).read_bytes()
    yield "static/link.js", (HERE / "static" / "link.js").read_bytes()
    yield from _licences(runtime)
    yield "index.html", _page().encode()
    with TemporaryDirectory() as folder:
        yield "first.json", json.dumps(first_view(Path(folder))).encode()
    code = pack({**dict(_code()), ADDRESSES: json.dumps(later).encode()})
    yield "code.tar.gz", code
    yield f"runtime/{LIBRARY}", _compile_library(runtime, code)


def _licences(runtime: Path) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of each licence file of the site, and of a note on Pyodide's sources."""
    yield "licences/littlego.txt", (HOME / "LICENSE").read_bytes()
    about = json.loads((runtime / "package.json").read_text(encoding="utf-8"))
    told = (
        f"Pyodide {about['version']}, under the licence {about['license']}, with Python under the PSF licence.\n"
        f"Sources: {about['homepage']}\n"
        f"Changed: {LIBRARY} lacks modules that the page does not need, and contains compiled modules.\n"
    )
    yield "licences/pyodide.txt", told.encode()
    for package in PACKAGES:
        for file in distribution(package).files or []:
            if "LICENSE" in file.name.upper() or "LICENCE" in file.name.upper():
                yield f"licences/{package.lower()}.txt", Path(str(file.locate())).read_bytes()
    for path in _below(STUDIO / "vendor"):
        if path.suffix == ".txt" or "LICENSE" in path.name:
            yield f"licences/{path.name}", path.read_bytes()


def _pages(out: Path, earlier: Sequence[str]) -> None:
    """Write the docs and the galleries, both with links to the playground.

    Raise ArgumentError for a mistake in the docs or the patterns.
    """
    for ruleset in BASES:
        (out / "gallery").mkdir(exist_ok=True)
        write_text(out / "gallery" / f"{ruleset}.html", gallery(ruleset, "../"))
    build_docs(out / "docs", "../", earlier)


def _service_worker(files: Mapping[str, bytes], earlier: Iterable[str]) -> bytes:
    """Return the service worker sw.js with the names of `files` and of the earlier versions.

    The service worker also contains the page's security policy and, as its version, a digest of `files`.
    """
    version_of = sha256(json.dumps({name: sha256(data).hexdigest() for name, data in files.items()}).encode())
    text = (HERE / "static" / "sw.js").read_text(encoding="utf-8")
    text = text.replace('"VERSION"', json.dumps(version_of.hexdigest()[:16]))
    text = text.replace('"EARLIER"', ", ".join(json.dumps(f"{name}/") for name in earlier))
    text = text.replace("FILE_LIST", json.dumps([f"./{name}" for name in files]))
    return text.replace('"POLICY"', json.dumps(_policy(files["index.html"].decode()))).encode()


def _policy(page: str) -> str:
    return POLICY.replace("{hashes}", "".join(f" '{one}'" for one in script_hashes(page)))


def _page() -> str:
    """Return the studio's page with relative addresses, the script start.js and a security policy.

    The policy is in a `meta` element, because static hosts send no policy header.
    """
    text = (STUDIO / "index.html").read_text(encoding="utf-8").replace('"/static/', '"./static/')
    meta = f'<meta http-equiv="Content-Security-Policy" content="{_policy(text)}" />'
    main = '<script type="module" src="./static/main.js"></script>'
    text = text.replace(main, f'<script type="module" src="./start.js"></script>\n    {main}')
    return text.replace('<meta charset="utf-8" />', f'<meta charset="utf-8" />\n    {meta}')


def _code() -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of each file that Python needs in the page."""
    replaced = {f"{there}.py": HERE / "in_browser" / f"{here}.py" for here, there in REPLACED.items()}
    for name in ROOT_FILES:
        yield name, (HOME / name).read_bytes()
    for path in _below(HOME / "rules"):
        yield f"rules/{path.name}", path.read_bytes()
    for path in _below(PACKAGE):
        name = path.relative_to(PACKAGE).as_posix()
        is_left_out = f"{name}/".startswith(tuple(f"{one}/" for one in (*LEFT_OUT, "rules")))
        if path.suffix in ENDINGS and (not is_left_out or name in NEEDED):
            yield f"tools/littlego/{name}", replaced.get(name, path).read_bytes()
    for name, data in _package_files():
        if ".dist-info" in name:
            yield f"packages/{name}", data
    about = f"Metadata-Version: 2.1\nName: littlego\nVersion: {version('littlego')}\n"
    yield "packages/littlego-site.dist-info/METADATA", about.encode()


def _package_files() -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of each file of the packages that the page may need."""
    for package in PACKAGES:
        for file in distribution(package).files or []:
            if file.suffix == ".py" or ".dist-info" in str(file) and file.name not in RECORDS:
                yield file.as_posix(), Path(str(file.locate())).read_bytes()


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder in sorted order, except Python's caches and files in linked folders."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        yield from (Path(place, name) for name in sorted(names))


def pack(files: dict[str, bytes]) -> bytes:
    """Return a compressed tar archive of files; the same files give the same bytes.

    The archive is a tenth smaller than a zip archive, which compresses each file separately.
    """
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            about = tarfile.TarInfo(name)
            about.size = len(files[name])
            archive.addfile(about, io.BytesIO(files[name]))
    return gzip.compress(packed.getvalue(), 9, mtime=0)
