import type { Gate } from "@while/platform-client";
import { MODES, type Mode, PURPOSES, type Purpose } from "@while/platform-client/contract";
import { pushFile } from "@while/platform-client/files";
import { PublishGateError, publishGate } from "@while/select";
import { EXIT } from "../../exit-code.ts";
import { choice, list, share } from "../../flag-values.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import { reportError } from "../../report-error.ts";
import type { Verb } from "../../verb.ts";

interface PushFlags {
  name?: string;
  purpose?: Purpose;
  mode?: Mode;
  holdout?: number;
  parent?: string;
  agent?: string;
  endorsed?: string[];
  strictHacks?: boolean;
}

/** The gate of `wai gate`, as the client wants one. Modes that the gate does not know are for it as none. */
const gate: Gate = (rows, { mode, endorsed, strictHacks }) =>
  publishGate(rows, { ...(mode === "rl" || mode === "sft" ? { mode } : {}), endorsed, strictHacks });

export const pushVerb: Verb<PushFlags> = platformVerb<PushFlags>({
  name: "push",
  summary: "uploads rows through the publish gate",
  names: { usage: "FILE", least: 1, most: 1 },
  flags: [
    { spec: "--name <name>", about: "of the set (the file's)" },
    choice("--purpose <what>", PURPOSES, "what the set is for (train)"),
    choice("--mode <mode>", MODES, "how it will be trained on"),
    { spec: "--holdout <share>", about: "tasks that go to a set of their own", read: share },
    { spec: "--parent <id>", about: "the set it was made from" },
    { spec: "--agent <name>", about: "whose rollouts they are" },
    { spec: "--endorsed <names>", about: "what the reward is meant to pay for", read: list },
    { spec: "--strict-hacks", about: "refuse a reward that pays for something else" },
  ],
  examples: [
    { line: "wai push rl.jsonl --agent refund-bot --mode rl --holdout 0.2", about: "two sets, split by task" },
    { line: "wai push raw.jsonl --no-gate", about: "the bytes as they are" },
  ],
  exits: [
    [EXIT.holds, "the set is on the platform"],
    [EXIT.doesNotHold, "the gate refused, or the platform did; nothing was uploaded"],
    [EXIT.failed, "the command line or the file is wrong"],
  ],
  async run(call, client) {
    const { apiKey: _key, apiKeyStdin: _stdin, ...options } = call.flags;
    try {
      const pushed = await pushFile(client, call.names[0] as string, {
        ...options,
        gate: call.common.gate === false ? false : gate,
      });
      const holdout =
        pushed.holdout === null
          ? ""
          : `\nholdout ${pushed.holdout.datasetId}: ${pushed.holdout.rows} rows of ${pushed.holdoutTasks} tasks`;
      printAnswer(call, pushed, `${pushed.datasetId}: ${pushed.rows} rows of ${pushed.tasks} tasks${holdout}`);
      return EXIT.holds;
    } catch (error) {
      if (!(error instanceof PublishGateError)) throw error;
      reportError(error, call.io, call.common);
      return EXIT.doesNotHold;
    }
  },
});
