import type { RunDetail } from "@while/platform-client/contract";
import { formatTrainingCost, trainingCost } from "@while/platform-client/rules";
import { EXIT } from "../../exit-code.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import { note } from "../../print.ts";
import type { Verb } from "../../verb.ts";

interface WatchFlags {
  follow?: boolean;
  resend?: boolean;
}

const LOOK_MS = 2000;

/** Where a run is: its status, how far, the newest value of each series, what it cost. */
function formatRun(run: RunDetail): string {
  const points = run.train ?? run.series ?? [];
  const last = new Map<string, unknown>();
  for (const { step: _step, ts: _ts, ...values } of points)
    for (const [name, value] of Object.entries(values)) last.set(name, value);
  const step = points.at(-1)?.step ?? run.steps ?? 0;
  const bar = run.totalSteps == null ? `step ${step}` : `step ${step} of ${run.totalSteps}`;
  const { gpu, seconds } = {
    gpu: run.gpu ?? (run.summary?.gpu as string | undefined) ?? null,
    seconds: run.seconds ?? (run.summary?.seconds as number | undefined) ?? null,
  };
  return [
    `${run.name ?? run.version} (${run.id}): ${run.status}, ${bar}`,
    ...[...last].map(([name, value]) => `  ${name} ${value}`),
    ...(run.error == null ? [] : [`  error ${run.error}`]),
    `  ${formatTrainingCost(trainingCost(gpu, seconds), gpu, seconds)}`,
  ].join("\n");
}

export const watchVerb: Verb<WatchFlags> = platformVerb<WatchFlags>({
  name: "watch",
  summary: "one training run: status, curve, cost",
  names: { usage: "RUN", least: 1, most: 1 },
  flags: [
    { spec: "--follow", about: "until it ends" },
    { spec: "--resend", about: "first deliver what waits on this machine" },
  ],
  examples: [
    { line: "wai watch run_0123456789abcdef --follow", about: "a line when something changed" },
    { line: "wai watch run_0123456789abcdef --resend", about: "after an outage" },
  ],
  async run(call, client) {
    const id = call.names[0] as string;
    if (call.flags.resend === true) {
      const { sent, refused, left } = await client.resend();
      note(call, `${sent} delivered, ${refused} refused, ${left} still wait`);
    }
    let run = await client.getRun(id);
    while (call.flags.follow === true && run.status === "running") {
      const before = run.updatedAt;
      call.io.stderr.write(`${formatRun(run).split("\n")[0]}\n`);
      do {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        run = await client.getRun(id);
      } while (run.updatedAt === before && run.status === "running");
    }
    printAnswer(call, run, formatRun(run));
    return EXIT.holds;
  },
});
