import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type SourceFile, sourceFiles } from "./fuzz/source-files.ts";
import { largeArchive } from "./large-archive.ts";
import { type LargeFile, largeFile } from "./large-file.ts";
import { largeCsv, largeParquet } from "./large-table.ts";
import { printTable } from "./print-table.ts";

const WAI = fileURLToPath(new URL("../../../packages/cli/bin/wai.js", import.meta.url));

/** What resourceUsage calls the peak begins with that of the parent process; Linux has the true one in /proc. */
const SAY_PEAK = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from "node:fs";
  const peakMb = () => process.platform === "linux"
    ? Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024
    : process.resourceUsage().maxRSS / 1024;
  const cpuSeconds = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
  process.on("exit", () => process.stderr.write("\\npeak " + peakMb() + " cpu " + cpuSeconds()));
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
    for (const { name, format, isDocument, write } of largeFiles(await sourceFiles())) {
      if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue;
      // Formats keep facts in the names of their files.
      const path = join(folder, name.replace(/^.*\//, ""));
      await write(path, Number(isDocument ? values["document-mb"] : values.mb) * 1e6);
      const line = [name.slice(0, 40), format, isDocument ? "document" : "records", ...measured(path, format)];
      process.stderr.write(`${line.join("  ")}\n`);
      table.push(line);
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  printTable(["file", "format", "kind", "MB", "rows", "s", "CPU s", "peak MB"], table);
}

interface NamedLargeFile extends LargeFile {
  name: string;
  format: string;
}

/** One of each fixture that is JSON, and one of each kind that is not. */
function largeFiles(files: readonly (readonly SourceFile[])[]): NamedLargeFile[] {
  const large: NamedLargeFile[] = [];
  for (const file of files.flat()) {
    const made = largeFile(file);
    if (made !== null) large.push({ ...made, name: file.name, format: file.format });
    if (file.format === "inspect-json") {
      const [log] = file.records as readonly Record<string, unknown>[];
      const write = (path: string, bytes: number) => largeArchive(path, bytes, log!);
      large.push({ name: file.name.replace(/json$/, "eval"), format: "inspect-eval", isDocument: false, write });
    }
  }
  large.push({ name: "rows/while.csv", format: "while", isDocument: false, write: largeCsv });
  large.push({ name: "rows/while.parquet", format: "while", isDocument: false, write: largeParquet });
  return large;
}

function measured(path: string, format: string): string[] {
  const started = performance.now();
  const flags = ["rows", path, "--json", "--from", format];
  const run = spawnSync(process.execPath, ["--import", SAY_PEAK, WAI, ...flags], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const seconds = (performance.now() - started) / 1000;
  if (run.status !== 0) throw new Error(`${path}: ${run.stderr.slice(0, 2000)}`);
  const mb = statSync(path).size / 1e6;
  const [, peak, cpuSeconds] = /peak (\S+) cpu (\S+)$/.exec(run.stderr)!.map(Number) as [number, number, number];
  const { rows } = JSON.parse(run.stdout) as { rows: number };
  return [mb.toFixed(0), rows.toLocaleString("en"), seconds.toFixed(1), cpuSeconds.toFixed(1), peak.toFixed(0)];
}
