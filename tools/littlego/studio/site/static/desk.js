// The first worker: the studio and its quick answers.

import { boot, FILES, takeMessages, textOf, unpack } from "./boot.js";
import { openStored, PLACES, read, write } from "./stored.js";

let second;

async function start() {
  const python = await boot({ makes: false });
  const folder = await openStored();
  for (const place of PLACES) python.FS.mkdirTree(`${FILES}/${place}`, 0o700); // drafts need a private folder
  if (folder) for (const [name, data] of await read(folder)) python.FS.writeFile(`${FILES}/${name}`, data);
  let writing = Promise.resolve();
  const browser = {
    send: (data) => postMessage(textOf(data)),
    post(data) {
      second ??= startSecond();
      second.postMessage(textOf(data));
    },
    end() {
      second?.terminate();
      second = undefined;
    },
    load: (path) => unpack(python, path),
    keep(text) {
      const data = (name) => {
        const path = `${FILES}/${name}`;
        return python.FS.analyzePath(path).exists ? python.FS.readFile(path) : null;
      };
      const files = Object.fromEntries(JSON.parse(text).map((name) => [name, data(name)]));
      if (folder) writing = writing.then(() => write(folder, files)).catch((error) => console.warn(error));
    },
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
