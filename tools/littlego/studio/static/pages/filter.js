// The card search of an embedded page, whose own search script does not run there.

/** Hide the cards that lack one of the words, and groups without visible cards; return [shown cards, all cards]. */
export function filterCards(inside, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const cards = [...inside.querySelectorAll(".card[id]")];
  for (const card of cards) {
    const said = card.dataset.words ?? card.textContent.toLowerCase();
    card.hidden = !wanted.every((word) => said.includes(word));
  }
  for (const section of inside.querySelectorAll("main > section")) {
    section.hidden = !section.querySelector(".card:not([hidden])");
  }
  return [cards.filter((card) => !card.hidden).length, cards.length];
}
