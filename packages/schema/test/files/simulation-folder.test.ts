import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readRowFiles, streamRowFiles } from "../../src/files.ts";
import { testFolder } from "./folder.ts";

const DOCUMENT = fileURLToPath(new URL("../fixtures/tau2/results.json", import.meta.url));
const { path } = testFolder();

/** The document as tau2-bench writes it into a folder. */
function folderOf(name: string, { without = [] as string[], extra = [] as string[] } = {}): string {
  const { simulations, ...results } = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  const folder = path(name);
  mkdirSync(join(folder, "simulations"), { recursive: true });
  const index = simulations.map(({ id, task_id, trial }: Record<string, unknown>) => ({ id, task_id, trial }));
  writeFileSync(
    join(folder, "results.json"),
    JSON.stringify({ ...results, format_version: 1, simulation_index: index }),
  );
  const files = [...simulations, ...extra.map((id) => ({ ...simulations[0], id }))];
  for (const simulation of files) {
    if (without.includes(simulation.id)) continue;
    writeFileSync(join(folder, "simulations", `${simulation.id}.json`), JSON.stringify(simulation));
  }
  return folder;
}

test.each(["", "results.json"])("a folder is read as the document is, whether it or its %j is named", async (name) => {
  const folder = folderOf(`run-${name}`);
  const { rows, report } = await readRowFiles([join(folder, name)]);
  const whole = await readRowFiles([DOCUMENT]);
  expect(rows).toEqual(whole.rows);
  expect(report).toMatchObject({ format: "tau2", records: 4, rows: 3, meta: { tau2: { format_version: 1 } } });
  expect(report.warnings.map(({ code }) => code)).toEqual(whole.report.warnings.map(({ code }) => code));
});

test("its progress counts every file of it", async () => {
  const seen: [number, number | null][] = [];
  const onProgress = ({ bytes, totalBytes }: { bytes: number; totalBytes: number | null }) => {
    seen.push([bytes, totalBytes]);
  };
  for await (const _ of streamRowFiles([folderOf("progress")], { onProgress }));
  expect(seen).toHaveLength(4);
  expect(seen.at(-1)![0]).toBe(seen.at(-1)![1]);
});

test.each([
  ["lacks one", { without: ["sim-2"] }, "lists 3 simulations, and its folder has 2; missing: sim-2.", 2],
  ["has one too many", { extra: ["sim-9"] }, "lists 3 simulations, and its folder has 4; not listed: sim-9.", 4],
])("a folder that %s is refused, unless it may be partial", async (name, difference, what, n) => {
  const folder = folderOf(name, difference);
  await expect(readRowFiles([folder])).rejects.toMatchObject({ code: "bad_file", what: expect.stringContaining(what) });
  const { rows, report } = await readRowFiles([folder], { allowPartial: true });
  expect(rows).toHaveLength(n);
  expect(report.warnings[0]).toMatchObject({ code: "partial_folder", text: expect.stringContaining(what) });
});

test("a file of it that is no JSON is named", async () => {
  const folder = folderOf("broken");
  writeFileSync(join(folder, "simulations", "sim-2.json"), "{oops");
  await expect(readRowFiles([folder])).rejects.toMatchObject({
    code: "bad_file",
    what: `${join(folder, "simulations", "sim-2.json")} is no JSON object.`,
  });
});
