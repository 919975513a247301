// Questions that an edit carries: what the components on the page show is asked in the same request, not in a second one.

const asked = new Set(); // {method, wanted, wait} of each component whose answer follows the text
let sent = []; // the questions of the edit under way
let carried = { revision: 0, answers: new Map() }; // what the last edit brought, by question

const nameOf = (method, wanted) => `${method} ${wanted}`;

/** Have each edit ask a method, its parameters as JSON, from now on; return what ends that. wait: its place in the order. */
export function askWithEdits(method, wanted, wait) {
  const question = { method, wanted, wait };
  asked.add(question);
  return () => asked.delete(question);
}

/**
 * Return the questions that an edit is to carry, each once, as lists: one of those that are drawn first, and so on.
 *
 * The slots are those of edits alone: of each only the newest request counts, so a later edit takes the place of this one.
 */
export function questionsOfEdit() {
  const unique = new Map([...asked].map((one) => [nameOf(one.method, one.wanted), one]));
  sent = [...unique.values()].sort((one, other) => one.wait - other.wait);
  const slots = new Map(); // method -> its questions so far
  const lists = new Map();
  for (const { method, wanted, wait } of sent) {
    const slot = (slots.get(method) ?? 0) - 1; // ask.js counts its slots upwards from 0
    slots.set(method, slot);
    lists.set(wait, [...(lists.get(wait) ?? []), { method, parameters: JSON.parse(wanted), slot }]);
  }
  return [...lists.values()];
}

/** Keep the answers to the questions that an edit has carried, promises in the order of its lists, for those who ask. */
export function takeAnswers(revision, answers) {
  for (const answer of answers) answer.catch(() => {}); // nobody may want it any more
  carried = { revision, answers: new Map(sent.map(({ method, wanted }, at) => [nameOf(method, wanted), answers[at]])) };
}

/** Return the promise of an answer that came with the edit to a revision, for one who asks; undefined where none did. */
export function carriedAnswer(method, wanted, revision) {
  if (carried.revision !== revision) return undefined;
  const name = nameOf(method, wanted);
  const answer = carried.answers.get(name);
  carried.answers.delete(name); // who asks again wants another answer
  return answer;
}
