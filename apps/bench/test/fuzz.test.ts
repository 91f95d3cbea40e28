import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeInput } from "../src/fuzz/make-input.ts";
import { readInput } from "../src/fuzz/read-input.ts";
import { sourceFiles } from "../src/fuzz/source-files.ts";

/** The first 20,000 inputs of seed 0; `npm run bench -- fuzz` goes on to a million, with clock and scales. */
const SLICES = 8;
const INPUTS = 20_000 / SLICES;

const files = await sourceFiles();
const folder = mkdtempSync(join(tmpdir(), "while-fuzz-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(Array.from({ length: SLICES }, (_, slice) => slice * INPUTS))(
  "whatever went wrong with a file, it is read or refused in words: 2,500 inputs from %i on",
  async (from) => {
    const here = join(folder, String(from));
    mkdirSync(here);
    const faults: string[] = [];
    const counts = { rows: 0, refused: 0, fault: 0 };
    for (let index = from; index < from + INPUTS; index++) {
      const { kind, what } = await readInput(makeInput(0, index, files), here);
      counts[kind]++;
      if (kind === "fault") faults.push(`npm run bench -- fuzz --seed 0 --only ${index}: ${what}`);
    }
    expect(faults).toEqual([]);
    // Inputs that are all refused at the door, or all fine, would try no reader.
    expect(counts.rows).toBeGreaterThan(INPUTS / 4);
    expect(counts.refused).toBeGreaterThan(INPUTS / 4);
  },
  120_000,
);

test("an input is the same whichever were made before it", () => {
  const again = makeInput(7, 1234, files);
  makeInput(7, 1233, files);
  expect(makeInput(7, 1234, files)).toEqual(again);
  expect(makeInput(8, 1234, files)).not.toEqual(again);
});
