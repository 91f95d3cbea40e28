import { ppiMean, roganGladen, wilsonInterval } from "@while/stats";
import { bySize } from "./markdown.ts";
import { type Cell, Counter, covers, type Hits, type Study } from "./study.ts";
import { HELD } from "./worlds.ts";

/** A judge: how much of the good and of the bad work it passes, and how much of the work is good. */
export const JUDGES: Readonly<Record<string, { good: number; passesGood: number; passesBad: number }>> = {
  "lenient judge": { good: 0.55, passesGood: 0.9, passesBad: 0.3 },
  "careful judge": { good: 0.8, passesGood: 0.95, passesBad: 0.05 },
  "harsh judge": { good: 0.7, passesGood: 0.7, passesBad: 0.05 },
};
/** Labels, and ten times as many rows with the judge's verdict alone. */
const LABELS = [20, 40, 100, 200];
const JUDGED = 10;

/** The judge inside the number: intervals on the true pass rate from few labels and many verdicts. */
export const labels: Study = {
  name: "labels",
  cells: Object.keys(JUDGES).flatMap((world) => LABELS.map((n) => ({ world, n, k: 1 }))),
  effort: 1,
  run({ world, n }: Cell, trials, rng): Hits {
    const { good, passesGood, passesBad } = JUDGES[world]!;
    const counter = new Counter();
    const row = () => {
      const gold = rng.random() < good ? 1 : 0;
      return { gold, judge: rng.random() < (gold === 1 ? passesGood : passesBad) ? 1 : 0 };
    };
    const rowsOf = (count: number) => Array.from({ length: count }, row);
    for (let trial = 0; trial < trials; trial++) {
      const labeled = rowsOf(n);
      const judgeUnlabeled = rowsOf(n * JUDGED).map(({ judge }) => judge);
      const gold = labeled.map((one) => one.gold);
      const judgeOnGold = labeled.map(({ judge }) => judge);
      const judgePasses = judgeUnlabeled.reduce<number>((total, verdict) => total + verdict, 0);
      counter.count("ppi", covers(ppiMean({ gold, judgeOnGold, judgeUnlabeled })!.ci95, good));
      const goldPass = gold.reduce<number>((total, label) => total + label, 0);
      const truePos = labeled.filter((one) => one.gold === 1 && one.judge === 1).length;
      const trueNeg = labeled.filter((one) => one.gold === 0 && one.judge === 0).length;
      const counts = { judgePasses, n: n * JUDGED, truePos, goldPass, trueNeg, goldFail: n - goldPass };
      counter.count("rogan", covers(roganGladen(counts).ci95, good));
      counter.count("human", covers(wilsonInterval(goldPass, n), good));
      counter.count("judge", covers(wilsonInterval(judgePasses, n * JUDGED), good));
    }
    return counter.hits;
  },
  print(results) {
    const judges = Object.entries(JUDGES).map(
      ([name, { good, passesGood, passesBad }]) =>
        `- **${name}**: ${good} of the work is good; the judge passes ${passesGood} of that and ${passesBad} of the rest`,
    );
    return `## The judge inside the number: coverage of 95% intervals of the true pass rate

${judges.join("\n")}

Columns are labels; the judge alone reads ten times as many rows. Mean, lowest and highest.

${bySize(results, METHODS, HELD.isMissed).replaceAll(" tasks |", " labels |")}`;
  },
};

const METHODS: readonly [string, string][] = [
  ["ppi", "`ppiMean`"],
  ["rogan", "`roganGladen`, error rates from the same labels"],
  ["human", "`wilsonInterval` of the labels alone"],
  ["judge", "`wilsonInterval` of the judge alone"],
];
