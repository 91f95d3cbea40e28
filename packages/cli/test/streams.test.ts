import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { jsonl, MIXED, written } from "./rollouts.ts";
import { BIN, folder, spawnWai, wai } from "./terminal.ts";

describe("the same rows, however they arrive", () => {
  const content = jsonl(MIXED);
  const report = async (): Promise<string> => (await wai(["pass-at", written(folder()("a.jsonl")), "--json"])).stdout;

  test("on stdin", async () => {
    const { code, stdout } = await spawnWai(["pass-at", "-", "--json"], { stdin: content });
    expect({ code, stdout }).toEqual({ code: 0, stdout: await report() });
  });

  test("as gzip on stdin", async () => {
    const { stdout } = await spawnWai(["pass-at", "-", "--json"], { stdin: gzipSync(content) });
    expect(stdout).toBe(await report());
  });

  test.each([
    ["packed", "a.jsonl.gz", gzipSync(content)],
    ["with CRLF and a byte-order mark", "a.jsonl", `\ufeff${content.replaceAll("\n", "\r\n")}`],
    ["without a last line break", "a.jsonl", content.trimEnd()],
    ["with blank lines", "a.jsonl", content.replaceAll("\n", "\n\n")],
    ["as one JSON array", "a.json", JSON.stringify(MIXED)],
  ])("%s", async (_, name, bytes) => {
    const file = folder()(name);
    writeFileSync(file, bytes);
    expect((await wai(["pass-at", file, "--json"])).stdout).toBe(await report());
  });

  test("in several files, one after the other", async () => {
    const path = folder();
    const files = [written(path("a.jsonl"), MIXED.slice(0, 5)), written(path("b.jsonl"), MIXED.slice(5))];
    expect((await wai(["pass-at", ...files, "--json"])).stdout).toBe(await report());
  });
});

test("unicode survives, in text and in names of files", async () => {
  const path = folder();
  const rows = [
    { task_id: "ü", rollout_id: "1", prompt: "où est ma commande ? 😀", final_text: "line\u2028break", reward: 1 },
  ];
  const file = written(path("naïve 名.jsonl"), rows);
  const { code } = await wai(["rows", file, "-o", path("kopie 😀.jsonl")]);
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(path("kopie 😀.jsonl"), "utf8"))).toMatchObject(rows[0]!);
});

describe("a reader that goes away", () => {
  test.each([
    ["a report", ["pass-at", "a.jsonl"]],
    ["rows", ["rows", "a.jsonl", "-o", "-"]],
    ["a training file", ["export", "a.jsonl", "-o", "-"]],
  ])("%s into head -1 ends quietly", async (_, argv) => {
    const path = folder();
    written(
      path("a.jsonl"),
      Array.from({ length: 3000 }, (_, i) => ({ ...MIXED[i % 16]!, rollout_id: `r${i}` })),
    );
    const child = spawn(process.execPath, [BIN, ...argv], { cwd: path("."), stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [code, signal] = await once(child, "close");
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stderr).not.toMatch(/EPIPE|Error|error:| {4}at /);
  });
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s during a long write leaves no file and no stack trace",
  async (signal) => {
    const path = folder();
    // A pipe that is never closed: the command has rows to write and waits for more.
    const child = spawn(process.execPath, [BIN, "rows", "-", "-o", path("out.jsonl")], { stdio: "pipe" });
    child.stdin.on("error", () => {}); // what is still in the pipe when the command is stopped
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    for (let i = 0; !readdirSync(path(".")).some((name) => name.startsWith("out.jsonl.")); i += 1) {
      child.stdin.write(jsonl(MIXED.map((row) => ({ ...row, rollout_id: `${i}-${row.rollout_id}` }))));
      await sleep(5);
    }
    child.kill(signal);
    const [code] = await once(child, "close");
    expect(code).toBe(signal === "SIGINT" ? 130 : 143);
    expect(readdirSync(path("."))).toEqual([]);
    expect(stderr).toBe("");
  },
);

test("a place that cannot be written to is one line and its fix", async () => {
  const path = folder();
  const file = written(path("a.jsonl"));
  const { code, stderr } = await wai(["rows", file, "-o", `${file}/out.jsonl`]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^error: .+a\.jsonl\/out\.jsonl.*\nfix: .+\n$/);
});

test("words of a file cannot drive the terminal", async () => {
  const path = folder();
  const rows = MIXED.map((row) => ({ ...row, category: "\u001b[2J\u009b31mred\r" }));
  const { stdout } = await wai(["pass-at", written(path("a.jsonl"), rows), "--by", "category"]);
  expect(stdout).toContain("·[2J·31mred");
  expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
});
