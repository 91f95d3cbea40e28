import { pullFile } from "@while/platform-client/files";
import { EXIT } from "../../exit-code.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

export const pullVerb: Verb = platformVerb({
  name: "pull",
  summary: "downloads a set as it was pushed",
  names: { usage: "DATASET", least: 1, most: 1 },
  output: { spec: "-o, --output <file>", about: "where to, whole or not at all; stdout without it" },
  examples: [
    { line: "wai pull ds_0123456789abcdef -o rows.jsonl", about: "into a file" },
    { line: "wai pull ds_0123456789abcdef", about: "to the next command of a pipe" },
  ],
  async run(call, client) {
    const id = call.names[0] as string;
    if (call.output !== undefined && call.output !== "-") {
      const bytes = await pullFile(client, id, call.output);
      printAnswer(call, { dataset: id, file: call.output, bytes }, `${call.output}: ${bytes} bytes`);
      return EXIT.holds;
    }
    const decoder = new TextDecoder();
    for await (const chunk of client.pullBytes(id)) {
      if (call.io.stdout.closed) break;
      call.io.stdout.write(decoder.decode(chunk, { stream: true }));
    }
    return EXIT.holds;
  },
});
