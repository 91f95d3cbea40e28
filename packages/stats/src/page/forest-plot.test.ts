import fc from "fast-check";
import { expect, test } from "vitest";
import { type ForestPlotOptions, type ForestRow, forestPlot } from "./forest-plot.ts";

const row = (estimate: number | null, interval: ForestRow["interval"], more: Partial<ForestRow> = {}): ForestRow => ({
  ...{ name: "m", estimate, interval, mark: "open", label: "label", value: "v", reading: "flat" },
  ...more,
});

const drawn = (rows: readonly ForestRow[], more: Partial<ForestPlotOptions> = {}): string =>
  forestPlot({ rows, nameHead: "metric", valueHead: "change", caption: "what", ...more }).markup;

test("a change is drawn around zero: its dot, its bar and the band lie where the numbers say", () => {
  const plot = drawn([row(0.05, [0, 0.1], { band: [-0.02, 0.02], mark: "good" })]);
  // The axis reaches from -0.106 to 0.106.
  expect(plot).toContain('<circle class="pt" cx="73.58%"');
  expect(plot).toContain('<rect class="iv" x="50%" y="-6" width="47.17%"');
  expect(plot).toContain('<rect class="band" x="40.57%" y="0" width="18.87%"');
  expect(plot).toContain('<line class="zero" x1="50%"');
  expect([...plot.matchAll(/<text[^>]*>(.*?)</g)].map(([, text]) => text)).toEqual([
    "−0.1",
    "−0.05",
    "0",
    "+0.05",
    "+0.1",
  ]);
});

test("a level has no zero line, its threshold is upright", () => {
  const plot = drawn([row(0.87, [0.77, 0.93], { threshold: 0.8 })], { kind: "level" });
  expect(plot.match(/class="zero"/g)).toHaveLength(1);
});

test("what was not measured is a dotted line and no dot", () => {
  const plot = drawn([row(null, null)]);
  expect(plot).toContain('class="nomeasure"');
  expect(plot).not.toContain('class="pt"');
});

test("a claim is solid in its colour, what is none is hollow, and an estimate without interval has no bar", () => {
  expect(drawn([row(0.1, [0.05, 0.2], { mark: "bad" })])).toContain('<g class="c-bad"><rect');
  expect(drawn([row(0.1, null)])).toContain('<g class="c-rest open"><circle');
});

test("a row of thousands has its own axis and says so, the others keep theirs", () => {
  const plot = drawn([row(0.05, [0, 0.1]), row(-4000, [-5000, -3000], { name: "tokens" })]);
  expect(plot).toContain("own axis, ±5300");
  expect(plot).toContain("+0.05");
});

test("the drawing is named by its row, and user text stays text", () => {
  const plot = drawn([row(0.1, [0, 0.2], { name: `<i>"x"`, label: "+0.1" })]);
  expect(plot).toContain('aria-label="&lt;i&gt;&quot;x&quot;: +0.1"');
  expect(plot).not.toContain("<i>");
});

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });

test("every mark lies on the axis, whatever the numbers", () => {
  const anyRow = fc
    .tuple(finite, finite, finite, fc.double({ min: 0, max: 1e3, noNaN: true }))
    .map(([a, b, c, band]) => {
      const [low, middle, high] = [a, b, c].sort((x, y) => x - y) as [number, number, number];
      return row(middle, [low, high], { band: [-band, band] });
    });
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 5 }), fc.constantFrom("change", "level"), (rows, kind) => {
      const plot = drawn(rows, { kind });
      expect(plot).not.toMatch(/NaN|Infinity|undefined/);
      for (const [, place] of plot.matchAll(/ (?:x|x1|x2|cx)="(.*?)%"/g)) {
        expect(Number(place)).toBeGreaterThanOrEqual(0);
        expect(Number(place)).toBeLessThanOrEqual(100);
      }
    }),
  );
});
