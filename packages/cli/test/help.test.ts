import { describe, expect, test } from "vitest";
import { VERBS } from "../src/main.ts";
import { allFlags } from "../src/parse-command-line.ts";
import { wai } from "./terminal.ts";

test("wai --help fits a screen of 24 lines by 80 columns and names every verb", async () => {
  const { code, stdout, stderr } = await wai(["--help"]);
  const lines = stdout.trimEnd().split("\n");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(lines.length).toBeLessThanOrEqual(23); // one line is the prompt's
  expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(80);
  for (const { name } of VERBS) expect(stdout).toMatch(new RegExp(`^ {2}(.* )?${name}( |$)`, "m"));
});

test("wai help all has a line for every verb", async () => {
  const { code, stdout } = await wai(["help", "all"]);
  expect(code).toBe(0);
  for (const { name, summary } of VERBS) {
    const line = stdout.split("\n").find((candidate) => candidate.startsWith(`  ${name} `));
    expect(line, name).toContain(`  ${summary}`);
  }
  expect(stdout.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
});

test("wai alone and wai help are wai --help", async () => {
  const { stdout } = await wai(["--help"]);
  expect(await wai([])).toMatchObject({ code: 0, stdout });
  expect(await wai(["help"])).toMatchObject({ code: 0, stdout });
});

test.each(["--version", "-V"])("wai %s", async (flag) => {
  expect((await wai([flag])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe.each(VERBS.map((verb) => [verb.name, verb] as const))("wai help %s", (name, verb) => {
  test("has a usage, two examples, exit codes, and is what --help prints", async () => {
    const { code, stdout } = await wai(["help", name]);
    expect(code).toBe(0);
    expect(stdout).toContain(`usage  wai ${name} `);
    for (const { line } of verb.examples) expect(line).toMatch(new RegExp(`^wai ${name}( |$)`));
    expect(stdout).toMatch(/exit codes\n {2}0 /);
    expect(await wai([name, "--help"])).toMatchObject({ code: 0, stdout });
    expect(await wai(["--help", name])).toMatchObject({ code: 0, stdout });
  });

  test("stays within 80 columns", async () => {
    const { stdout } = await wai(["help", name]);
    expect(stdout.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  });

  test("its examples parse", () => {
    for (const { line } of verb.examples) {
      const known = allFlags(verb).flatMap(({ spec }) => spec.match(/--?[\w-]+/g)!);
      for (const flag of line.match(/(?<= )--?[a-z-]+/g) ?? []) expect(known).toContain(flag);
    }
  });
});
