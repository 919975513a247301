// Badges: for each clause, the number of placements that survive it, and the number that would fire without it.

const NONE = { cells: {}, edges: {}, conditions: [], legal: null };

/** Return an answer's badges: the edges' badges by side and, if there is a grid, the cells' badges by "row,column". */
export function badgesOf(answer, grid) {
  if (!answer) return NONE;
  const found = { cells: {}, edges: {}, conditions: [], legal: null };
  for (const clause of answer.clauses) {
    const badge = { count: clause.survive, text: told(clause, answer.hits), numbers: clause.numbers ?? [] };
    if (clause.kind === "cell" && grid) found.cells[inGrid(clause, grid)] = badge;
    else if (clause.kind === "edge") found.edges[clause.side] = badge;
    else if (clause.kind === "condition") found.conditions.push({ ...badge, line: clause.line });
    else if (clause.kind === "legal") found.legal = badge;
  }
  return found;
}

/** Return the place of a clause's cell in a grid; the clause counts the drawing's edges, but the grid does not. */
export function inGrid({ row, column }, grid) {
  return `${row - Number(grid.edges.top)},${column - Number(grid.edges.left)}`;
}

function told({ survive, without }, hits) {
  const kept = `${survive} ${survive === 1 ? "placement survives" : "placements survive"} this clause`;
  if (without === null) return kept;
  return `${kept}; without it the pattern would fire ${without} ${without === 1 ? "time" : "times"}, not ${hits}`;
}

/** Return in words how many hits a pattern would have if a number in its condition were one smaller or one larger. */
export function toldNumber({ value, less, more }) {
  const said = [
    [value - 1, less],
    [value + 1, more],
  ].filter(([, count]) => count !== undefined && count !== null);
  return said.map(([other, count]) => `with ${other}: ${count}`).join(", ");
}
