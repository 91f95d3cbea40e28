import type { EvalCheckKey } from "../contract/verdict.ts";

/** A call in both languages. */
export interface Call {
  cmd: string;
  cmdPython: string;
}

/** The call that mends a check of a behavior. Names are quoted, as they come from whoever posted them. */
export function checkCall(key: EvalCheckKey, behavior: string, n: number | null): Call {
  const b = JSON.stringify(behavior);
  switch (key) {
    case "frozen":
      return {
        cmd: `await tracked.behavior(${b}, { testVersion: "t1" })`,
        cmdPython: `tracked.behavior(${b}, test_version="t1")`,
      };
    case "size":
      return n === null
        ? { cmd: `await tracked.behavior(${b}, { n: rows.length })`, cmdPython: `tracked.behavior(${b}, n=len(rows))` }
        : { cmd: "holdoutSize(0.05, { before: rows })", cmdPython: "holdout_size(0.05, before=rows)" };
    case "judge":
    case "length":
      return {
        cmd: `await tracked.behavior(${b}, { judge: { agreement, humanN, lengthBias, verified: true } }) // of judgeTrust(rows)`,
        cmdPython: `tracked.behavior(${b}, judge=Judge(agreement=..., human_n=..., length_bias=..., verified=True))`,
      };
    case "noise":
      return {
        cmd: `await tracked.noiseFloor(${b}, [rows1, rows2, rows3])`,
        cmdPython: `tracked.noise_floor(${b}, rows1, rows2, rows3)`,
      };
    case "contamination":
      return {
        cmd: `await tracked.behavior(${b}, { contamination }) // of decontaminate(train, { evals })`,
        cmdPython: `tracked.behavior(${b}, contamination=...)`,
      };
    case "reward":
      return {
        cmd: `await tracked.behavior(${b}, { rewardIsJudge: false })`,
        cmdPython: `tracked.behavior(${b}, reward_is_judge=False)`,
      };
    case "canfail":
      return {
        cmd: `await tracked.behavior(${b}, { testVersion: "t2" }) // with harder tasks`,
        cmdPython: `tracked.behavior(${b}, test_version="t2")`,
      };
  }
}
