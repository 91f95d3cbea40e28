import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRowFiles, rowPaths, streamRowFiles, writeParquet } from "../../src/files.ts";
import { testFolder } from "./folder.ts";
import { zipOf } from "./zip-of.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));
const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const { path } = testFolder();

const row = (id: string) =>
  `${JSON.stringify({ scenario_id: id, rollout_id: id, prompt: "p", final_text: "f", reward: 1 })}\n`;

let n = 0;
/** A folder with these files; a name may lead into folders of it. */
function folderOf(files: Record<string, string | Uint8Array>): string {
  const folder = path(`folder-${n++}`);
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

async function faultOf(folder: string, options: object = {}): Promise<unknown> {
  return await readRowFiles([folder], options).then(
    () => "read",
    (error: unknown) => error,
  );
}

test("each file of a folder is read by its own format, and so are those of the folders in it", async () => {
  const folder = folderOf({
    "a.jsonl": row("a"),
    "b.csv": "task_id,prompt,final_text,reward\nb,p,f,1\n",
    "c/d/e.json": JSON.stringify([JSON.parse(row("e"))]),
    "c/f": gzipSync(row("f")),
    "g.json": JSON.stringify([{ question: "q", output: "o" }]),
  });
  copyFileSync(join(FIXTURES, "inspect/2026-01-02T03-04-05_arith_t2.eval"), join(folder, "c/log"));
  await writeParquet(join(folder, "h.parquet"), [JSON.parse(row("h"))]);
  const { rows, report } = await readRowFiles([folder]);
  expect(report.files.map(({ path, format, rows }) => [path?.slice(folder.length + 1), format, rows])).toEqual([
    ["a.jsonl", "while", 1],
    ["b.csv", "loose", 1],
    ["c/d/e.json", "while", 1],
    ["c/f", "while", 1],
    ["c/log", "inspect-eval", 4],
    ["g.json", "loose", 1],
    ["h.parquet", "while", 1],
  ]);
  expect(rows).toHaveLength(10);
  expect(report).toMatchObject({ format: "mixed", noRows: [] });
});

test("what holds no rows is listed with why, and said where nobody would expect it", async () => {
  const folder = folderOf({
    "rollouts.jsonl": row("a"),
    "rollouts.meta.json": "{}",
    ".git/config": "x",
    ".hidden.jsonl": row("h"),
    "README.md": "[![badge](x)](y)\n# Notes\n",
    "a.png": PNG,
    "config.json": '{"seed": 7}',
    "empty.jsonl": "",
    "ids.json": '["a", "b"]',
    "list.json": "[]",
    "notes.txt": "# Notes\n",
    "other.csv": "name,size\na,1\n",
    "source.zip": zipOf([{ name: "main.py", content: "x" }]),
  });
  symlinkSync(join(folder, "nowhere"), join(folder, "link"));
  const { rows, report } = await readRowFiles([folder]);
  expect(rows).toHaveLength(1);
  expect(report.noRows.map(({ path, why }) => [path.slice(folder.length + 1), why])).toEqual([
    [".git", "is hidden"],
    [".hidden.jsonl", "is hidden"],
    ["README.md", "is text, not rows"],
    ["a.png", "is a PNG image"],
    ["config.json", 'holds no rows: no record has an ask or a conversation, and the first has the keys "seed"'],
    ["empty.jsonl", "is empty"],
    ["ids.json", "holds no rows"],
    ["link", "is a link to nothing"],
    ["list.json", "holds no rows"],
    ["notes.txt", 'is text, not rows: line 1 begins "# Notes"'],
    ["other.csv", 'holds no rows: no record has an ask or a conversation, and the first has the keys "name", "size"'],
    ["rollouts.meta.json", "describes the rows beside it"],
    ["source.zip", 'is a zip archive and no Inspect log: it holds "main.py"'],
  ]);
  expect(report.warnings).toEqual([
    {
      code: "no_rows",
      text:
        `${folder}: 10 files give no rows: README.md is text, a.png is a PNG image, config.json holds no rows, ` +
        "empty.jsonl is empty, ids.json holds no rows and 5 more.",
    },
  ]);
  expect(await rowPaths([folder])).toEqual([join(folder, "rollouts.jsonl")]);
});

test("files that were named are read or refused, whatever lies around them", async () => {
  const folder = folderOf({ "a.jsonl": row("a"), "README.md": "# Notes\n" });
  const named = [join(folder, "a.jsonl"), join(folder, "README.md")];
  await expect(readRowFiles(named)).rejects.toMatchObject({ code: "format_unknown" });
});

test("the folder of a saved run is its rows alone, wherever it lies", async () => {
  const folder = folderOf({ "one/rows.jsonl": row("a"), "one/selected.jsonl": row("a"), "two/x.jsonl": row("b") });
  expect((await readRowFiles([folder])).rows.map(({ rollout_id }) => rollout_id)).toEqual(["a", "b"]);
});

test("what describes rows of another tool is read beside them, and is no file of its own", async () => {
  const folder = path("verifiers");
  mkdirSync(folder);
  for (const name of ["results.jsonl", "metadata.json"]) {
    copyFileSync(join(FIXTURES, "verifiers", name), join(folder, name));
  }
  const { report } = await readRowFiles([folder]);
  expect(report.files).toMatchObject([{ format: "verifiers" }]);
  expect(report.noRows).toEqual([{ path: join(folder, "metadata.json"), why: "describes the rows beside it" }]);
});

test.each<[name: string, files: Record<string, string | Uint8Array>, what: string]>([
  ["empty", {}, "it is empty."],
  ["of notes", { "README.md": "# x\n", "a.png": PNG }, "README.md is text, a.png is a PNG image."],
  ["hidden", { ".a.jsonl": row("a") }, ".a.jsonl is hidden."],
])("a folder without rows (%s) is refused with what is there", async (_, files, what) => {
  const folder = folderOf(files);
  expect(await faultOf(folder)).toMatchObject({
    code: "bad_file",
    what: `${folder} is a folder without rows: ${what}`,
    fix: "Give the files themselves, or the folder a run was saved in.",
  });
});

test.each<[name: string, content: string | Uint8Array, code: string, what: string]>([
  ["b.jsonl", `{oops\n${row("b")}`, "bad_line", "b.jsonl, line 1 has"],
  ["b.json", '{"rows": [{"prompt": "p"', "bad_line", "b.json, line 1 ends where"],
  ["b.jsonl.gz", gzipSync(row("b")).subarray(0, 20), "bad_file", "is gzip that breaks off"],
  ["b.eval", zipOf([{ name: "header.json", content: "{}" }]).subarray(0, 40), "bad_file", "breaks off"],
  ["b.csv", 'task_id,prompt\n1,"', "bad_line", "b.csv"],
  ["b.jsonl", `${row("b")}{"messages":[{"role":"user","content":"x"}]}\n`, "format_ambiguous", "mixes formats"],
  ["b.jsonl", row("a"), "duplicate_rollout", "a.jsonl:1"],
])("a file of rows that is damaged is no file without rows: %s, %j", async (name, content, code, what) => {
  const fault = await faultOf(folderOf({ "a.jsonl": row("a"), [name]: content }));
  expect(fault).toMatchObject({ code, what: expect.stringContaining(what) });
});

test("links are followed, and a circle of them once", async () => {
  const folder = folderOf({ "in/a.jsonl": row("a") });
  symlinkSync(folder, join(folder, "in/up"));
  symlinkSync(join(folder, "in/a.jsonl"), join(folder, "z.jsonl"));
  const { report } = await readRowFiles([folder], { duplicates: "keep" });
  expect(report.files.map(({ path }) => path?.slice(folder.length + 1))).toEqual(["in/a.jsonl", "z.jsonl"]);
});

test("with a format named, a file is asked for objects and not for their format", async () => {
  const folder = folderOf({ "a.jsonl": '{"ask me":1}\n', "b.txt": "x" });
  expect(await rowPaths([folder]).catch(({ code }) => code)).toBe("bad_file");
  const { report } = await readRowFiles([folder], { format: "loose" });
  expect(report).toMatchObject({ records: 1, noRows: [{ why: expect.stringContaining("is text") }] });
});

test("a file that shows nothing for a long while is read", async () => {
  const long = JSON.stringify({ note: "x".repeat(2 ** 24), rows: [JSON.parse(row("a"))] }, null, 1);
  expect(await rowPaths([folderOf({ "a.json": long })])).toHaveLength(1);
});

test("the order and the number of the files change no row", async () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,2}){0,2}$/), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(names, async (given) => {
      const files = Object.fromEntries(given.map((name) => [`${name}.jsonl`, row(name)]));
      const folder = folderOf(files);
      const ids: unknown[] = [];
      for await (const { rollout_id } of streamRowFiles([folder])) ids.push(rollout_id);
      expect([...ids].sort()).toEqual([...given].sort());
    }),
    { numRuns: 30 },
  );
});
