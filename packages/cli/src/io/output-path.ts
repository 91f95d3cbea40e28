import { rowPaths } from "@while/schema/files";
import { CliError } from "../cli-error.ts";
import type { Call } from "../verb.ts";
import { STDOUT } from "./row-output.ts";

/**
 * The output of a call, or without `-o` a file beside the one input: `nameOf` makes its name of the input's stem and
 * suffix (`.jsonl.gz`; `.jsonl` for a file of another kind).
 *
 * @throws CliError `bad_arguments` for several inputs or stdin without `-o`
 */
export async function outputOrBeside(
  { verb, files, output }: Call,
  nameOf: (stem: string, suffix: string) => string,
): Promise<string> {
  if (output !== undefined) return output;
  const [file, another] = await rowPaths(files);
  if (file === undefined || another !== undefined || file === STDOUT) {
    throw new CliError(
      "bad_arguments",
      `wai ${verb} has no one file to write beside.`,
      "Name the output with -o FILE, or -o - for stdout.",
    );
  }
  const [, stem, suffix] = /^(.*?)(?:(\.(?:jsonl|ndjson)(?:\.gz)?)|\.[^./\\]*(?:\.gz)?)?$/s.exec(file)!;
  return nameOf(stem!, suffix ?? ".jsonl");
}
