// The frame of a page that a command writes. The page runs no script and loads nothing; its links lead to the views.
import { html, useEffect, useRef } from "../html.js";
import { get } from "../state.js";
import { filterCards } from "./filter.js";

const WORD = /[a-z][a-z0-9]*(?:-[a-z0-9]+)+/g; // an id-like word; an id without a hyphen may be an ordinary word

/**
 * page: a whole HTML document; ids: the patterns' ids, each of which becomes a link; words: the words of the card
 * search. onPattern(id) and onGame(address) follow a link. onFound([matching cards, all cards]) reports the result of a
 * search. onClear() clears the search after a click on a link to a hidden card.
 */
export function Frame({ title, page, ids, words, onPattern, onGame, onFound, onClear }) {
  const frame = useRef(null);
  const latest = useRef(null);
  latest.current = { ids, onPattern, onGame, onClear };
  const load = () => {
    const inside = frame.current.contentDocument;
    linkIds(inside, new Set(latest.current.ids));
    inside.addEventListener("click", (event) => follow(event, inside, latest.current));
    fit(frame.current, inside);
    onFound(filterCards(inside, words));
    inside.getElementById(get().pattern)?.scrollIntoView();
  };
  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (inside?.body) onFound(filterCards(inside, words));
  }, [words]);
  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (inside?.body) linkIds(inside, new Set(ids)); // the ids may arrive after the page
  }, [ids.length]);
  // Scripts are disabled as a second barrier: the page's contents are escaped as well.
  return html`<iframe
    class="page-frame"
    title=${title}
    ref=${frame}
    sandbox="allow-same-origin allow-modals"
    srcdoc=${page}
    onLoad=${load}
  ></iframe>`;
}

/** Keep the frame as high as its page, so that it scrolls and prints as one document. */
function fit(frame, inside) {
  const height = () => (frame.style.height = `${Math.ceil(inside.body.getBoundingClientRect().height)}px`);
  new ResizeObserver(height).observe(inside.body);
  height();
}

function follow(event, inside, { onPattern, onGame, onClear }) {
  const link = event.target.closest?.("a");
  if (!link) return;
  event.preventDefault(); // the browser would resolve its address in the studio
  const address = link.getAttribute("href") ?? "";
  if (link.dataset.pattern) onPattern(link.dataset.pattern);
  else if (address.startsWith("games/")) onGame(address);
  else if (address.startsWith("#")) goTo(inside.getElementById(decodeURIComponent(address.slice(1))), onClear);
}

function goTo(target, onClear) {
  if (target?.closest("[hidden]")) {
    filterCards(target.ownerDocument, "");
    onClear();
  }
  target?.scrollIntoView();
}

/** Turn each pattern id of a page into a link: in headings, and in the text. */
export function linkIds(inside, ids) {
  for (const link of inside.querySelectorAll("h3 a, li > a:first-child")) {
    if (ids.has(link.textContent.trim())) link.dataset.pattern = link.textContent.trim();
  }
  const walker = inside.createTreeWalker(inside.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest("a, svg, style, script, summary, option")) found.push(node);
  }
  for (const node of found) linkIn(node, ids);
}

function linkIn(node, ids) {
  const text = node.data;
  const whole = text.trim();
  const matches = ids.has(whole)
    ? [[text.indexOf(whole), whole]]
    : [...text.matchAll(WORD)].map((one) => [one.index, one[0]]);
  // From the end, so that earlier offsets stay valid.
  for (const [at, id] of matches.reverse()) {
    if (!ids.has(id)) continue;
    const rest = node.splitText(at);
    rest.splitText(id.length);
    const link = node.ownerDocument.createElement("a");
    link.href = `#${id}`;
    link.dataset.pattern = id;
    link.textContent = id;
    rest.replaceWith(link);
  }
}
