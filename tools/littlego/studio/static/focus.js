// Focus management: if the focused control disappears or is disabled, the nearest remaining control gets the focus.

const ABLE = "button, input, select, textarea, summary, a[href], [tabindex], .cm-content";
const WITHIN = "dialog, .pane, header, main";

let held = null; // the focused control
let around = []; // the controls of the same part of the page, in order
let place = 0; // the focused control's index among them

const isAble = (one) => one.isConnected && !one.disabled && one.tabIndex >= 0 && one.checkVisibility();

function remember({ target }) {
  held = target;
  const part = target.closest?.(WITHIN) ?? document.body;
  around = [...part.querySelectorAll(ABLE)];
  place = around.indexOf(target);
}

/** Return the control nearest to the last focus: the next remaining control, else the previous control. */
function nearest() {
  const after = around.slice(place + 1).find(isAble);
  return after ?? around.slice(0, Math.max(place, 0)).findLast(isAble);
}

function mend() {
  if (!held || (held.isConnected && !held.disabled)) return;
  const at = document.activeElement;
  if (at && at !== document.body && at !== held) return; // another control already has the focus
  held = null;
  (nearest() ?? document.getElementById("main"))?.focus();
}

/** Keep the focus in the page after every redraw; call once. */
export function keepFocus() {
  document.addEventListener("focusin", remember);
  document.addEventListener("focusout", ({ target }) => {
    // A control loses the focus before it disappears; whether the user moved the focus is only known later.
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
 * The attributes of a disabled button that keeps the focus. With `disabled`, the focus would move, and the next key
 * press would press a neighbouring button.
 */
export const whenOff = (isOff, run) => ({ "aria-disabled": isOff ? "true" : null, onClick: isOff ? null : run });
