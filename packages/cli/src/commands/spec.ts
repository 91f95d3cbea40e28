import { formatSpec, specReport, stampSpec } from "@while/schema";
import { metaOf, readSpec } from "@while/schema/files";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { readAll } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, STDOUT, writeRows } from "../io/row-output.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

interface SpecFlags {
  id?: string;
  stamp?: string;
}

export const specVerb: Verb<SpecFlags> = {
  name: "spec",
  chapter: "trust",
  summary: "a model spec, its traits and the version that its content is",
  flags: [
    { spec: "--id <name>", about: "instead of the id that the spec gives itself" },
    { spec: "--stamp <rows>", about: "rows that were made or judged under it, written to -o" },
  ],
  output: { spec: "-o, --output <file>", about: "the stamped rows, - is stdout" },
  examples: [
    { line: "wai spec constitution.json", about: "its traits, and the version of this wording" },
    { line: "wai spec constitution.json --stamp a.jsonl -o b.jsonl", about: "rows that say under which wording" },
  ],
  exits: [
    [EXIT.holds, "the spec was read"],
    [EXIT.failed, "the command failed: no trait, two of one id, a flag or a file"],
  ],
  async run(call) {
    const { id, stamp } = call.flags;
    const { output } = call;
    const [file, ...more] = call.files;
    if (file === undefined || more.length > 0) {
      throw new CliError("bad_arguments", `wai spec was given ${call.files.length} files.`, "Name one spec.");
    }
    if ((stamp === undefined) !== (output === undefined)) {
      const missing = stamp === undefined ? "--stamp ROWS" : "-o FILE";
      const given = stamp === undefined ? "-o" : "--stamp";
      throw new CliError("bad_arguments", `wai spec was given ${given} alone.`, `Give ${missing} with it.`);
    }
    if (stamp === STDOUT && file === STDOUT) {
      throw new CliError("bad_arguments", "stdin cannot be both spec and rows.", "Name a file for one of them.");
    }
    if (output !== undefined) await refuseOverwrite([file, stamp!], output);
    const spec = await readSpec(file, id === undefined ? {} : { specId: id });
    if (stamp !== undefined && output !== undefined) {
      const read = await readAll({ ...call, files: [stamp] });
      await writeRows(output, stampSpec(read.rows, spec), () => metaOf(read.report));
    }
    print(call, specReport(spec), formatSpec, { to: reportSink(call) });
    return EXIT.holds;
  },
};
