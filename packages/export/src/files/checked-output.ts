import { invalidOption } from "../training-rows.ts";

/** The path to write to; null when nothing is asked to be written. @throws ExportError `invalid_option` */
export function checkedOutput(output: unknown): string | null {
  if (output === null || output === undefined) return null;
  if (typeof output !== "string" || output === "") {
    throw invalidOption(`output is ${JSON.stringify(output)}.`, "Give the path of the file to write.");
  }
  if (/\.gz$/.test(output)) {
    throw invalidOption(
      `output is ${output}, and exports are not packed.`,
      "Give a .jsonl file and pack it afterwards.",
    );
  }
  return output;
}
