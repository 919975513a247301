"""The JavaScript packages of the page, copied byte for byte from npm, with their digests.

`python -m littlego.studio.vendor FOLDER` copies the packages from a folder in which `npm ci` has run.
"""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from hashlib import sha512
from pathlib import Path
from typing import Any

from littlego.files import write_bytes, write_text

VENDOR = Path(__file__).parent / "static" / "vendor"
LIST = VENDOR / "vendor.json"
FILES = {  # import name -> (package, file in the package)
    "preact": ("preact", "dist/preact.mjs"),
    "preact/hooks": ("preact", "hooks/dist/hooks.mjs"),
    "htm": ("htm", "dist/htm.mjs"),
    "@codemirror/autocomplete": ("@codemirror/autocomplete", "dist/index.js"),
    "@codemirror/commands": ("@codemirror/commands", "dist/index.js"),
    "@codemirror/language": ("@codemirror/language", "dist/index.js"),
    "@codemirror/lint": ("@codemirror/lint", "dist/index.js"),
    "@codemirror/search": ("@codemirror/search", "dist/index.js"),
    "@codemirror/state": ("@codemirror/state", "dist/index.js"),
    "@codemirror/streamparser": ("@codemirror/streamparser", "dist/index.js"),
    "@codemirror/view": ("@codemirror/view", "dist/index.js"),
    "@lezer/common": ("@lezer/common", "dist/index.js"),
    "@lezer/highlight": ("@lezer/highlight", "dist/index.js"),
    "@marijn/find-cluster-break": ("@marijn/find-cluster-break", "src/index.js"),
    "crelt": ("crelt", "index.js"),
    "style-mod": ("style-mod", "src/style-mod.js"),
    "w3c-keyname": ("w3c-keyname", "index.js"),
}
LICENCES = "LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE"


def file_name(specifier: str) -> str:
    """Return the name of a module's copied file, such as codemirror-state.js for `@codemirror/state`."""
    return specifier.lstrip("@").replace("/", "-") + ".js"


def integrity(data: bytes) -> str:
    """Return the digest of bytes in the format of npm and browsers: sha512-BASE64."""
    return f"sha512-{b64encode(sha512(data).digest()).decode('ascii')}"


def copy(folder: Path) -> None:
    """Copy the FILES and their packages' licences to VENDOR; write vendor.json.

    folder: a folder with package-lock.json and node_modules.
    """
    locked = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    listed: list[dict[str, Any]] = []
    for specifier, (package, path) in FILES.items():
        source, lock = folder / "node_modules" / package, locked[f"node_modules/{package}"]
        data = (source / path).read_bytes()
        licence = next(source / name for name in LICENCES if (source / name).is_file())
        write_bytes(VENDOR / file_name(specifier), data)
        write_bytes(VENDOR / "licences" / f"{package.lstrip('@').replace('/', '-')}.txt", licence.read_bytes())
        listed.append(
            {
                "import": specifier,
                "file": file_name(specifier),
                "package": package,
                "version": lock["version"],
                "path": path,
                "licence": lock["license"],
                "tarball": lock["integrity"],
                "integrity": integrity(data),
            }
        )
    write_text(LIST, json.dumps(listed, indent=2) + "\n")


if __name__ == "__main__":
    copy(Path(sys.argv[1]))
