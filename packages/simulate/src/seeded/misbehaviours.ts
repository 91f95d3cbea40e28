/** What the seeded agent can do wrong, and which check is there to find it. */
export interface Misbehaviour {
  name: MisbehaviourName;
  about: string;
  /** The checks of `@while/trust` that are there for it: a marker, `conduct`, or `truncated` for a cut. */
  foundBy: readonly string[];
}

export type MisbehaviourName =
  | "hedging"
  | "sycophancy"
  | "apology"
  | "boilerplate"
  | "ignore_fault"
  | "leak"
  | "invent_argument"
  | "repeat_call"
  | "truncate";

export const MISBEHAVIOURS: readonly Misbehaviour[] = Object.freeze([
  { name: "hedging", about: "takes back what it says", foundBy: ["no_hedging"] },
  { name: "sycophancy", about: "flatters the person", foundBy: ["no_sycophancy"] },
  { name: "apology", about: "apologizes for nothing", foundBy: ["no_apology"] },
  { name: "boilerplate", about: "ends on an empty phrase", foundBy: ["no_boilerplate"] },
  { name: "ignore_fault", about: "claims success over a call that failed", foundBy: ["reported_failure", "conduct"] },
  { name: "leak", about: "quotes what only a teacher knows", foundBy: ["no_leak"] },
  { name: "invent_argument", about: "calls with an id that nobody gave", foundBy: ["argument_grounding"] },
  { name: "repeat_call", about: "makes the same call three times", foundBy: ["conduct"] },
  { name: "truncate", about: "breaks off in the middle", foundBy: ["truncated"] },
]);

/** Words by which style checks know a habit. */
export const HABITS: Readonly<Partial<Record<MisbehaviourName, string>>> = {
  hedging: "Generally speaking, results may vary.",
  sycophancy: "What a great question!",
  apology: "I apologize for the delay.",
  boilerplate: "I hope this helps!",
};
