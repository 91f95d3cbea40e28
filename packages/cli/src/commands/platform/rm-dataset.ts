import { CliError } from "../../cli-error.ts";
import { EXIT } from "../../exit-code.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface RmDatasetFlags {
  yes?: boolean;
}

export const rmDatasetVerb: Verb<RmDatasetFlags> = platformVerb<RmDatasetFlags>({
  name: "rm-dataset",
  summary: "deletes a set for good",
  names: { usage: "DATASET", least: 1, most: 1 },
  flags: [{ spec: "--yes", about: "without it nothing is deleted" }],
  examples: [
    { line: "wai rm-dataset ds_0123456789abcdef --yes", about: "nothing brings it back" },
    { line: "wai rm-dataset ds_0123456789abcdef", about: "says what would be deleted" },
  ],
  async run(call, client) {
    const id = call.names[0] as string;
    const { name, rows } = await client.dataset(id);
    if (call.flags.yes !== true) {
      throw new CliError(
        "bad_arguments",
        `${id} (${name}, ${rows ?? 0} rows) would be deleted for good.`,
        "Give --yes to delete it.",
      );
    }
    printAnswer(call, await client.deleteDataset(id), `${id} (${name}) is deleted`);
    return EXIT.holds;
  },
});
