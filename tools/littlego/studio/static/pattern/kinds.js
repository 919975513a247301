// Display names of the kinds of examples.
export const KINDS = {
  matches: "must fire",
  no_match: "must not fire",
  todo_match: "should fire (to do)",
  todo_no_match: "should not fire (to do)",
};
