import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";

/**
 * What a gate says. `open`: it cannot tell. `warns`: worth reading, and nothing hangs on it. `skipped`: nobody asked,
 * or there is nothing to look at.
 */
export type GateOutcome = "holds" | "fails" | "open" | "warns" | "skipped";

/** A question that is asked of every file, and its answer. */
export interface RunGate {
  /** The verb that asks it alone. */
  verb: string;
  /** What is asked. */
  question: string;
  outcome: GateOutcome;
  /** The answer, as a sentence. */
  text: string;
  /** The command that mends it or says more; null when nothing is to be done. */
  next: string | null;
}

const EXIT_OF: Readonly<Record<GateOutcome, ExitCode>> = {
  holds: EXIT.holds,
  fails: EXIT.doesNotHold,
  open: EXIT.cannotTell,
  warns: EXIT.holds,
  skipped: EXIT.holds,
};

/** The exit code of a run: the worst of its gates. What could not be told is worse than what holds. */
export function exitOfGates(gates: readonly RunGate[]): ExitCode {
  return worstOf(gates.map(({ outcome }) => EXIT_OF[outcome]));
}

/** The same as a word. */
export function verdictOfGates(gates: readonly RunGate[]): "holds" | "fails" | "open" {
  const code = exitOfGates(gates);
  if (code === EXIT.holds) return "holds";
  return code === EXIT.cannotTell ? "open" : "fails";
}
