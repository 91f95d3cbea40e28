import type { StagedPlatform } from "./platform.ts";

/** Sets a mark when it runs: no page may ever let it. */
const RUNS = "window.__ran=(window.__ran||0)+1";

/** What an agent can write into every text that it sends. */
export const HOSTILE = {
  script: `<script>${RUNS}</script>`,
  image: `<img src=x onerror="${RUNS}">`,
  svg: `<svg onload="${RUNS}"><a xlink:href="javascript:${RUNS}">x</a></svg>`,
  link: `[press me](javascript:${RUNS}) and [data](data:text/html,<script>${RUNS}</script>)`,
  remote: "![pixel](https://tracker.example/pixel.png)",
  rightToLeft: "\u202Eevil\u202C \u2067عربي\u2069 \u200F<b>שלום</b>",
  huge: `${"W".repeat(3000)} end`,
  formula: '=HYPERLINK("https://tracker.example","x")',
  template: "{{constructor.constructor('alert(1)')()}} $[1+1]",
  controls: "a\u0001b\u009bc\u2028d\ufeffe",
} as const;

const ALL = Object.values(HOSTILE).join("\n\n");

/** An agent all of whose texts are hostile: notes, labels, captions, tags, prompts, replies, reasons, the experiment. */
export async function seedHostileBot({
  client,
}: StagedPlatform): Promise<Record<"run" | "agent" | "dataset" | "training", string>> {
  const bot = await client.track("hostile-bot", { model: HOSTILE.image, frontier: { name: HOSTILE.svg, score: 80 } });
  await bot.behavior("answers", {
    ...{ testVersion: HOSTILE.script, n: 60, noiseFloor: 1, contamination: 0, rewardIsJudge: false, gradedBy: "judge" },
    description: `${HOSTILE.image} ${HOSTILE.link}`.slice(0, 400),
    rubric: ALL,
    judge: { name: HOSTILE.script, agreement: 0.9, humanN: 120, lengthBias: 0.1, verified: true },
  });
  await bot.experiment({
    question: ALL,
    hypothesis: HOSTILE.link,
    method: HOSTILE.image,
    measure: HOSTILE.remote,
    decide: HOSTILE.rightToLeft,
  });
  const tags = { [HOSTILE.image.slice(0, 40)]: HOSTILE.script, kind: HOSTILE.rightToLeft, language: HOSTILE.formula };
  let last = "";
  for (const [version, passing] of [
    ["base<script>", 30],
    ['v1"><img src=x>', 45],
  ] as const) {
    const run = await bot.run(version, {
      method: "<svg onload=x>",
      targets: ["answers"],
      harness: HOSTILE.script,
      gpu: "<img src=x>",
    });
    for (let step = 0; step < 30; step += 1) run.log(step, { reward: step / 30, loss: 1 / (step + 1) });
    const rows = Array.from({ length: 60 }, (_, index) => ({
      ...{ ok: index < passing, prompt: `${index} ${ALL}`, reply: ALL, reference: HOSTILE.image },
      ...{ why: HOSTILE.script, detail: ALL, score: index < passing ? 1 : 0, tags },
    }));
    await run.score("answers", (100 * passing) / 60, { ci: 5, n: 60, testVersion: HOSTILE.script, rows });
    await run.note(`# ${HOSTILE.script}\n\n${ALL}\n\n<iframe src="javascript:${RUNS}"></iframe>`);
    await run.finish("evaluated", { say: false });
    last = run.id;
  }
  await bot.promote("base<script>", { reason: HOSTILE.image });
  await bot.figure(
    "figure-1",
    {
      data: [
        {
          type: "bar",
          x: [HOSTILE.image, "<b>bold</b>"],
          y: [1, 2],
          text: [HOSTILE.script, HOSTILE.svg],
          name: HOSTILE.link,
        },
        { type: "scatter", x: [1, 2], y: [3, 4], hovertemplate: `<a href="javascript:${RUNS}">x</a>` },
      ],
      layout: {
        title: HOSTILE.svg,
        annotations: [{ text: `<a href="javascript:${RUNS}">y</a>${HOSTILE.script}`, x: 0, y: 1 }],
      },
    },
    { run: last, caption: HOSTILE.image },
  );
  const row = {
    prompt: ALL,
    final_text: HOSTILE.image,
    messages: [{ role: "user", content: ALL }],
    reward: 1,
    markers: {},
  };
  const rows = Array.from({ length: 12 }, (_, index) => ({
    ...row,
    scenario_id: `${index % 3}${HOSTILE.svg}`,
    reward: index % 2,
  }));
  const { datasetId } = await client.pushRows(rows, HOSTILE.script, {
    agent: "hostile-bot",
    description: ALL.slice(0, 900),
  });
  const training = await client.trainingRun(HOSTILE.image, { baseModel: HOSTILE.script, trainer: HOSTILE.svg });
  training.log(1, { loss: 1, "<b>x</b>": 2 });
  await training.finish("failed", { error: ALL });
  await bot.live("2026-09-01", { version: "base<script>", replies: 10, flagged: 1 });
  return { run: last, agent: "hostile-bot", dataset: datasetId, training: training.id };
}
