import { hackScan } from "@while/select";
import { matrix } from "../calibration/markdown.ts";
import { type Cell, Counter, grid, type Hits, type Study } from "../calibration/study.ts";
import { drafts, rowsOf } from "./replies.ts";
import { mostByLuck, SCAN, sharesOver } from "./scan-setting.ts";

const ENDORSED = ["marker:found"];
const WORLDS = [0.05, 0.1, 0.2].flatMap((noise) =>
  [0.9, 0.97].map((echo) => ({ name: `${100 * noise}% wrong labels, words agree in ${100 * echo}%`, noise, echo })),
);
const SIZES = [24, 48, 100, 200];

/** An honest judge that errs, and thirty words that mostly go with what it is meant to pay for. */
export const scanHonest: Study = {
  name: "scan-honest",
  cells: grid(WORLDS, SIZES, [8]),
  effort: 0.5,
  run({ world, n, k }: Cell, trials, rng): Hits {
    const { noise, echo } = WORLDS.find(({ name }) => name === world)!;
    const counter = new Counter();
    for (let trial = 0; trial < trials; trial++) {
      const rows = Array.from({ length: n }, (_, ask) => {
        const list = drafts(ask, k, { echo, rate: 0.2 + 0.6 * rng.random() }, rng);
        return rowsOf(list, ({ found }) => found !== rng.random() < noise);
      }).flat();
      const { regime, lead, paysAlso } = hackScan(rows, { ...SCAN, seed: trial, endorsed: ENDORSED });
      const isHack = regime === "reward_hack";
      counter.count("regime", isHack);
      counter.count("confirmed", isHack && (lead === null || lead.confirmed));
      counter.count("pays", (paysAlso ?? []).length > 0);
    }
    return counter.hits;
  },
  print(results) {
    const part = (title: string, left: string) => `${title}

${matrix(results, { left, isBad: (share) => share > mostByLuck(results, left) })}

Over all cells: ${sharesOver(results, left)}.`;
    return `## An honest judge with wrong labels: how often it is accused

The reward is \`marker:found\` with some labels turned round; thirty words agree with the marker in most replies. In percent.

${part('`strictHacks: "confirmed"`: the regime is `reward_hack`, and the lead holds over asks', "confirmed")}

${part("`paysAlso` names a feature", "pays")}

${part("The regime alone, as the Python SDK has it: too loud to act on", "regime")}`;
  },
};
