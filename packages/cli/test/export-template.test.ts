import { writeFileSync } from "node:fs";
import { describeFormat, formatFormatDescription, HERMES_TEMPLATE } from "@while/export";
import { toWire } from "@while/schema";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

test("export --describe reads no file and says what trains, as text and as JSON", async () => {
  const described = await wai(["export", "--describe", "trl", "--mask", "final"]);
  const description = describeFormat("trl", { maskMode: "final" });
  expect(described).toEqual({ code: 0, stdout: `${formatFormatDescription(description)}\n`, stderr: "" });
  expect(described.stdout).toContain("⟦You are welcome.<|im_end|>⟧");
  const { stdout } = await wai(["export", "--describe", "verl", "--kind", "grpo", "--json"]);
  const other = describeFormat("verl", { kind: "grpo" });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire(other))));
});

test.each<[string[], RegExp]>([
  [["--describe", "axolot"], /error: --describe got "axolot"\.\nfix: .*nearest: axolotl/],
  [["--describe", "verl", "--mask", "final"], /error: verl rows cannot be masked as final/],
  [[], /error: wai export was given no file/],
])("export %j is refused", async (flags, said) => {
  const { code, stderr } = await wai(["export", ...flags]);
  expect(code).toBe(3);
  expect(stderr).toMatch(said);
});

test("--template: a file of its own or a tokenizer's configuration; what it breaks is refused", async () => {
  const path = folder();
  const file = written(path("a.jsonl"));
  writeFileSync(path("t.jinja"), HERMES_TEMPLATE);
  writeFileSync(path("tokenizer_config.json"), JSON.stringify({ chat_template: HERMES_TEMPLATE }));
  const export_ = (template: string) =>
    wai(["export", file, "--format", "trl", "--template", path(template), "--json", "-o", path("o.jsonl")]);
  const { code, stdout } = await export_("t.jinja");
  expect({ code, probe: JSON.parse(stdout).probe }).toMatchObject({ code: 0, probe: { arguments: "object" } });
  expect((await export_("tokenizer_config.json")).stdout).toBe(stdout);
  writeFileSync(path("tokenizer_config.json"), '{"a": 1}');
  expect(await export_("tokenizer_config.json")).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/no chat_template/),
  });
  writeFileSync(path("t.jinja"), "{% for %}");
  expect(await export_("t.jinja")).toMatchObject({ code: 3, stderr: expect.stringMatching(/The chat template fails/) });
  expect(await export_("missing.jinja")).toMatchObject({ code: 3, stderr: expect.stringMatching(/cannot be read/) });
});

test("--check --format: rows that somebody else wrote, each bad line with its place and its way out", async () => {
  const path = folder();
  const ask = { role: "user", content: "q" };
  const say = { role: "assistant", content: "a" };
  const lines = [
    { messages: [ask, say] },
    { prompt: "q", messages: [ask, say] },
    { prompt: [ask], chosen: [ask, say], rejected: [ask, say] },
  ];
  writeFileSync(path("t.jsonl"), `\uFEFF${lines.map((line) => `${JSON.stringify(line)}\r\n`).join("")}`);
  const { code, stdout } = await wai(["export", path("t.jsonl"), "--check", "--format", "trl"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^export check: 2 of 3 rows of .* are not what trl reads\n {2}line 2 has a prompt beside messages/,
  );
  expect(stdout).toMatch(/ {2}line 3 has a side of 2 messages.*\n {4}fix: Export the source again/);
  writeFileSync(path("t.jsonl"), JSON.stringify(lines[0]));
  expect(await wai(["export", path("t.jsonl"), "--check", "--format", "trl"])).toMatchObject({ code: 0 });
  writeFileSync(path("t.jsonl"), "");
  expect(await wai(["export", path("t.jsonl"), "--check", "--format", "trl"])).toMatchObject({ code: 1 });
  writeFileSync(path("t.jsonl"), "{bad");
  expect((await wai(["export", path("t.jsonl"), "--check", "--format", "trl"])).stdout).toContain("line 1 is no JSON");
});
