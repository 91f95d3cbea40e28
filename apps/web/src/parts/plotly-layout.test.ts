import { expect, test } from "vitest";
import { plotlyLayout, plotlyTable } from "./plotly-layout.ts";

const ink = { ink: "black", ink2: "grey", hair: "silver", face: "Charter", colours: ["blue"] };
const size = { width: 400, height: 240, zooms: false };

test("the agent's axes stay over the house's, the ground and the size do not", () => {
  const layout = plotlyLayout(
    {
      xaxis: { title: "step", color: "red" },
      width: 4000,
      paper_bgcolor: "white",
      annotations: [{ text: "<u>k</u>" }],
    },
    ink,
    size,
  );
  expect(layout.xaxis).toMatchObject({ title: { text: "step" }, color: "red", gridcolor: "silver" });
  expect(layout).toMatchObject({ width: 400, paper_bgcolor: "rgba(0,0,0,0)", annotations: [{ text: "k" }] });
});

test.each([
  [{ title: "<b>Reward</b>" }, "<b>Reward</b>"],
  [{ title: { text: "Reward", font: { size: 90 } } }, "Reward"],
])("a title is a text or has one: %j", (posted, text) =>
  expect(plotlyLayout(posted, ink, size).title).toMatchObject({ text, font: { size: 15 } }),
);

test("what loads from elsewhere or asks for controls is left out", () => {
  const layout = plotlyLayout(
    { images: [{ source: "https://e.example/x.png" }], sliders: [], template: {} },
    ink,
    size,
  );
  expect(Object.keys(layout)).not.toContain("images");
  expect(Object.keys(layout)).not.toContain("sliders");
  expect(Object.keys(layout)).not.toContain("template");
});

test("a figure as a table has a column for each list, and nothing where a list is shorter", () => {
  expect(
    plotlyTable({
      data: [
        { name: "a", x: [1, 2], y: [3, null] },
        { labels: ["p"], values: [4] },
      ],
      layout: {},
    }),
  ).toEqual({
    heads: ["a: x", "a: y", "trace 2: labels", "trace 2: values"],
    rows: [
      [1, 3, "p", 4],
      [2, null, null, null],
    ],
  });
});
