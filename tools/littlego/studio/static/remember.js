// State of a component that lasts while the tab is open, such as a selection.
import { useState } from "./html.js";
import { keep, kept } from "./session.js";

/** A hook: a stored object, and a setter for parts of it; usual: the default parts. */
export function useKept(name, usual) {
  const [value, setValue] = useState(() => ({ ...usual, ...kept(name) }));
  const change = (part) =>
    setValue((old) => {
      const next = { ...old, ...part };
      keep(name, next);
      return next;
    });
  return [value, change];
}
