"""Test that the editor's answers can be imported with the few packages of a browser's Python."""

from __future__ import annotations

import subprocess
import sys

# The packages in Pyodide's own files besides the standard library: the pure parts of the site's packages.
ALLOWED = ("click", "littlego", "markupsafe", "yaml")
# Parts of the standard library that Pyodide's own files lack.
LACKING = ("_multiprocessing", "ctypes", "lzma", "sqlite3", "ssl")
LOADED = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        if first in {LACKING} or not (first in sys.stdlib_module_names or first in {ALLOWED}):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
from littlego.editor.methods import JOBS, METHODS, load_answers

load_answers()
print(len(METHODS) > 30, len(JOBS) > 5)

from littlego.cache import Cache
from littlego.games.match import match_rules

cache = Cache("nothing")
cache.put("key", [1])
print(cache.get("key"), cache.get("other"))
position = match_rules(9).opening().play(40).play(41)
print(len(list(position.seen)))
"""


def test_the_answers_load_without_packages_that_a_browser_lacks():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True)
    assert done.stdout == "True True\n[1] None\n3\n", done.stderr
