import { expect, test } from "vitest";
import { countSquares } from "./count-squares.ts";

test("squares have the area of their counts, stand on one line, and the count is text", () => {
  const page = countSquares({
    rowHeads: ["passes <b>", "fails"],
    columnHeads: ["good", "bad"],
    cells: [
      [
        { n: 400, note: "80%", mark: "rest" },
        { n: 100, mark: "bad" },
      ],
      [
        { n: 0, mark: "bad" },
        { n: 25, mark: "rest" },
      ],
    ],
    caption: "Verdicts",
  }).markup;
  const sides = [...page.matchAll(/<rect class="iv" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)].map((match) =>
    match.slice(1).map(Number),
  );
  expect(sides).toEqual([
    [2, 4, 96],
    [26, 52, 48],
    [50, 100, 0],
    [38, 76, 24],
  ]);
  expect(page).toContain('<b>400</b><span class="sub">80%</span>');
  expect(page).toContain('<th scope="row">passes &lt;b&gt;</th>');
  expect(page.match(/c-bad/g)).toHaveLength(2);
});

test("counts of nothing are drawn as nothing", () => {
  const cells = [[{ n: 0, mark: "rest" as const }]];
  const page = countSquares({ rowHeads: ["a"], columnHeads: ["b"], cells, caption: "" }).markup;
  expect(page).not.toMatch(/NaN|Infinity/);
});
