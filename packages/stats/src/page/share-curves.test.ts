import { expect, test } from "vitest";
import { shareCurves } from "./share-curves.ts";

const drawn = (upTo = 100) =>
  shareCurves({
    curves: [
      {
        name: "all <of> them",
        points: [
          [10, 0.5],
          [50, 0.8],
          [100, 1],
        ],
        now: 10,
        goal: 50,
      },
      { name: "some", points: [[20, 0.25]] },
    ],
    ...{ upTo, wanted: 0.8, xHead: "labels", shareHead: "chance", label: "what is drawn" },
  }).markup;

test("a curve goes through its points, in a drawing that is stretched to its place", () => {
  const page = drawn();
  expect(page).toContain('d="M10 50L50 20L100 0"');
  expect(page).toContain('preserveAspectRatio="none"');
  // 0 is at 9 of a hundred and 100 at 98; a share of 1 is at 6 and of 0 at 84.
  expect(page).toContain('<circle class="pt" cx="17.9%" cy="45%"');
  expect(page).toContain('<circle class="pt" cx="53.5%" cy="21.6%"');
  expect(page).toContain('<line class="zero" x1="9%" x2="98%" y1="21.6%" y2="21.6%"/>');
  expect(page).toContain('aria-label="what is drawn"');
  expect(page).toContain("all &lt;of&gt; them");
});

test("curves are told apart by dashes, and the same is in a table with the places that are pointed at", () => {
  const page = drawn();
  expect([...page.matchAll(/class="curve" stroke-dasharray="([^"]*)"/g)].map(([, dash]) => dash)).toEqual(["", "6 4"]);
  expect(page).toContain('<td class="num">50%</td>');
  expect(page).toMatch(/<th scope="row">10<\/th>|<td class="num">10<\/td>/);
});

test.each([1, 7, 53, 1000])("an axis up to %i has no more than nine round numbers", (upTo) => {
  const page = drawn(upTo);
  const ticks = [...page.matchAll(/<text class="mid"[^>]*>([^<]*)</g)].map(([, text]) => Number(text));
  expect(ticks[0]).toBe(0);
  expect(ticks.length).toBeLessThanOrEqual(9);
  expect(ticks.every(Number.isInteger)).toBe(true);
  expect(page).not.toMatch(/NaN|Infinity|undefined/);
});
