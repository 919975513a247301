// Start Python in a worker, with the studio's modules.

import { loadPyodide, version } from "./runtime/pyodide.mjs";
import { loadEngine } from "./engine.js";

export const FILES = "/home/player"; // the folder of the page's files

/**
 * Return the loaded Pyodide, with the studio's modules imported. makes: whether to store a snapshot of the started
 * Python's memory for later starts, if none is stored.
 */
export async function boot({ makes }) {
  const packed = fetch(new URL("./code.tar.gz", import.meta.url)).then((answer) => answer.arrayBuffer());
  const code = { name: packed.then(nameOf), archive: packed.then(decompress) }; // while Python loads
  const [python, engine] = await Promise.all([
    start(code, makes),
    loadEngine(new URL("./engine.wasm", import.meta.url)),
  ]);
  python.registerJsModule("littlego_engine", engine);
  return python;
}

const STARTED = "littlego-started"; // the name of the cache with the memory snapshot, and the snapshot's address

/** Return Pyodide, if possible started from a stored memory snapshot of the same code; other starts take seconds. */
async function start(code, makes) {
  const cache = await self.caches?.open(STARTED).catch(() => undefined); // a private window may have none
  const kept = await cache?.match(STARTED);
  try {
    if (kept) return await resume(kept, code);
  } catch (error) {
    console.warn("Python cannot start from the stored memory snapshot, which is deleted:", error);
    await cache.delete(STARTED).catch(console.warn);
  }
  const isToKeep = makes && cache;
  const python = await load({ _makeSnapshot: Boolean(isToKeep) });
  await place(python, await code.archive, isToKeep ? `first.rehearse('${FILES}')` : "");
  if (isToKeep) void keep(cache, python.makeMemorySnapshot(), await code.name);
  return python;
}

/**
 * Return Pyodide, started from a stored memory snapshot. Throws an error for a snapshot of other code, and for a
 * truncated snapshot, with which Pyodide would never finish. Pyodide's code loads while the snapshot is read.
 */
async function resume(kept, code) {
  const memory = kept.arrayBuffer();
  const [python] = await Promise.all([load({ _loadSnapshot: memory }), check(kept.headers, memory, code.name)]);
  free(await memory); // Pyodide keeps a reference to the snapshot
  return await place(python, await code.archive, "random.seed()");
}

/** Throw an error unless a snapshot's headers contain the name of the page's code and the snapshot's size. */
async function check(headers, memory, name) {
  const { byteLength } = await memory;
  if (String(byteLength) !== headers.get("size")) throw new Error(`the snapshot has ${byteLength} bytes`);
  if ((await name) !== headers.get("code")) throw new Error("the code is a different version");
}

const load = (options) => loadPyodide({ indexURL: new URL("./runtime/", import.meta.url).href, ...options });

/** Write the code's files, which are not part of a memory snapshot, and run a statement; return Pyodide. */
async function place(python, archive, statement) {
  unpackTar(python, archive);
  python.FS.mkdirTree(FILES);
  python.runPython(`
import os, random, sys
sys.path[:] = dict.fromkeys(['/code/tools', '/code/packages', *sys.path])
os.chdir('${FILES}')
from littlego.studio.site import first
${statement}`);
  return python;
}

/** Store the memory snapshot of a started Python in place of an older snapshot. name: the name of the code. */
async function keep(cache, memory, name) {
  const headers = { code: name, size: String(memory.byteLength) };
  const body = new Blob([memory]); // a response of the bytes would keep a copy in the page's memory
  free(memory.buffer);
  await cache.put(STARTED, new Response(body, { headers })).catch(console.warn); // there may be no room
}

/** Free the memory of a buffer immediately, even if references remain. Older browsers do nothing. */
const free = (buffer) => buffer.transfer?.(0);

/** Return a name of the code: Pyodide's version and the SHA-256 digest of the packed code, in hexadecimal digits. */
async function nameOf(packed) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", packed));
  return [version, ...digest].map((part) => part.toString(16).padStart(2, "0")).join("");
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
  unpackTar(python, await decompress(await answer.arrayBuffer()));
  return true;
}

/** Return the bytes of a file compressed by gzip. */
async function decompress(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const BLOCK = 512; // bytes of a block of a tar archive: a file's header, or a part of its contents
const DECODER = new TextDecoder();
const FIELDS = { name: [0, 100], size: [124, 136], prefix: [345, 500] }; // the bytes of a header's fields

/**
 * Write the files of a tar archive into /code. The archive contains only files, with header fields in the format
 * "ustar". Pyodide's own `unpackArchive` takes several times as long, because it runs in Python.
 */
function unpackTar(python, data) {
  const folders = new Set();
  for (let at = 0; data[at]; ) {
    const text = ([start, end]) => DECODER.decode(data.subarray(at + start, at + end)).split("\0")[0];
    const path = ["/code", text(FIELDS.prefix), text(FIELDS.name)].filter(Boolean).join("/");
    const size = parseInt(text(FIELDS.size), 8);
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) python.FS.mkdirTree(folder);
    folders.add(folder);
    python.FS.writeFile(path, data.subarray(at + BLOCK, at + BLOCK + size), { canOwn: true });
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
}

/** Remove the other versions of an archive. An archive's name ends with a hyphen and a digest. */
async function removeOlder(cache, address) {
  const name = address.slice(0, address.lastIndexOf("-"));
  for (const { url } of await cache.keys()) if (url !== address && url.startsWith(name)) await cache.delete(url);
}

/**
 * Pass the text of each message to the function that `ready` resolves to. Messages that arrive earlier wait in order.
 * If Python does not start, each message is answered with a problem.
 */
export function takeMessages(worker, ready) {
  const fail = (error) => (data) => {
    const problem = { code: "died", text: `Python did not start in this page: ${error.message}.` };
    worker.postMessage(JSON.stringify({ id: JSON.parse(data).id, problem }));
  };
  const taking = ready.catch(fail);
  worker.onmessage = ({ data }) => taking.then((take) => take(data));
}

/** Return the text of Python's bytes in UTF-8. */
export function textOf(bytes) {
  const buffer = bytes.getBuffer();
  try {
    return DECODER.decode(buffer.data);
  } finally {
    buffer.release();
  }
}
