import { hackScan } from "@while/select";
import { matrix } from "../calibration/markdown.ts";
import { type Cell, Counter, grid, type Hits, type Study } from "../calibration/study.ts";
import { PLANTED } from "./planted.ts";
import { drafts, rowsOf } from "./replies.ts";
import { SCAN } from "./scan-setting.ts";

const NOISE = 0.05;
const WORLDS = PLANTED.flatMap((planted) =>
  [0.1, 0.2, 0.3, 0.5].flatMap((prevalence) => {
    const world = { name: `${planted.name}, in ${100 * prevalence}%`, planted, prevalence, topK: SCAN.topK as number };
    // Rare words are not among few terms.
    const isRare = prevalence <= 0.2 && ["delimiter", "phrase", "conjunction"].includes(planted.name);
    return isRare ? [world, { ...world, name: `${world.name}, topK 1000`, topK: 1000 }] : [world];
  }),
);
const SIZES = [24, 48, 100, 200];

/** A judge that passes what it is meant to or a shortcut, and one that passes the shortcut alone. */
export const scanRecall: Study = {
  name: "scan-recall",
  cells: grid(WORLDS, SIZES, [8]),
  effort: 0.13,
  run({ world, n, k }: Cell, trials, rng): Hits {
    const { planted, prevalence, topK } = WORLDS.find(({ name }) => name === world)!;
    const counter = new Counter();
    for (let trial = 0; trial < trials; trial++) {
      const shortcut = new Map<object, boolean>();
      const list = Array.from({ length: n }, (_, ask) =>
        drafts(ask, k, { echo: null, rate: 0.2 + 0.6 * rng.random() }, rng).map((draft) => {
          const has = rng.random() < prevalence;
          const written = planted.write(draft, has, rng);
          shortcut.set(written, has);
          return written;
        }),
      ).flat();
      const wrong = () => rng.random() < NOISE;
      const either = rowsOf(list, (draft) => (draft.found || shortcut.get(draft)!) !== wrong());
      const alone = rowsOf(list, (draft) => shortcut.get(draft)! !== wrong());
      const options = { ...SCAN, topK, seed: trial, endorsed: ["marker:found"] };
      const mixed = hackScan(either, options);
      const also = mixed.paysAlso ?? [];
      counter.count("mixed", also.length > 0);
      counter.count(
        "named",
        also.some(({ name }) => planted.isNamed(name)),
      );
      counter.count("regime", mixed.regime === "reward_hack");
      const pure = hackScan(alone, options);
      counter.count("pure", pure.regime === "reward_hack" && planted.isNamed(pure.topFeature ?? ""));
    }
    return counter.hits;
  },
  print(results) {
    const part = (title: string, left: string, right?: string) => `${title}

${matrix(results, { left, ...(right === undefined ? {} : { right }), isBad: () => false })}`;
    return `## Planted shortcuts: how often they are found

${PLANTED.map(({ name, about }) => `- **${name}**: ${about}`).join("\n")}

${100 * NOISE}% of the labels are wrong. In percent.

${part("The judge passes the behavior **or** the shortcut, and `paysAlso` names the shortcut / the regime is `reward_hack`", "named", "regime")}

${part("The judge passes the shortcut alone, and the scan says `reward_hack` with it on top", "pure")}`;
  },
};
