// The site in Firefox, driven by WebDriver BiDi. Standard input: {firefox, site, pictures, widths}: the browser's path, the
// site's folder, a folder for pictures ("" for none), and widths in pixels. Output: what the pages showed, as JSON.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { text } from "node:stream/consumers";
import puppeteer from "puppeteer-core";

const TYPES = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript" };
const WASM = "application/wasm";
const PATIENCE = 120_000; // milliseconds
const HEIGHT = 900;
const told = JSON.parse(await text(process.stdin));

/** Serve the site's folder; return the server. */
async function serve(folder) {
  const server = createServer(async (request, answer) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = join(folder, normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    const content = await readFile(path).catch(() => undefined);
    const type = TYPES[extname(path)] ?? (extname(path) === ".wasm" ? WASM : "application/octet-stream");
    answer.writeHead(content ? 200 : 404, { "Content-Type": type }).end(content);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

const server = await serve(told.site);
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await puppeteer.launch({ browser: "firefox", executablePath: told.firefox, headless: true });
const wrong = []; // requests to other origins, and errors of scripts

async function newPage(width, fragment = "") {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on(
    "request",
    (request) => /^https?:/.test(request.url()) && !request.url().startsWith(address) && wrong.push(request.url()),
  );
  page.on("pageerror", (error) => wrong.push(String(error)));
  await page.setViewport({ width, height: HEIGHT });
  await page.goto(address + fragment);
  return page;
}

/** Wait until an element that the selector names contains the expected text; return the text of the first such element.
 */
async function shown(page, selector, expected = "") {
  const isThere = (selector, expected) =>
    [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(expected));
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    if (await page.evaluate(isThere, selector, expected))
      return page.evaluate((selector) => document.querySelector(selector).textContent, selector);
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(
    `${selector} does not show ${expected}: ${await page.evaluate(() => document.body.innerText.slice(0, 500))}`,
  );
}

const textOf = (page) => page.evaluate(async () => (await (await import("/static/api.js")).state()).text);

async function visit() {
  const found = { version: await browser.version(), wide: {}, tops: {} };
  for (const width of told.widths) {
    const page = await newPage(width, "#pattern=snap-back");
    await shown(page, "[data-hits]");
    await shown(page, "main", "The pattern fires in");
    found.wide[width] = await page.evaluate(() => document.documentElement.scrollWidth);
    found.tops[width] = await page.evaluate(() => document.querySelector("main .board").getBoundingClientRect().top);
    if (told.pictures) await page.screenshot({ path: join(told.pictures, `firefox-${width}.png`), fullPage: true });
    await page.close();
  }
  const page = await newPage(1440, "#pattern=snap-back");
  await shown(page, "main", "The pattern fires in");
  await page.click('main .board [data-point="0,0"]');
  found.whyNot = await shown(page, ".why-not h3");
  await page.evaluate(async () => {
    const { editor } = await import("/static/document.js");
    editor().focus();
    editor().dispatch({ selection: { anchor: 0 } });
  });
  await page.keyboard.type("# mine ");
  await page.keyboard.press("Enter");
  await page.keyboard.down("Control");
  await page.keyboard.press("s");
  await page.keyboard.up("Control");
  await shown(page, "[data-told=file]", "saved");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await new Promise((done) => setTimeout(done, 3000)); // the browser saves files once a second
  found.saved = (await textOf(page)).split("\n")[0];
  await page.goto(`${address}#view=board&board=`);
  await shown(page, "[data-chosen]");
  found.decided = await page.evaluate(() => document.querySelector("[data-chosen]").dataset.chosen);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await page.reload();
  await shown(page, "[data-chosen]");
  found.offline = (await textOf(page)).split("\n")[0];
  found.link = await openLink(page, told.link);
  return found;
}

async function openLink(page, link) {
  await page.evaluate((link) => void (location.hash = `#v1=${link}`), link);
  await shown(page, "main", "The pattern fires in");
  for (const end = Date.now() + PATIENCE; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
    const text = await textOf(page);
    if (text.includes(told.expected)) return true;
  }
  return false;
}

try {
  const found = await visit();
  console.log(JSON.stringify({ ...found, wrong }));
} finally {
  await browser.close();
  server.close();
}
