import { type Html, type HtmlContent, html } from "./html.ts";

export interface TableColumn {
  head: string;
  /** Right-aligned, in tabular figures. */
  numeric?: boolean;
  /** Left out on a phone, where a decision needs it least. */
  wideOnly?: boolean;
}

export interface TableOptions {
  columns: readonly TableColumn[];
  /** Cells of each row; the first names it. */
  rows: readonly (readonly HtmlContent[])[];
  /** What the table shows, above it. */
  caption?: string;
}

/** A table whose first column names the rows. */
export function htmlTable({ columns, rows, caption }: TableOptions): Html {
  return html`<table>${caption !== undefined && html`<caption>${caption}</caption>`}
<thead><tr>${columns.map((column) => html`<th scope="col"${classOf(column)}>${column.head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (cells) => html`
<tr>${cells.map((cell, i) => (i === 0 ? html`<th scope="row">${cell}</th>` : html`<td${classOf(columns[i]!)}>${cell}</td>`))}</tr>`,
  )}
</tbody></table>`;
}

/** The class attribute of a column's cells, with the space before it. */
export function classOf({ numeric = false, wideOnly = false }: TableColumn): HtmlContent {
  const names = [numeric ? "num" : "", wideOnly ? "wide-only" : ""].filter((name) => name !== "");
  return names.length > 0 && html` class="${names.join(" ")}"`;
}
