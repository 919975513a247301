// The drawing: a click cycles a cell, letters label it, and buttons change the board's edges and the size.
import { announce } from "../announce.js";
import { classes, html, memo, useRef, useState } from "../html.js";
import { MOST_CELLS } from "../sizes.js";
import { Glyph, meaningOf } from "./glyphs.js";
import { SIDES, grown, isLabel, movable, placeOf, shrunk, symbolsOf, withEdge, withLabel, withSymbol } from "./grid.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * grid: see grid.js. badges: see badges.js. onChange(grid, edits) is called after each change; the edits, in order,
 * produce the new grid. The grid never loses its move. lit: cells to highlight, as "row,column". The drawing is redrawn
 * only if one of these four is a different object.
 */
export const Drawing = memo(({ grid, badges, onChange, lit }) => {
  const [focus, setFocus] = useState({ row: 0, column: 0 });
  const element = useRef(null);
  const carried = useRef(null); // the move's place before a click moved it
  const height = grid.rows.length;
  const width = grid.rows[0].length;
  const at = { row: Math.min(focus.row, height - 1), column: Math.min(focus.column, width - 1) };

  const go = (row, column) => {
    if (row < 0 || column < 0 || row >= height || column >= width) return;
    setFocus({ row, column });
    element.current.querySelector(`[data-cell="${row},${column}"]`)?.focus();
  };
  const draw = (row, column, symbol) => {
    const next = withSymbol(grid, row, column, symbol);
    if (next) onChange(next, [{ edit: "cell", row, column, symbol }]);
    else announce(`This cell is the move ${grid.rows[row][column]}. To move it, draw the move on another cell.`);
  };
  const cycle = (row, column, by) => {
    const symbols = symbolsOf(grid);
    const symbol = grid.rows[row][column];
    const next = symbols[(symbols.indexOf(symbol) + by + symbols.length) % symbols.length];
    if (next === "*") carried.current = { ...placeOf(grid), to: `${row},${column}` };
    else if (symbol === "*" && carried.current?.to === `${row},${column}`) {
      // One more click returns the move to its previous place.
      const { row: oldRow, column: oldColumn } = carried.current;
      carried.current = null;
      const back = withSymbol(grid, oldRow, oldColumn, "*");
      const edits = [
        { edit: "cell", row: oldRow, column: oldColumn, symbol: "*" },
        { edit: "cell", row, column, symbol: next },
      ];
      return onChange(withSymbol(back, row, column, next), edits);
    }
    return draw(row, column, next);
  };
  const label = (row, column, letter) =>
    onChange(withLabel(grid, row, column, letter || "."), [{ edit: "label", row, column, letter }]);
  const press = (event, row, column) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) go(row + step[0], column + step[1]);
    else if (event.key === "Home") go(row, 0);
    else if (event.key === "End") go(row, width - 1);
    else if (symbolsOf(grid).includes(event.key) || movable(grid).includes(event.key)) draw(row, column, event.key);
    else if (isLabel(event.key)) label(row, column, event.key);
    else if (event.key === "Backspace" || event.key === "Delete") label(row, column, "");
    else return;
    event.preventDefault();
  };
  const resize = (change, edit, side) => {
    const next = change(grid, side);
    if (next) onChange(next, [{ edit, side }]);
    else announce("This row or column cannot be removed: it contains a move, or no cell would remain.");
  };

  return html`<div class="drawing" data-typing>
    <div class="drawing-frame">
      ${SIDES.map(
        (side) =>
          html`<${Side}
            key=${side}
            side=${side}
            isEdge=${grid.edges[side]}
            badge=${badges.edges[side]}
            isFull=${(side === "top" || side === "bottom" ? height : width) >= MOST_CELLS}
            onEdge=${() => resize(withEdge, "edge", side)}
            onGrow=${() => resize(grown, "grow", side)}
            onShrink=${() => resize(shrunk, "shrink", side)}
          />`,
      )}
      <div
        role="grid"
        ref=${element}
        aria-label=${`Drawing, ${height} rows, ${width} columns`}
        class=${classes("cells", ...SIDES.filter((side) => grid.edges[side]).map((side) => `edge-${side}`))}
        style=${`--columns: ${width}`}
      >
        ${grid.rows.map(
          (line, row) =>
            html`<div role="row" key=${row}>
              ${[...line].map((symbol, column) => {
                const place = `${row},${column}`;
                const label = grid.labels[row][column];
                const badge = badges.cells[place];
                return html`<button
                  type="button"
                  role="gridcell"
                  key=${place}
                  data-cell=${place}
                  class=${classes("cell", lit.includes(place) && "lit")}
                  tabindex=${at.row === row && at.column === column ? 0 : -1}
                  aria-label=${spoken(place, symbol, label, badge)}
                  title=${badge?.text ?? ""}
                  onClick=${(event) => (setFocus({ row, column }), cycle(row, column, event.shiftKey ? -1 : 1))}
                  onContextMenu=${(event) => (event.preventDefault(), cycle(row, column, -1))}
                  onKeyDown=${(event) => press(event, row, column)}
                  onFocus=${() => setFocus({ row, column })}
                >
                  <${Glyph} symbol=${symbol} />
                  ${label !== "." && html`<span class="label" data-text=${label}></span>`}
                  ${badge && html`<span class="badge" data-text=${badge.count}></span>`}
                </button>`;
              })}
            </div>`,
        )}
      </div>
    </div>
  </div>`;
});

function spoken(place, symbol, label, badge) {
  const named = label === "." ? "" : `, label ${label}`;
  return `${place}: ${meaningOf(symbol)}${named}${badge ? `; ${badge.text}` : ""}`;
}

function Side({ side, isEdge, badge, isFull, onEdge, onGrow, onShrink }) {
  const what = side === "top" || side === "bottom" ? "row" : "column";
  return html`<div class=${`side side-${side}`} role="group" aria-label=${side}>
    <button type="button" aria-label=${`Add a ${what} at the ${side}`} disabled=${isFull} onClick=${onGrow}>+</button>
    <button type="button" aria-label=${`Remove the ${what} at the ${side}`} onClick=${onShrink}>−</button>
    <button type="button" aria-label=${`The ${side} is the edge of the board`} aria-pressed=${isEdge} onClick=${onEdge}>
      edge
    </button>
    ${badge && html`<span class="count" title=${badge.text}>${badge.count}<span class="hidden"> ${badge.text}</span></span>`}
  </div>`;
}
