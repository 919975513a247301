// The service worker: stores one complete version of the site, so that the site works offline and never mixes versions.
// `littlego site` fills in the version, the files and the policy.

const VERSION = "VERSION";
const FILES = FILE_LIST;
const POLICY = "POLICY";
// Pages outside the version, and the sites of earlier versions: the browser loads them from the server.
const OTHERS = ["docs/", "gallery/", "later/", "EARLIER"];
const NAME = `littlego-playground-${VERSION}`;

// A new version is installed beside the old version, and replaces the old version when no page of the old version is
// open.
addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(removeOthers()));
addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const isOther = OTHERS.some((folder) => url.href.startsWith(registration.scope + folder));
  if (event.request.method === "GET" && url.href.startsWith(registration.scope) && !isOther)
    event.respondWith(answer(url));
});

async function install() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function removeOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("littlego-playground-") && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

/** Return a file of this version, with the policy that static hosts do not send. */
async function answer(url) {
  const asked = url.origin + url.pathname;
  const file = asked === registration.scope ? `${asked}index.html` : asked;
  const found = await (await caches.open(NAME)).match(file);
  if (!found) return new Response("There is no such file in this version of the site.", { status: 404 });
  const headers = new Headers(found.headers);
  headers.set("Content-Security-Policy", POLICY);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "no-referrer");
  return new Response(found.body, { status: 200, headers });
}
