import { expect, test } from "vitest";
import { figureBody } from "./figure-body.ts";

const trace = { x: [1, 2], y: [0.1, 0.4] };

test("layout keys that a page does not draw are dropped, the rest stays", () => {
  const layout = { title: "Reward", template: { x: 1 }, images: [{}], annotations: [{ text: "kept" }] };
  const body = figureBody("reward-by-step", { data: [trace], layout });
  expect(body).toEqual({ figure: { data: [trace], layout: { title: "Reward", annotations: [{ text: "kept" }] } } });
  expect(JSON.stringify(body.figure)).toHaveLength(96);
});

test("typed arrays are lists, dates are text, and what is no number is a gap", () => {
  const when = new Date(0);
  const { figure } = figureBody("f", { data: [{ x: Float32Array.of(1, 2), y: [Number.NaN, 3], t: [when] }] });
  expect(figure).toEqual({ data: [{ x: [1, 2], y: [null, 3], t: ["1970-01-01T00:00:00.000Z"] }], layout: {} });
});

test.each([
  { toJSON: () => ({ data: [trace] }) },
  { toPlotlyJSON: () => ({ data: [trace] }) },
  { to_plotly_json: () => JSON.stringify({ data: [trace] }), data: 1 },
])("an object may give its figure itself (%#)", (figure) => {
  expect(figureBody("f", figure as never).figure.data).toEqual([trace]);
});

test.each(["Reward", "reward_by_step", "-lead", "", "x".repeat(41)])("a figure may not be called %j", (name) => {
  expect(() => figureBody(name, { data: [trace] })).toThrow("A figure is called");
});

test.each<[string, unknown, object, string]>([
  ["no figure", 3, {}, "The figure f is of type number."],
  ["no data", {}, {}, "The figure f is of type Object."],
  ["a layout that is a list", { data: [trace], layout: [] }, {}, "The layout of f is of type Array."],
  ["no trace", { data: [] }, {}, "figure.data must hold at least 1"],
  ["51 traces", { data: Array.from({ length: 51 }, () => trace) }, {}, "figure.data may hold at most 50"],
  [
    "another type",
    { data: [trace, { type: "surface" }] },
    {},
    "figure.data[1].type has a type other than scatter, bar, pie",
  ],
  ["a function", { data: [{ x: [() => 1] }] }, {}, "The figure f holds of type function."],
  ["a class", { data: [{ x: new Map() }] }, {}, "The figure f holds of type Map."],
  [
    "too many bytes",
    { data: [{ x: Array.from({ length: 60_000 }, () => 1234) }] },
    {},
    "bytes of 200000. Draw fewer points, or split it.",
  ],
  ["a long caption", { data: [trace] }, { caption: "x".repeat(1025) }, "The caption of f has 1025 characters."],
  ["a run that is no id", { data: [trace] }, { run: "a/b" }, "run is not 1 to 64 letters"],
])("%s is refused before any call", (_what, figure, options, message) => {
  expect(() => figureBody("f", figure as never, options)).toThrow(message);
});
