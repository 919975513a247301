// The kinds of examples, as the page calls them.
export const KINDS = {
  matches: "must fire",
  no_match: "must not fire",
  todo_match: "should fire (to do)",
  todo_no_match: "should not fire (to do)",
};
