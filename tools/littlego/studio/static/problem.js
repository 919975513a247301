// A problem: the reason why the studio gives no answer.

/** The reason for a missing answer. code: "stale", "invalid", "unknown", "died", "offline" ...; more: further data. */
export class Problem extends Error {
  constructor({ code, text, ...more }) {
    super(text);
    this.name = "Problem";
    this.code = code;
    this.more = more;
  }
}
