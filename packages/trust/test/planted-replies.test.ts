import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { styleMarkers } from "../src/index.ts";

type Replies = Record<string, { present: string[]; absent: string[] }>;
const { first, second }: { first: Replies; second: Replies } = JSON.parse(
  readFileSync(new URL("planted/replies.json", import.meta.url), "utf8"),
);

const valueOn = (marker: string, final_text: string, rules: "v1" | "v2" = "v2") =>
  styleMarkers([{ final_text }], { rules })[0]!.markers![marker];

describe.each(Object.entries(first))("the set that the lists were extended by: %s", (marker, { present, absent }) => {
  test.each(present)("present: %s", (reply) => expect(valueOn(marker, reply)).toBe(0));
  test.each(absent)("absent: %s", (reply) => expect(valueOn(marker, reply)).toBe(1));
});

test("the set that was run once afterwards: four of five are found, and no list was made to fit the rest", () => {
  const lines: string[] = [];
  let [found, n] = [0, 0];
  for (const [marker, { present, absent }] of Object.entries(second)) {
    const missed = present.filter((reply) => valueOn(marker, reply) !== 0);
    const v1 = present.filter((reply) => valueOn(marker, reply, "v1") === 0).length;
    found += present.length - missed.length;
    n += present.length;
    lines.push(`${marker.padEnd(14)} v2 ${present.length - missed.length} of ${present.length}, v1 ${v1}`);
    for (const reply of missed) lines.push(`  missed: ${reply}`);
    for (const reply of absent) expect(valueOn(marker, reply), reply).not.toBe(0);
  }
  console.log(lines.join("\n"));
  expect(found / n).toBeGreaterThanOrEqual(0.8);
});
