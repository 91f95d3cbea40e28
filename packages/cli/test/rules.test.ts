import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const TOOLS = [{ type: "function", function: { name: "lookup", parameters: { type: "object", properties: {} } } }];

test("--system-prompt and --tools put back what the rows do not say", async () => {
  const path = folder();
  const file = written(path("a.jsonl"));
  writeFileSync(path("rules.md"), "\uFEFFNever guess.\n");
  writeFileSync(path("tools.json"), JSON.stringify(TOOLS));
  const flags = ["--system-prompt", path("rules.md"), "--tools", path("tools.json")];

  expect((await wai(["export", file, "-o", path("b.jsonl"), ...flags])).code).toBe(0);
  const [first] = readFileSync(path("b.jsonl"), "utf8").split("\n");
  const { messages, tools } = JSON.parse(first!);
  expect(messages.slice(0, 2)).toMatchObject([{ role: "system", content: "Never guess." }, { role: "user" }]);
  expect(tools).toEqual(TOOLS);

  expect((await wai(["run", file, "-o", path("run"), "--no-gate", ...flags])).code).toBe(0);
  expect(JSON.parse(readFileSync(path("run/export.json"), "utf8"))).toMatchObject({ with_system: 12, with_tools: 12 });
  expect(readFileSync(path("run/report.html"), "utf8")).toContain("Never guess.");
});

test.each([
  ["--tools", "none.json", "", "cannot be read"],
  ["--system-prompt", "none.md", "", "cannot be read"],
  ["--tools", "t.json", "{not json", "not JSON"],
  ["--tools", "t.json", "[]", "no list of function schemas"],
  ["--tools", "t.json", '[{"name": "lookup"}]', "no list of function schemas"],
])("%s %s holding %j is refused", async (flag, name, text, why) => {
  const path = folder();
  const file = written(path("a.jsonl"));
  if (text !== "") writeFileSync(path(name), text);
  const { code, stderr } = await wai(["export", file, "-o", path("b.jsonl"), flag, path(name)]);
  expect(code).toBe(3);
  expect(stderr).toMatch(new RegExp(`^error: ${flag} names .+${why}\\.\\nfix: .+\\n$`));
});
