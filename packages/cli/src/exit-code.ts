/** What a script reads of a command. 1 and 2 are answers, 3 is none. */
export type ExitCode = 0 | 1 | 2 | 3;

export const EXIT: { readonly holds: 0; readonly doesNotHold: 1; readonly cannotTell: 2; readonly failed: 3 } = {
  /** The check holds, or the work is done. */
  holds: 0,
  /** The check was made and does not hold. */
  doesNotHold: 1,
  /** Not measured, inconclusive, too little data. */
  cannotTell: 2,
  /** The command itself failed: a flag, a file. */
  failed: 3,
};

/** From best to worst: what could not be told is worse news than what holds, and better than what does not. */
const WORST_LAST: readonly ExitCode[] = [EXIT.holds, EXIT.cannotTell, EXIT.doesNotHold, EXIT.failed];

/** The code of a command that makes several checks. */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return codes.reduce<ExitCode>(
    (worst, code) => (WORST_LAST.indexOf(code) > WORST_LAST.indexOf(worst) ? code : worst),
    EXIT.holds,
  );
}
