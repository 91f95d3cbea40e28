import type { EvalHealth } from "../contract/verdict.ts";

const MARK = new Map<boolean | null, string>([
  [true, "ok"],
  [false, "no"],
  [null, "--"],
]);

/** The verdict, then one line a check; what fails says what to do and by which call. */
export function formatEvalHealth({ name, verdict, good, total, checks }: EvalHealth): string {
  const lines = checks.map(({ ok, label, value, action, fix }) => {
    const line = `  ${MARK.get(ok)} ${label}: ${value}`;
    return ok === false ? `${line} -> ${action} (${fix})` : line;
  });
  return [`${name}: ${verdict} (${good} of ${total} checks pass)`, ...lines].join("\n");
}
