import { expect, test } from "vitest";
import { histogram } from "./histogram.ts";

const bars = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ label: `b${i}`, n: i, mark: i === 2 ? ("bad" as const) : ("good" as const) }));
const options = { countHead: "tasks", labelHead: "change", label: "Tasks by <change>" };

test("a bar for each count with its number on it, and a table of the same", () => {
  const page = String(histogram({ bars: bars(4), ...options }).markup);
  expect(page.match(/<rect/g)).toHaveLength(4);
  expect(page).toContain('aria-label="Tasks by &lt;change&gt;"');
  // The highest bar takes the room from 12 to 86 of a hundred, one of a third of it 24.67.
  expect(page).toContain('y="12%" height="74%"');
  expect(page).toContain('y="61.33%" height="24.67%"');
  expect(page.match(/<g class="c-bad">/g)).toHaveLength(1);
  // An empty bar has no number on it, and a row in the table.
  expect(page).not.toContain(">0</text>");
  expect(page.match(/<tr>/g)).toHaveLength(5);
});

test("where labels would run into each other every other one is left out, and not the anchor's", () => {
  const page = String(histogram({ bars: bars(15), ...options, anchor: 5 }).markup);
  const drawn = page.slice(0, page.indexOf("</svg>"));
  for (const i of [1, 3, 5, 7, 13]) expect(drawn).toContain(`>b${i}</text>`);
  for (const i of [0, 2, 4, 14]) expect(drawn).not.toContain(`>b${i}</text>`);
  expect(page).toContain("b14");
});

test("nothing to count draws an axis", () => {
  expect(String(histogram({ bars: [], ...options }).markup)).toContain("<line");
});
