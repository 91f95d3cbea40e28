import { rowPaths } from "@while/schema/files";
import { CliError } from "../cli-error.ts";
import type { Call } from "../verb.ts";
import { refuseOverwrite, STDOUT } from "./row-output.ts";

/** Makes a name of the input's stem and its suffix: `.jsonl.gz`, or `.jsonl` for a file of another kind. */
type NameBeside = (stem: string, suffix: string) => string;

/**
 * Where a call writes: `-o`, or without it a file beside the one input. Checked before a row is read; the name beside
 * can wait until it is known what the rows are.
 *
 * @throws CliError `same_file`, `bad_arguments` for several inputs or stdin without `-o`
 */
export async function outputOf({ verb, files, output }: Call): Promise<(nameOf: NameBeside) => string> {
  if (output !== undefined) {
    await refuseOverwrite(files, output);
    return () => output;
  }
  const [file, another] = await rowPaths(files);
  if (file === undefined || another !== undefined || file === STDOUT) {
    throw new CliError(
      "bad_arguments",
      `wai ${verb} has no one file to write beside.`,
      "Name the output with -o FILE, or -o - for stdout.",
    );
  }
  const [, stem, suffix] = /^(.*?)(?:(\.(?:jsonl|ndjson)(?:\.gz)?)|\.[^./\\]*(?:\.gz)?)?$/s.exec(file)!;
  return (nameOf) => nameOf(stem!, suffix ?? ".jsonl");
}
