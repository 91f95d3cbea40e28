import { TrustError } from "../trust-error.ts";

/** `v1` is what the Python SDK stamps; `v2`, the default, reads words instead of letters and accuses with more care. */
export type MarkerRules = "v1" | "v2";

export const MARKER_RULES: readonly MarkerRules[] = ["v1", "v2"];

/** @throws TrustError `bad_option` for a rule set that does not exist */
export function checkMarkerRules(rules: MarkerRules): void {
  if (MARKER_RULES.includes(rules)) return;
  throw new TrustError(
    "bad_option",
    `There are no rules "${rules}".`,
    'Give "v2", or "v1" for those of the Python SDK.',
  );
}
