// Running requests: equal questions share one request, and no request replaces another request that is still awaited.

/**
 * Return ask(send, method, params, about, signal): a promise of the answer of send(method, params, {slot, signal}).
 *
 * The server answers the newest request of a method and slot, and refuses earlier ones as stale. Therefore each request
 * gets a slot in which no other request is awaited. A call with the same method and params about the same revision
 * (`about`) joins the running request. A request is cancelled when all its callers have aborted.
 */
export function sharing() {
  const methods = new Map(); // method -> its running requests, by slot
  return (send, method, params, about, signal) => {
    if (signal?.aborted) return Promise.reject(gone());
    if (!methods.has(method)) methods.set(method, []);
    const slots = methods.get(method);
    const key = JSON.stringify([about, params]);
    const same = slots.find((one) => one?.key === key && one.waiting > 0);
    return wait(same ?? begin(slots, key, (how) => send(method, params, how)), signal);
  };
}

function begin(slots, key, send) {
  const slot = freeSlot(slots);
  const control = new AbortController();
  const request = { key, waiting: 0, control };
  slots[slot] = request;
  const settle = () => {
    if (slots[slot] === request && request.waiting > 0) slots[slot] = null;
  };
  request.answer = send({ slot: slot + 1, signal: control.signal }).finally(settle); // slot 0 is for single requests
  return request;
}

/** Return the slot of a cancelled request, which the server may still process, else an empty or a new slot. */
function freeSlot(slots) {
  const left = slots.findIndex((one) => one?.waiting === 0);
  if (left >= 0) return left;
  const empty = slots.indexOf(null);
  return empty >= 0 ? empty : slots.length;
}

function wait(request, signal) {
  request.waiting += 1;
  return new Promise((resolve, reject) => {
    const leave = () => {
      request.waiting -= 1;
      if (!request.waiting) request.control.abort();
      reject(gone());
    };
    signal?.addEventListener("abort", leave, { once: true });
    const stay = () => signal?.removeEventListener("abort", leave);
    request.answer.then(
      (answer) => (stay(), resolve(answer)),
      (problem) => (stay(), reject(problem)),
    );
  });
}

const gone = () => new DOMException("nobody waits for the answer any more", "AbortError");
