import { expect, test } from "vitest";
import { goldFindings } from "./gold-findings.ts";

const SOUND = { trusted: true, goldKind: "human", nUntrusted: 0, nTuned: 0 };

test.each<[string, object, string[]]>([
  ["nothing to say of people's gold", {}, []],
  [
    "gold of a model",
    { trusted: false, goldKind: "model" },
    ["untrusted_gold warn gold labels (model) measure no judge"],
  ],
  ["rows of others", { nUntrusted: 2 }, ["untrusted_left_out note 2 rows left out, whose marks are not by people"]],
  ["rows the judge was tuned on", { nTuned: 1 }, ["tuned_left_out note 1 row left out that the judge was tuned on"]],
])("%s", (_what, given, said) => {
  const found = goldFindings({ ...SOUND, ...given }, ["rate", "marks"]);
  expect(found.map(({ code, severity, message }) => `${code} ${severity} ${message}`)).toEqual(
    said.map((text) => expect.stringContaining(text)),
  );
});
