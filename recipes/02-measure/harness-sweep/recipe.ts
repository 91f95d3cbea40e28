import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClient } from "@while/platform-client/files";
import { formatVerdict } from "@while/platform-client/rules";
import { startPlatform } from "@while/server";
import { conversationAgent, formatSweep, harnessSweep, type SweepVariant } from "@while/simulate";
import { looked, MODELS, modelNamed, PROMPTS, tools } from "./models.ts";

// A platform of your own, or one in this process on a folder that is thrown away.
const given = process.env.WHILEAI_API_URL;
const data = mkdtempSync(join(tmpdir(), "while-harness-sweep-"));
const platform = given
  ? null
  : await startPlatform({ settings: { data, port: 0 }, log: { info() {}, error: console.error } });
const client = openClient(
  platform === null ? { out: null } : { apiUrl: platform.url, apiKey: platform.firstKey ?? "", out: null },
);
const desk = await client.track("order-desk");

// 1. Sixty asks that stay as they are, and every prompt with every model. A label is PROMPT@MODEL.
const asks = Array.from({ length: 60 }, (_, n) => ({ task_id: `t${n}`, prompt: `Where is my order A${1000 + n}?` }));
const variants = Object.entries(PROMPTS).flatMap(([prompt, instructions]) =>
  MODELS.map(
    (model): SweepVariant => ({
      harness: { label: `${prompt}@${model}`, model, instructions, tools: ["get_order"] },
      agent: conversationAgent(modelNamed(model)),
    }),
  ),
);

// 2. Four rollouts of each ask by each setup, the first setup three times over for the floor, a run of each posted.
const report = await harnessSweep(variants, asks, {
  ...{ judge: looked, gradedBy: "program", behavior: "looks_it_up", k: 4, noiseRuns: 3, tools, sink: desk },
});
console.log(formatSweep(report));

// 3. Two names for one setup are no comparison, and nothing is run for it.
const again = { ...variants[0]!, harness: { ...variants[0]!.harness, label: "short-again" } };
await harnessSweep([variants[0]!, again], asks, { judge: looked }).catch((error: Error) => {
  console.log(`\nrefused: ${error.message}`);
});

// 4. What serves is the short prompt with the small model. The page and this line ask the same rules.
await desk.promote("short@small");
console.log(`\n${formatVerdict(await desk.verdict("looks_it_up", { version: report.best ?? "rules@large" }))}`);

await client.close();
await platform?.stop();
rmSync(data, { recursive: true, force: true });
