import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allFlags, COMMON_FLAGS, longName } from "../src/parse-command-line.ts";
import { VERBS as LISTED, loadVerbs } from "../src/verbs.ts";
import { wai } from "./terminal.ts";

const VERBS = await loadVerbs();

test("a verb is listed by its own name and in its own chapter", () => {
  expect(LISTED.map(({ name, chapter }) => [name, chapter])).toEqual(VERBS.map(({ name, chapter }) => [name, chapter]));
});

/** Files that a file reads before it runs, and packages among them. */
function readBefore(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return seen;
  seen.add(file.href);
  for (const [, from] of readFileSync(file, "utf8").matchAll(/^import (?!type )[^;]*?from "([^"]+)";/gms)) {
    if (from!.startsWith(".")) readBefore(new URL(from!, file), seen);
    else seen.add(from!);
  }
  return seen;
}

test("wai --version and wai --help read no package and no verb", () => {
  const read = [...readBefore(new URL("../src/main.ts", import.meta.url))];
  expect(read.filter((name) => !name.startsWith("file:") && !name.startsWith("node:"))).toEqual([]);
  expect(read.filter((name) => name.includes("/commands/"))).toEqual([]);
  expect(read.length).toBeGreaterThan(5);
});

test.each(COMMON_FLAGS.map((flag) => longName(flag)))("wai %s alone is no stranger", async (flag) => {
  expect(await wai([flag])).toMatchObject({ code: 0 });
});

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
