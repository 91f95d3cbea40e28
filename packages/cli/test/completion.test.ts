import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadVerbs } from "../src/verbs.ts";
import { folder, wai } from "./terminal.ts";

const VERBS = await loadVerbs();

const script = async (shell: string): Promise<string> => (await wai(["completion", shell])).stdout;

describe.each(["bash", "zsh", "fish"])("wai completion %s", (shell) => {
  test("knows every verb and its flags", async () => {
    const text = await script(shell);
    for (const { name, flags } of VERBS) {
      expect(text).toContain(name);
      for (const { spec } of flags) expect(text).toContain(spec.match(/--([\w-]+)/)![1]);
    }
  });

  test.skipIf(spawnSync(shell, ["--version"]).error !== undefined)("is a script that the shell can read", async () => {
    const file = folder()("completion");
    writeFileSync(file, await script(shell));
    const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

describe("in bash", () => {
  /** What Tab offers behind these words. */
  const offered = async (line: string): Promise<string[]> => {
    const words = line.split(" ");
    const program = `${await script("bash")}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _wai; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", program], { encoding: "utf8" })
      .split("\n")
      .filter((word) => word !== "");
  };

  test.each([
    ["wai ", [...VERBS.map(({ name }) => name), "help", "completion"]],
    ["wai pas", ["pass-at"]],
    ["wai --v", ["--version"]],
    ["wai help ex", ["export", "export-pairs"]],
    ["wai completion ", ["bash", "zsh", "fish"]],
    ["wai optimize --mo", ["--mode"]],
    ["wai optimize --mode ", ["rl", "sft"]],
    ["wai optimize a.jsonl --truncated d", ["drop"]],
    ["wai pass-at ", []], // files: the shell's own
    ["wai --json optimize --mode s", ["sft"]],
  ])("%j offers %j", async (line, words) => {
    expect(await offered(line)).toEqual(words);
  });
});
