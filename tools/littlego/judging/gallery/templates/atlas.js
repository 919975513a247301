"use strict";
const form = document.getElementById("_search");
const words = document.getElementById("_words");
const kind = document.getElementById("_class");
const found = document.getElementById("_found");
const cards = Array.from(document.querySelectorAll(".pattern"));

function filter() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const card of cards) {
    const fits = (!kind.value || card.dataset.class === kind.value)
      && wanted.every((word) => card.dataset.words.includes(word));
    card.hidden = !fits;
    shown += fits;
  }
  for (const section of document.querySelectorAll("main > section")) {
    section.hidden = !section.querySelector(".pattern:not([hidden])");
  }
  found.textContent = shown === cards.length ? "" : `${shown} of ${cards.length}`;
}

function clear() {
  words.value = kind.value = "";
  filter();
}

form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && document.activeElement !== words) {
    event.preventDefault();
    words.focus();
    words.select();
  } else if (event.key === "Escape" && document.activeElement === words) {
    clear();
    words.blur();
  }
});
window.addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.closest("[hidden]")) {
    clear();
    target.scrollIntoView();
  }
});
filter();
