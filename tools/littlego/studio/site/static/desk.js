// The first worker: the studio and its quick answers.

import { boot, FILES, takeMessages } from "./boot.js";

const STORE = "littlego-playground"; // the name of the folder in the browser's storage
let second;

async function start() {
  const python = await boot();
  const folder = await navigator.storage
    .getDirectory()
    .then((root) => root.getDirectoryHandle(STORE, { create: true }))
    .catch(() => undefined); // a private window has no storage
  const kept = folder && (await python.mountNativeFS(FILES, folder));
  if (!kept) python.FS.mkdirTree(FILES);
  if (!python.FS.analyzePath(`${FILES}/patterns.yaml`).exists)
    python.FS.writeFile(`${FILES}/patterns.yaml`, python.FS.readFile("/code/patterns.yaml"));
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
  page = python.pyimport("littlego.studio.site.in_page").Page(browser, FILES, "patterns.yaml");
  return (text) => page.receive(text);
}

let page;

function startSecond() {
  const worker = new Worker(new URL("./second.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => worker === second && page.hear(data);
  return worker;
}

takeMessages(self, start());
