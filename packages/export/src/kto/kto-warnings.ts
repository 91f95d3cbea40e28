import type { FormatSpec } from "../formats/format-spec.ts";
import type { ExportWarning } from "../report/export-report.ts";
import type { KtoReport } from "./kto-report.ts";

/** What to know before training on judged replies. */
export function ktoWarnings(
  report: KtoReport,
  {
    spec,
    nRefused,
    problems,
    unsafeIntegers,
  }: { spec: FormatSpec; nRefused: number; problems: readonly string[]; unsafeIntegers: number },
): ExportWarning[] {
  const { n, nDesirable, nUndesirable, privilegedLeaks: leaks, toolCallRoundtrip: calls, unstable } = report;
  const found: [string, boolean, () => string][] = [
    [
      "privileged_leak",
      leaks.desirable + leaks.undesirable > 0,
      () => `${leaks.desirable} wanted and ${leaks.undesirable} unwanted replies quote their own privileged block.`,
    ],
    [
      "tool_call_roundtrip_invalid",
      calls.invalid > 0,
      () =>
        `${calls.invalid} of ${calls.checked} tool calls do not read back as an object; they were exported because validate is off.`,
    ],
    ["consumer_refuses", nRefused > 0, () => `${spec.name} would refuse ${nRefused} replies: ${problems.join("; ")}.`],
    [
      "one_class",
      n > 0 && (nDesirable === 0 || nUndesirable === 0),
      () => `${nDesirable} replies are wanted and ${nUndesirable} are not: KTO learns from both.`,
    ],
    [
      "schema_mismatch",
      calls.schemaMismatch > 0,
      () => `${calls.schemaMismatch} of ${calls.checked} tool calls do not fit the schemas beside them.`,
    ],
    ["unstable_columns", unstable.length > 0, () => `Columns without one type over all rows: ${unstable.join(", ")}.`],
    [
      "unsafe_integers",
      unsafeIntegers > 0,
      () => `${unsafeIntegers} integers are too large for a double: text under an id, rounded elsewhere.`,
    ],
  ];
  const warnings = found.flatMap(([code, applies, text]) => (applies ? [{ code, text: text() }] : []));
  for (const { name, code, says } of spec.counts ?? []) {
    const count = report[name] ?? 0;
    if (count > 0) warnings.push({ code, text: says(count) });
  }
  return warnings;
}
