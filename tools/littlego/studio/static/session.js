// Storage of this tab that survives a change of view and a reload.

/** Return the value stored under a name, or null. */
export function kept(name) {
  try {
    return JSON.parse(globalThis.sessionStorage?.getItem(`studio-${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value that JSON can encode. */
export function keep(name, value) {
  try {
    globalThis.sessionStorage?.setItem(`studio-${name}`, JSON.stringify(value));
  } catch {
    // storage is full: the value is lost with the page
  }
}
