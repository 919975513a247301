// Start Python in a worker, with the studio's modules.

import { loadPyodide } from "./runtime/pyodide.mjs";
import { loadEngine } from "./engine.js";

export const FILES = "/home/player"; // the folder of the page's files

/** Return the loaded Pyodide. */
export async function boot() {
  const [python, code, engine] = await Promise.all([
    loadPyodide({ indexURL: new URL("./runtime/", import.meta.url).href }),
    fetch(new URL("./code.tar.gz", import.meta.url)).then((answer) => answer.arrayBuffer()),
    loadEngine(new URL("./engine.wasm", import.meta.url)),
  ]);
  python.registerJsModule("littlego_engine", engine);
  python.unpackArchive(code, "gztar", { extractDir: "/code" });
  python.FS.mkdirTree(FILES);
  python.runPython(`import os, sys; sys.path[:0] = ['/code/tools', '/code/packages']; os.chdir('${FILES}')`);
  return python;
}

/**
 * Call the function that `ready` resolves to with the text of each message; earlier messages wait in order. If Python
 * does not start, each message is answered with this problem.
 */
export function takeMessages(worker, ready) {
  const fail = (error) => (data) => {
    const problem = { code: "died", text: `Python did not start in this page: ${error.message}. Reload the page.` };
    worker.postMessage(JSON.stringify({ id: JSON.parse(data).id, problem }));
  };
  const taking = ready.catch(fail);
  worker.onmessage = ({ data }) => taking.then((take) => take(data));
}
