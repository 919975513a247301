// Questions sent with an edit: the edit's request contains the questions of the visible components.

const asked = new Set(); // {method, wanted, wait} of each component whose answer depends on the text
let sent = []; // the questions of the running edit
let carried = { revision: 0, answers: new Map() }; // the last edit's answers, by question
const held = new Map(); // question -> its last answer to an edit, {revision, answer}: see Desk.edit

const nameOf = (method, wanted) => `${method} ${wanted}`;

/**
 * Ask a question with each edit; return a function to stop. wanted: the parameters as JSON. wait: a number; questions
 * with smaller numbers are answered first.
 */
export function askWithEdits(method, wanted, wait) {
  const question = { method, wanted, wait };
  asked.add(question);
  return () => asked.delete(question);
}

/**
 * Return the questions of the next edit, without duplicates: a list for each value of `wait`, smallest value first.
 *
 * Edits have their own slots. A newer request of a slot replaces an older request, so that the questions of a later
 * edit replace the questions of an earlier edit.
 */
export function questionsOfEdit() {
  const unique = new Map([...asked].map((one) => [nameOf(one.method, one.wanted), one]));
  for (const name of held.keys()) if (!unique.has(name)) held.delete(name);
  sent = [...unique].map(([name, one]) => ({ ...one, name, last: held.get(name) }));
  sent.sort((one, other) => one.wait - other.wait);
  const slots = new Map(); // method -> the slot of its last question
  const lists = new Map();
  for (const { method, wanted, wait, last } of sent) {
    const slot = (slots.get(method) ?? 0) - 1; // negative, because ask.js counts its slots from 0 upwards
    slots.set(method, slot);
    const question = { method, parameters: JSON.parse(wanted), slot, held: last?.revision };
    lists.set(wait, [...(lists.get(wait) ?? []), question]);
  }
  return [...lists.values()];
}

/**
 * Store the promises of the answers to an edit's questions, in the order of its lists. A given promise resolves to
 * {answer} or to {changes} of the held answer.
 */
export function takeAnswers(revision, answers) {
  const whole = answers.map(async (promise, at) => {
    const { name, last } = sent[at];
    const found = await promise;
    const answer = found.changes ? patched(last.answer, found.changes) : found.answer;
    held.set(name, { revision, answer });
    return answer;
  });
  for (const answer of whole) answer.catch(() => {}); // an answer that no component reads may fail
  carried = { revision, answers: new Map(sent.map(({ name }, at) => [name, whole[at]])) };
}

/** Return an answer with the changes that the server sent (see `changes_of` in desk.py), or the same answer without any. */
function patched(answer, changes) {
  const values = Object.entries(changes).map(([field, { value, items }]) => [
    field,
    items ? Object.assign([...answer[field]], items) : value,
  ]);
  return values.length ? { ...answer, ...Object.fromEntries(values) } : answer;
}

/** Return the promise of an answer that came with the edit to a revision; undefined if there is none. */
export function carriedAnswer(method, wanted, revision) {
  if (carried.revision !== revision) return undefined;
  const name = nameOf(method, wanted);
  const answer = carried.answers.get(name);
  carried.answers.delete(name); // a repeated question needs a new answer
  return answer;
}
