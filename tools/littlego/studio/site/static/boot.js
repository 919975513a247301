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

const KEPT = "littlego-later"; // the name of the cache of archives

/** Unpack an archive of the site over the code, and keep it for later visits; return whether it could be loaded. */
export async function unpack(python, path) {
  const address = new URL(path, import.meta.url).href;
  const cache = await self.caches?.open(KEPT).catch(() => undefined); // a private window may have none
  let answer = await cache?.match(address);
  if (!answer) {
    answer = await fetch(address).catch(() => undefined); // without a network
    if (!answer?.ok) return false;
    await cache?.put(address, answer.clone()).then(() => removeOlder(cache, address), console.warn);
  }
  python.unpackArchive(await answer.arrayBuffer(), "gztar", { extractDir: "/code" });
  return true;
}

/** Remove the other versions of an archive. Its name ends with a hyphen and a digest. */
async function removeOlder(cache, address) {
  const name = address.slice(0, address.lastIndexOf("-"));
  for (const { url } of await cache.keys()) if (url !== address && url.startsWith(name)) await cache.delete(url);
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
