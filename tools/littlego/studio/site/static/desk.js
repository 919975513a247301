// The first worker: the studio and its quick answers.

import { boot, FILES, takeMessages } from "./boot.js";

const STORE = "littlego-playground"; // the name of the folder in the browser's storage
const ATTEMPTS = 20; // to read the kept files
const AGAIN = 250; // milliseconds between two attempts
let second;

async function start() {
  const python = await boot();
  const folder = await navigator.storage
    .getDirectory()
    .then((root) => root.getDirectoryHandle(STORE, { create: true }))
    .catch(() => undefined); // a private window has no storage
  const { kept, path } = await mount(python, folder);
  if (!python.FS.analyzePath(`${path}/patterns.yaml`).exists)
    python.FS.writeFile(`${path}/patterns.yaml`, python.FS.readFile("/code/patterns.yaml"));
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
    keep: () => void kept?.syncfs(),
  };
  page = python.pyimport("littlego.studio.site.in_page").Page(browser, path, "patterns.yaml");
  return (text) => page.receive(text);
}

/** Mount the kept files; try again while the worker of a page that was just closed still writes them. */
async function mount(python, folder) {
  for (let attempt = 1; folder && attempt <= ATTEMPTS; attempt++) {
    const path = `${FILES}/${attempt}`;
    try {
      return { kept: await python.mountNativeFS(path, folder), path };
    } catch (error) {
      console.warn(`The kept files cannot be read yet: ${error.message}`);
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
  python.FS.mkdirTree(FILES);
  return { path: FILES };
}

let page;

function startSecond() {
  const worker = new Worker(new URL("./second.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => worker === second && page.hear(data);
  return worker;
}

takeMessages(self, start());
