import type { Row } from "@while/schema";
import type { Judge } from "@while/trust";

const passes = (name: string, test: (row: Row) => boolean): Judge =>
  Object.assign((row: Row) => (test(row) ? 1 : 0), { judgeName: name });

/** Reads what was done: was the order paid back? */
export const trajectoryJudge: Judge = passes("trajectory", ({ steps }) =>
  (steps ?? []).some(({ tool }) => tool === "issue_refund"),
);

/** Reads what was said, and believes it. */
export const proseJudge: Judge = passes("prose", ({ final_text: text }) => /\bverified\b/.test(text ?? ""));
