import { type Html, html } from "./html.ts";

export interface CountCell {
  n: number;
  /** Under the number: what share it is of what. */
  note?: string;
  mark: "good" | "bad" | "rest";
}

export interface CountSquaresOptions {
  rowHeads: readonly string[];
  columnHeads: readonly string[];
  /** By row, then by column. */
  cells: readonly (readonly CountCell[])[];
  caption: string;
}

/** Side of the largest square, of a hundred. */
const SIDE = 96;

/** A table of counts with a square of that area on each: how a confusion is spread, at a glance. */
export function countSquares({ rowHeads, columnHeads, cells, caption }: CountSquaresOptions): Html {
  const most = Math.max(1, ...cells.flat().map(({ n }) => n));
  return html`<table class="squares"><caption class="sr">${caption}</caption>
<thead><tr><th scope="col"></th>${columnHeads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${cells.map(
    (row, i) => html`
<tr><th scope="row">${rowHeads[i]}</th>${row.map((cell) => html`<td>${square(cell, most)}<b>${cell.n}</b>${cell.note !== undefined && html`<span class="sub">${cell.note}</span>`}</td>`)}</tr>`,
  )}
</tbody></table>`;
}

function square({ n, mark }: CountCell, most: number): Html {
  const side = Number((SIDE * Math.sqrt(n / most)).toFixed(2));
  const corner = Number(((100 - side) / 2).toFixed(2));
  // On the line above its number: squares of a row stand on one ground.
  return html`<svg class="sq c-${mark}" viewBox="0 0 100 100" aria-hidden="true"><rect class="iv" x="${corner}" y="${Number((100 - side).toFixed(2))}" width="${side}" height="${side}"/></svg>`;
}
