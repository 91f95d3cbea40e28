/** How one tool fails: in this way, in this share of its calls. */
export interface Fault {
  mode: string;
  /** 1 when left out. */
  rate?: number;
}

/** The scheduled failures of a task, by tool; `*` is every tool that has no entry of its own. */
export type FaultPlan = Readonly<Record<string, Fault>>;
