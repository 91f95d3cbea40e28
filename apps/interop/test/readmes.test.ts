import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

/**
 * The examples of every package's README are run as a reader would run them. A `ts` block is a module of its own;
 * the `text` block behind it, if there is one, is exactly what it prints.
 */

const root = fileURLToPath(new URL("../../..", import.meta.url));
const here = fileURLToPath(new URL("..", import.meta.url));

interface Example {
  line: number;
  code: string;
  printed: string | null;
}

function examples(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((block) => ({
    language: block[1]!,
    text: block[2]!,
    line: markdown.slice(0, block.index).split("\n").length,
    end: block.index + block[0].length,
    start: block.index,
  }));
  return blocks.flatMap((block, i) => {
    if (block.language !== "ts") return [];
    const next = blocks[i + 1];
    const follows = next?.language === "text" && markdown.slice(block.end, next.start).trim() === "";
    return [{ line: block.line, code: block.text, printed: follows ? next.text : null }];
  });
}

// Inside this package, so that the examples find the packages by name.
mkdirSync(join(here, "out"), { recursive: true });
const dir = mkdtempSync(join(here, "out", "readmes-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const documented = [...readdirSync(join(root, "packages")).map((name) => `packages/${name}`), "apps/server"];
for (const place of documented) {
  const file = join(root, place, "README.md");
  const name = place.replace("/", "-");
  describe(`${place}/README.md`, () => {
    test("exists", () => expect(existsSync(file)).toBe(true));
    if (!existsSync(file)) return;
    test.each(examples(readFileSync(file, "utf8")))(
      "the example at line $line",
      ({ line, code, printed }) => {
        const folder = join(dir, `${name}-${line}`);
        mkdirSync(folder);
        writeFileSync(join(folder, "example.ts"), code);
        writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
        const stdout = execFileSync(process.execPath, ["--import", "tsx", "example.ts"], {
          cwd: folder,
          encoding: "utf8",
          env: { ...process.env, NO_COLOR: "1" },
        });
        if (printed !== null) expect(stdout).toBe(printed);
      },
      300_000,
    );
  });
}
