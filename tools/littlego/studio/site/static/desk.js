// The first worker: the studio and its quick answers.

import { boot, FILES, takeMessages, unpack } from "./boot.js";

const STORE = "littlego-playground"; // the name of the folder in the browser's storage
const PLACES = ["", ".drafts/"]; // the patterns files, and the drafts of unsaved texts
let second;

async function start() {
  const python = await boot({ makes: false });
  const folder = await navigator.storage
    .getDirectory()
    .then((root) => root.getDirectoryHandle(STORE, { create: true }))
    .catch(() => undefined); // a private window has no storage
  for (const place of PLACES) python.FS.mkdirTree(`${FILES}/${place}`, 0o700); // drafts need a private folder
  if (folder) for (const [name, data] of await read(folder)) python.FS.writeFile(`${FILES}/${name}`, data);
  let writing = Promise.resolve();
  const browser = {
    send: (text) => postMessage(text),
    post(text) {
      second ??= startSecond();
      second.postMessage(text);
    },
    end() {
      second?.terminate();
      second = undefined;
    },
    load: (path) => unpack(python, path),
    keep(text) {
      if (folder) writing = writing.then(() => write(folder, JSON.parse(text))).catch((error) => console.warn(error));
    },
  };
  page = python.pyimport("littlego.studio.site.in_page").Page(browser, FILES, "patterns.yaml");
  return (text) => page.receive(text);
}

/** Return the stored files as [name, content]. Each name starts with its folder, one of PLACES. */
async function read(folder) {
  const found = [];
  for (const place of PLACES)
    for await (const [name, handle] of await inside(folder, place))
      if (handle.kind === "file") {
        const file = await handle.getFile();
        found.push([place + name, new Uint8Array(await file.arrayBuffer())]);
      }
  return found;
}

/** Write the contents of files by name; null removes a file. A file is replaced as a whole. */
async function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    const place = PLACES.findLast((one) => path.startsWith(one));
    const [within, name] = [await inside(folder, place), path.slice(place.length)];
    if (text === null) await within.removeEntry(name);
    else {
      const file = await (await within.getFileHandle(name, { create: true })).createWritable();
      await file.write(text);
      await file.close();
    }
  }
}

const inside = (folder, place) => (place ? folder.getDirectoryHandle(place.slice(0, -1), { create: true }) : folder);

let page;

function startSecond() {
  const worker = new Worker(new URL("./second.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => worker === second && page.hear(data);
  return worker;
}

takeMessages(self, start());
