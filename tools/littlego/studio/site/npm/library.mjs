// Write the page's standard library, as library.py describes. Arguments: Pyodide's folder, our modules and the packages
// (.tar.gz), the new library.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, code, packages, compiled] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${runtime}/` });
const read = (path) => new Uint8Array(readFileSync(path));
python.unpackArchive(read(code).buffer, "gztar", { extractDir: "/code" });
python.unpackArchive(read(packages).buffer, "gztar", { extractDir: "/packages" });
python.registerJsModule("littlego_engine", {});
python.FS.writeFile("/library.zip", read(`${runtime}/python_stdlib.zip`));
python.runPython(`
import sys
sys.path[:] = dict.fromkeys(['/code/tools', '/code/packages', '/packages', *sys.path])
from littlego.editor.methods import load_answers
from littlego.studio.site import in_page
from littlego.studio.site.library import compile_library
load_answers()
compile_library('/library.zip', '/packages', '/compiled.zip')`);
writeFileSync(compiled, python.FS.readFile("/compiled.zip"));
