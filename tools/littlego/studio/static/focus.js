// The focus is never lost: where what had it goes away or is switched off, the nearest control that is left takes it.

const ABLE = "button, input, select, textarea, summary, a[href], [tabindex], .cm-content";
const WITHIN = "dialog, .pane, header, main";

let held = null; // what has the focus
let around = []; // the controls of the same part of the page, in its order
let place = 0; // of what has the focus, among them

const isAble = (one) => one.isConnected && !one.disabled && one.tabIndex >= 0 && one.checkVisibility();

function remember({ target }) {
  held = target;
  const part = target.closest?.(WITHIN) ?? document.body;
  around = [...part.querySelectorAll(ABLE)];
  place = around.indexOf(target);
}

/** Return the control nearest to where the focus was: the next one that is left, else the one before. */
function nearest() {
  const after = around.slice(place + 1).find(isAble);
  return after ?? around.slice(0, Math.max(place, 0)).findLast(isAble);
}

function mend() {
  if (!held || (held.isConnected && !held.disabled)) return;
  const at = document.activeElement;
  if (at && at !== document.body && at !== held) return; // somebody has it already
  held = null;
  (nearest() ?? document.getElementById("main"))?.focus();
}

/** Keep the focus in the page, whatever is drawn anew; called once. */
export function keepFocus() {
  document.addEventListener("focusin", remember);
  document.addEventListener("focusout", ({ target }) => {
    // What goes away tells so before it is gone: only later is it known that the focus was taken away on purpose.
    setTimeout(() => {
      if (held === target && target.isConnected && !target.disabled && document.activeElement !== target) held = null;
    });
  });
  new MutationObserver(mend).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
}

/**
 * The attributes of a button that is off for now and keeps the focus, since it is pressed again and again: of one that is
 * `disabled` the next key would press its neighbour.
 */
export const whenOff = (isOff, run) => ({ "aria-disabled": isOff ? "true" : null, onClick: isOff ? null : run });
