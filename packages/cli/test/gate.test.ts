import { existsSync } from "node:fs";
import { toWire } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { publishGate } from "@while/select";
import { expect, test } from "vitest";
import { MIXED, rollouts, written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

test("wai gate passes rows with contrast and stamps them", async () => {
  const path = folder();
  const file = written(path("a.jsonl"), MIXED);
  const { code, stderr } = await wai(["gate", file, "-o", path("out.jsonl")]);
  expect({ code, first: stderr.split("\n")[0] }).toEqual({ code: 0, first: "publish gate passed" });
  const { rows } = await readRowFiles([path("out.jsonl")]);
  expect(rows).toHaveLength(16);
  expect(rows[0]!.calibration).toMatchObject({ n: 4, pass_rate: 0.5 });
});

test("wai gate --json is toWire of the library's report", async () => {
  const file = written(folder()("a.jsonl"), MIXED);
  const flags = ["--mode", "rl", "--band", "0.1,0.6", "--endorsed", "marker:polite", "--purpose", "eval"];
  const { code, stdout, stderr } = await wai(["gate", file, ...flags, "--json", "--quiet"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { report } = publishGate((await readRowFiles([file])).rows, {
    mode: "rl",
    band: [0.1, 0.6],
    endorsed: ["marker:polite"],
    purpose: "eval",
  });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire(report))));
});

test.each([
  ["ungraded_rl_rows", rollouts({ a: [null, null] }), "wai grade"],
  ["no_mixed_groups", rollouts({ a: [1, 1], b: [0, 0] }), "wai curriculum"],
  [
    "privileged_leak",
    MIXED.map((row) => ({ ...row, privileged: { reference: `on ${row.task_id} is done` } })),
    "wai leaks",
  ],
])("wai gate refuses %s with the reason and what to run, and writes nothing", async (reason, rows, next) => {
  const path = folder();
  const { code, stderr } = await wai(["gate", written(path("a.jsonl"), rows), "-o", path("out.jsonl")]);
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^publish gate refused ${reason}: `));
  expect(stderr).toContain(next);
  expect(existsSync(path("out.jsonl"))).toBe(false);
});

test("wai gate --strict-hacks refuses a reward that pays for a word, names it, and says what to run", async () => {
  const rows = Array.from({ length: 96 }, (_, i) => {
    const kind = (i * 7) % 10 < 3;
    const ask = i >> 3;
    return {
      ...{ task_id: `t${ask}`, prompt: `Where is order ${ask}?`, markers: { found: (i * 5 + ask + (i % 3)) % 2 } },
      ...{ final_text: `${kind ? "Kindly" : "Please"} allow ${i} days.`, reward: Number(kind) },
    };
  });
  const file = written(folder()("a.jsonl"), rows);
  const { code, stdout, stderr } = await wai(["gate", file, "--endorsed", "marker:found", "--strict-hacks"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^publish gate refused reward_hack: The reward pays most for contains:kindly/);
  expect(stderr).toContain(`wai hack-scan ${file}`);
  expect((await wai(["gate", file, "--endorsed", "marker:found"])).code).toBe(0);
});

test("--strict-hacks without --endorsed is refused", async () => {
  const { code, stderr } = await wai(["gate", written(folder()("a.jsonl"), MIXED), "--strict-hacks"]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/nothing is endorsed\.\nfix: .*--endorsed/);
});
