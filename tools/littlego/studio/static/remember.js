// What a component remembers while the tab is open, such as what was chosen in it.
import { useState } from "./html.js";
import { keep, kept } from "./session.js";

/** A hook: an object that is kept, and what changes parts of it; usual: its parts before any was chosen. */
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
