import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { toWire } from "@while/schema";
import { writeFileAtomically } from "@while/schema/files";
import { type AnchorRun, anchorRunFromJson, TrustError } from "@while/trust";
import { CliError } from "../cli-error.ts";

/**
 * The runs of a judge over its anchors, oldest first; none where there is no file yet.
 *
 * @throws CliError `bad_flag` with the line that is none
 */
export async function readHistory(path: string): Promise<AnchorRun[]> {
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, "utf8")).split("\n");
  return lines.flatMap((line, i) => {
    if (line.trim() === "") return [];
    try {
      return [anchorRunFromJson(JSON.parse(line))];
    } catch (cause) {
      const said = cause instanceof TrustError ? cause.what : "It is no JSON.";
      throw new CliError("bad_flag", `${path}, line ${i + 1}: ${said}`, "Give the file that earlier runs wrote.", {
        cause,
      });
    }
  });
}

/** The history with one more run, written whole: a process that is killed leaves the old one. */
export async function writeHistory(path: string, runs: readonly AnchorRun[]): Promise<void> {
  const text = runs.map((run) => `${JSON.stringify(toWire(run))}\n`).join("");
  await writeFileAtomically(path, (file) => file.write(text));
}
