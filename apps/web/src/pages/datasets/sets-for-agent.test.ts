import type { Dataset } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { readGate } from "./gate-reading.ts";
import { setsForAgent, setsToMind } from "./sets-for-agent.ts";

const set = (fields: Partial<Dataset>): Dataset =>
  ({ datasetId: "ds_1", name: "one", status: "ready", mode: "rl", warnings: 0, ...fields }) as Dataset;

test("what did not arrive and what the gate minds is worth a word, and nothing else", () => {
  const sets = [
    set({ name: "clean" }),
    set({ name: "warned", warnings: 2 }),
    set({ name: "broken", status: "uploading", warnings: null }),
    set({ name: "unread", warnings: null }),
  ];
  const { broken, warned } = setsToMind(sets);
  expect([broken.map(({ name }) => name), warned.map(({ name }) => name)]).toEqual([["broken"], ["warned"]]);
});

test("each warning is copied with its call, under the name of its set", () => {
  const warned = set({ datasetId: "ds_2", name: "warned", warnings: 1 });
  const warnings = ["6 of 39 asks with rollouts that all agree: optimize with mode rl drops them."];
  const gate = readGate({ ok: true, warnings, privileged_leaks: { n_checked: 1, n_leaked: 0 } }, warned);
  expect(setsForAgent([set({ name: "late", status: "uploading" })], [{ set: warned, gate }], 3)).toBe(
    [
      "# Datasets",
      "",
      "Did not arrive whole; push them again:",
      "",
      "- `late` (ds_1): uploading",
      "",
      "## Dataset `warned` (ds_2)",
      "",
      "The publish gate accepts it, with 1 warning.",
      "",
      "### What to do",
      "",
      "1. `6 of 39 asks with rollouts that all agree: optimize with mode rl drops them.`",
      "",
      "```sh",
      "wai pull ds_2 | wai optimize - --mode rl -o kept.jsonl",
      "```",
      "",
      "2. `No row says how far its judge is to be trusted.`",
      "",
      "```sh",
      "wai pull ds_2 | wai judge-trust - --labels labels.jsonl",
      "```",
      "",
      "3 more sets have warnings.",
      "",
    ].join("\n"),
  );
});
