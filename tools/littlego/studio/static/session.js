// What this tab keeps while it is open: it is there again in another view, and after the page was loaded anew.

/** Return what was kept under a name, or null. */
export function kept(name) {
  try {
    return JSON.parse(globalThis.sessionStorage?.getItem(`studio-${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** Keep a value that JSON can write. */
export function keep(name, value) {
  try {
    globalThis.sessionStorage?.setItem(`studio-${name}`, JSON.stringify(value));
  } catch {
    // no room: it is lost with the page
  }
}
