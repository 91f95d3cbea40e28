import { expect, test } from "vitest";
import { FLAGS } from "./flag-table.ts";
import { traceFlags } from "./trace-flags.ts";

const EXAMPLES = FLAGS.flatMap(({ name, examples }) => [
  ...examples.fires.map((row, i) => [name, "fires", i, row] as const),
  ...examples.holds.map((row, i) => [name, "holds", i, row] as const),
]);

test.each(EXAMPLES)("%s %s on its example %i", (name, how, _, row) => {
  const flags = traceFlags(row, { minSeverity: "low" });
  if (how === "fires") expect(Object.keys(flags)).toContain(name);
  else expect(flags[name]).toBeUndefined();
});

test("every flag has three examples of both kinds, a name of its family and a marker", () => {
  for (const { name, family, examples, about, marker } of FLAGS) {
    expect(name.startsWith(`${family}.`)).toBe(true);
    expect(examples.fires.length, name).toBeGreaterThanOrEqual(3);
    expect(examples.holds.length, name).toBeGreaterThanOrEqual(3);
    expect(about).not.toMatch(/\.$/);
    expect(marker).toMatch(/^[a-z_]+$/);
  }
  expect(new Set(FLAGS.map(({ name }) => name)).size).toBe(FLAGS.length);
});
