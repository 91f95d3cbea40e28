import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { sourceFiles } from "./fuzz/source-files.ts";
import { largeFile } from "./large-file.ts";
import { printTable } from "./print-table.ts";

const WAI = fileURLToPath(new URL("../../../packages/cli/bin/wai.js", import.meta.url));

/** What resourceUsage calls the peak begins with that of the parent process; Linux has the true one in /proc. */
const SAY_PEAK = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from "node:fs";
  const peakMb = () => process.platform === "linux"
    ? Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024
    : process.resourceUsage().maxRSS / 1024;
  process.on("exit", () => process.stderr.write("\\npeak " + peakMb()));
`)}`;

/** `readers [NAME...] [--mb N] [--document-mb N]`: what \`wai rows\` takes for a large file of each kind. */
export async function readersCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { mb: { type: "string", default: "256" }, "document-mb": { type: "string", default: "100" } },
    allowPositionals: true,
  });
  const folder = mkdtempSync(join(tmpdir(), "while-bench-"));
  const table: string[][] = [];
  try {
    for (const file of (await sourceFiles()).flat()) {
      const large = largeFile(file);
      if (large === null || (positionals.length > 0 && !positionals.some((word) => file.name.includes(word)))) continue;
      // Formats keep facts in the names of their files.
      const path = join(folder, file.name.replace(/^.*\//, ""));
      await large.write(path, Number(large.isDocument ? values["document-mb"] : values.mb) * 1e6);
      const line = [file.name.slice(0, 40), file.format, ...measured(path, file.format, large.isDocument)];
      process.stderr.write(`${line.join("  ")}\n`);
      table.push(line);
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  printTable(["file", "format", "kind", "MB", "rows", "s", "MB/s", "peak MB"], table);
}

function measured(path: string, format: string, isDocument: boolean): string[] {
  const started = performance.now();
  const flags = ["rows", path, "--json", "--from", format];
  const run = spawnSync(process.execPath, ["--import", SAY_PEAK, WAI, ...flags], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const seconds = (performance.now() - started) / 1000;
  if (run.status !== 0) throw new Error(`${path}: ${run.stderr.slice(0, 2000)}`);
  const mb = statSync(path).size / 1e6;
  const peak = Number(/peak (\S+)$/.exec(run.stderr)![1]);
  const { rows } = JSON.parse(run.stdout) as { rows: number };
  return [
    isDocument ? "document" : "records",
    mb.toFixed(0),
    rows.toLocaleString("en"),
    seconds.toFixed(1),
    (mb / seconds).toFixed(0),
    peak.toFixed(0),
  ];
}
