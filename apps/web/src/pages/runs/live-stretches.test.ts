import { expect, test } from "vitest";
import { liveStretches, promotionsOnDays } from "./live-stretches.ts";

test.each([
  [[], []],
  [["v2"], [{ version: "v2", from: 0, to: 0 }]],
  [
    ["v2", "v2", "v3", null, "v3"],
    [
      { version: "v2", from: 0, to: 1 },
      { version: "v3", from: 2, to: 2 },
      { version: null, from: 3, to: 3 },
      { version: "v3", from: 4, to: 4 },
    ],
  ],
])("days of %j", (version, stretches) => expect(liveStretches({ version })).toEqual(stretches));

test("a promotion stands on its day, and one before the first day stands nowhere", () => {
  const entry = (at: string) => ({ version: "v", previous: null, reason: null, by: null, verdict: null, at });
  const days = ["2026-09-01", "2026-09-02"];
  expect(
    promotionsOnDays({ days }, [entry("2026-09-02T10:00:00.000Z"), entry("2026-08-01T10:00:00.000Z")]).map(
      ({ at }) => at,
    ),
  ).toEqual([1]);
});
