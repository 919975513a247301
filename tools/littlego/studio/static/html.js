// The single import for components: preact's hooks, and `html` to write elements as templates.
import { Component, h, render, Fragment } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import htm from "htm";

const NOT_CACHED = 3;

// htm would cache each element without values for the next drawing. Because Preact's elements refer to their parents,
// the page would then keep all elements that were ever drawn.
export const html = htm.bind(function (type, properties, ...children) {
  this[0] = NOT_CACHED;
  return h(type, properties, ...children);
});
export { Fragment, h, render, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState };

/** Return the names that are neither empty nor false, as the value of a `class` attribute. */
export function classes(...names) {
  return names.filter(Boolean).join(" ");
}

/** Return a component that is only redrawn when one of its properties changes. */
export function memo(component) {
  return class extends Component {
    shouldComponentUpdate(next) {
      return hasOther(this.props, next) || hasOther(next, this.props);
    }
    render(properties) {
      return h(component, properties);
    }
  };
}

/** Whether an object has a property that another object lacks, or has with another value. */
function hasOther(one, other) {
  for (const name in one) if (!Object.is(one[name], other[name])) return true;
  return false;
}

/** A hook: a function that stays the same for the component's lifetime and calls the function of the latest drawing. */
export function useLatest(given) {
  const latest = useRef(given);
  latest.current = given;
  return useRef((...parameters) => latest.current(...parameters)).current;
}
