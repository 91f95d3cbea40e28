import { toWire } from "@while/schema";
import { EXIT } from "../../exit-code.ts";
import { platformVerb } from "../../platform/platform-verb.ts";
import { note } from "../../print.ts";
import type { Verb } from "../../verb.ts";

export const statusVerb: Verb = platformVerb({
  name: "status",
  summary: "which key is used, and whose it is",
  examples: [
    { line: "wai status", about: "as one JSON document" },
    { line: "wai status --api-key zp_0123", about: "of another key" },
  ],
  async run(call, client) {
    const status = await client.status();
    call.io.stdout.write(`${JSON.stringify(toWire(status), null, 2)}\n`);
    if (!status.configured) note(call, `no key: everything that reads files works without one; wai login gets one`);
    return EXIT.holds;
  },
});
