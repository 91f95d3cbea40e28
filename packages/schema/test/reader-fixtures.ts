import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const FIXTURES: string = fileURLToPath(new URL("fixtures", import.meta.url));

/** What lies beside the rows of an evaluation and is read along. */
const BESIDE: readonly string[] = ["lm-eval/results_2026-01-02T03-04-05.123456.json", "verifiers/metadata.json"];

/** Files of a format that is chosen by its name: its records alone are those of several others. */
export const NAMED_FORMAT: ReadonlyMap<string, string> = new Map([["trainers/trl.jsonl", "trl"]]);

/** Every fixture that holds rows, by its path below the folder: what is put there is read by every test of all readers. */
export function readerFixtures(): string[] {
  return readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => statSync(join(FIXTURES, name)).isFile() && !BESIDE.includes(name))
    .sort();
}
