import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, spawnWai } from "./terminal.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** A command of the README and, where the next block is text, exactly what it shows. */
const EXAMPLES = [...README.matchAll(/^```sh\n(wai .*)\n```\n```text\n([\s\S]*?)^```$/gm)].map(
  ([, command, shown]) => [command!, shown!] as const,
);

test("the README shows what two commands print", () => {
  expect(EXAMPLES).toHaveLength(2);
});

test.each(EXAMPLES)("%s", async (command, shown) => {
  const path = folder();
  written(path("rollouts.jsonl"));
  const { stdout, stderr } = await spawnWai(command.split(" ").slice(1), { cwd: path(".") });
  expect(stderr + stdout).toBe(shown);
});

const LINES = [
  ...README.matchAll(/^(wai (?!pass-at.*--by)\S+ \S*rollouts\.jsonl.*?|wai export rl\.jsonl .*?)(?: +#.*)?$/gm),
].flatMap(([, line]) => (line!.includes("|") ? [] : line!));

// A process a line, one after the other: a second each, and on a machine that has other work many.
const TIMEOUT_MS = 10_000 * LINES.length;

test("each command line of the README that needs no second file runs", { timeout: TIMEOUT_MS }, async () => {
  const path = folder();
  written(path("rollouts.jsonl"));
  expect(LINES.length).toBeGreaterThan(4);
  for (const line of LINES) {
    const { code, stderr } = await spawnWai([...line.split(/ +/).slice(1), "--quiet", "--json"], { cwd: path(".") });
    // The rows have no labels, so a run cannot tell (2); only 3 says that a line did not run.
    expect({ line, ran: code !== 3, stderr }).toEqual({ line, ran: true, stderr: "" });
  }
});
