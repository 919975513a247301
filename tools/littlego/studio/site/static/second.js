// The second worker: slow answers and jobs.

import { boot, takeMessages, textOf, unpack } from "./boot.js";

async function start() {
  const python = await boot({ makes: true });
  const worker = python.pyimport("littlego.studio.site.in_page").SecondWorker(
    (data) => postMessage(textOf(data)),
    (path) => unpack(python, path),
  );
  return (text) => worker.do(text);
}

takeMessages(self, start());
