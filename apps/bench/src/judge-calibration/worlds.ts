import type { Row } from "@while/schema";
import type { MersenneTwister } from "@while/stats";
import type { Judge, JudgeFindingCode } from "@while/trust";

/** A judge whose faults are known. Shares are of 1. */
export interface World {
  name: string;
  /** What ought to be found, or, in `innocent` worlds, ought not. */
  aimed: JudgeFindingCode | null;
  /** Of the work that people pass. */
  rightOnPasses: number;
  /** Of the work that they fail. */
  rightOnFails: number;
  /** Share of the work that they pass. */
  goldPasses: number;
  /** Long replies passed this much more often than short ones, whatever they are worth. */
  lengthGap: number;
  /** Verdicts that change by themselves when the row is read again. */
  noise: number;
  /** Failed rows that flattery turns. */
  flattered: number;
  /** Rollouts a task, which share their luck in this share of tasks. */
  k: number;
  shared: number;
}

const HONEST: World = {
  name: "honest: right on 92% of passes and of fails",
  aimed: null,
  rightOnPasses: 0.92,
  rightOnFails: 0.92,
  goldPasses: 0.5,
  lengthGap: 0,
  noise: 0,
  flattered: 0,
  k: 1,
  shared: 0,
};

export const WORLDS: readonly World[] = [
  HONEST,
  { ...HONEST, name: "honest, 4 rollouts a task, half of the tasks share their luck", k: 4, shared: 0.5 },
  { ...HONEST, name: "honest, gold fails 1 row of 20", goldPasses: 0.95 },
  { ...HONEST, name: "honest, 3% of verdicts change by themselves", noise: 0.03, aimed: "inconsistent" },
  { ...HONEST, name: "honest, 8% change: under the flag of 10%", noise: 0.08, aimed: "exploitable" },
  { ...HONEST, name: "flattery turns 5% of failed rows: under the flag", flattered: 0.05, aimed: "exploitable" },
  { ...HONEST, name: "flattery turns 30% of failed rows", flattered: 0.3, aimed: "exploitable" },
  { ...HONEST, name: "20% of verdicts change by themselves", noise: 0.2, aimed: "inconsistent" },
  { ...HONEST, name: "lenient: right on 75% of fails", rightOnFails: 0.75, rightOnPasses: 0.97, aimed: "leak" },
  { ...HONEST, name: "harsh: right on 60% of passes", rightOnPasses: 0.6, rightOnFails: 0.97, aimed: "tpr_low" },
  { ...HONEST, name: "a coin", rightOnPasses: 0.5, rightOnFails: 0.5, aimed: "kappa_low" },
  { ...HONEST, name: "length: long passed 0.12 more often", lengthGap: 0.12, aimed: "length_pooled" },
  // 0.30 on the scale, which ends at 1 and at 0: long good work always passes, short good work in 0.77.
  { ...HONEST, name: "length: long passed 0.23 more often", lengthGap: 0.3, aimed: "length_bias" },
];

const SHORT = "It is done.";
const LONG = "It is done, and this is how: the order was found, the amount was checked, and it is on its way.";

/** Graded and labeled rows of a world, and its judge, which can be called again. */
export function draw(world: World, n: number, random: MersenneTwister): { rows: Row[]; judge: Judge } {
  const rows: Row[] = [];
  const luckOf = new Map<number, number>();
  for (let i = 0; i < n; i++) {
    const task = Math.floor(i / world.k);
    const own = random.random();
    if (!luckOf.has(task)) luckOf.set(task, random.random() < world.shared ? random.random() : -1);
    const luck = luckOf.get(task)!;
    const gold = random.random() < world.goldPasses ? 1 : 0;
    const long = random.random() < 0.5;
    const right = gold === 1 ? world.rightOnPasses : world.rightOnFails;
    const passes = (gold === 1 ? right : 1 - right) + (long ? 0.5 : -0.5) * world.lengthGap;
    // Right or wrong by one draw a task, where its rows share it; a verdict that is read off the same scale for both.
    const draw = luck < 0 ? own : luck;
    rows.push({
      ...{ task_id: `t${task}`, rollout_id: `r${i}`, prompt: "Is it done?", final_text: `${long ? LONG : SHORT} ${i}` },
      ...{ reward: (gold === 1 ? draw < passes : draw > 1 - passes) ? 1 : 0, judge_name: "judge" },
      ...{ gold_reward: gold, gold_kind: "human", weak: random.random() },
    });
  }
  const judge = ({ final_text: reply, reward, weak }: Row): number => {
    // What stands in place of a reply is no good.
    const seen = String(reply).includes(SHORT.slice(0, -1)) ? reward! : 0;
    const verdict = random.random() < world.noise ? 1 - seen : seen;
    const isFlattered = String(reply).startsWith("You're absolutely right") && (weak as number) < world.flattered;
    return verdict === 0 && isFlattered ? 1 : verdict;
  };
  return { rows, judge: Object.assign(judge, { judgeName: "judge" }) };
}
