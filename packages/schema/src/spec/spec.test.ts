import fc from "fast-check";
import { expect, test } from "vitest";
import { formatSpec } from "./format-spec.ts";
import { loadSpec, type SpecInput, specVersion } from "./load-spec.ts";
import { specBehaviors, specPrinciple, stampSpec } from "./spec-parts.ts";
import { specReport } from "./spec-report.ts";

const HONEST = { id: "honest", name: "Honest", principle: "Say what happened.", authority: "must" };

test.each<[string, SpecInput]>([
  ["an object", { id: "s", traits: [HONEST] }],
  ["its principles", { id: "s", principles: [HONEST] }],
  ["traits by id", { id: "s", traits: { honest: { name: "Honest", body: "Say what happened.", authority: "must" } } }],
  ["JSON text", JSON.stringify({ id: "s", traits: [HONEST] })],
  ["a spec that was loaded", loadSpec({ id: "s", traits: [HONEST] })],
  ["a file's name for an id", { source: "s", traits: [HONEST] }],
])("a spec may be %s", (_what, input) => {
  expect(loadSpec(input)).toMatchObject({ id: "s", traits: [{ ...HONEST, examples: [] }], warnings: [] });
  expect(specVersion(input)).toBe(specVersion({ id: "s", traits: [HONEST] }));
});

test("sentences alone are traits; ids, names and places name them", () => {
  expect(specBehaviors(loadSpec(["Be kind.", { name: "Brief", principle: "p" }, { principle: "q" }]))).toEqual([
    "trait_0",
    "Brief",
    "trait_2",
  ]);
  expect(loadSpec({ traits: { kind: "Be kind." } }).traits).toEqual([
    { id: "kind", name: "", principle: "Be kind.", authority: "should", examples: [] },
  ]);
  expect(loadSpec(["Be kind."], { specId: "mine" }).id).toBe("mine");
});

const traits = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1 }),
    name: fc.string(),
    principle: fc.string(),
    authority: fc.constantFrom("must", "may"),
  }),
  {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 4,
  },
);

test("every edit of a trait is another version, and examples are none", () => {
  fc.assert(
    fc.property(traits, fc.constantFrom("id", "name", "principle", "authority"), (list, field) => {
      const version = specVersion(list);
      expect(version).toMatch(/^[0-9a-f]{12}$/);
      const edited = [{ ...list[0]!, [field]: `${list[0]![field as "id"]}!` }, ...list.slice(1)];
      if (new Set(edited.map(({ id }) => id)).size === list.length) expect(specVersion(edited)).not.toBe(version);
      expect(specVersion(list.map((trait) => ({ ...trait, examples: ["e"] })))).toBe(version);
      expect(specVersion(JSON.stringify(list))).toBe(version);
    }),
  );
});

test("a version in the file is kept beside that of the content, with a warning when it is an old hash", () => {
  const { version } = loadSpec([HONEST]);
  const declaring = (declared: string) => loadSpec({ version: declared, traits: [HONEST] });
  expect(declaring("v2")).toMatchObject({ version, declaredVersion: "v2", warnings: [] });
  expect(declaring(version).warnings).toEqual([]);
  expect(declaring("0123456789ab").warnings.map(({ text }) => text)).toEqual([
    `The spec says version 0123456789ab and its content is version ${version}: it was edited since it was saved.`,
  ]);
});

test("a trait without a principle is said", () => {
  expect(loadSpec([HONEST, { id: "brief" }]).warnings).toEqual([
    { code: "empty_principle", text: "1 trait has no principle to judge by: brief." },
  ]);
});

test.each<[string, SpecInput, string]>([
  ["no traits", { id: "s" }, "The spec has no traits."],
  ["an empty list", [], "The spec has no traits."],
  ["two traits of one id", [HONEST, HONEST], 'two traits with the id "honest"'],
  ["a trait that is a number", ["a", 3], "Trait 1 is 3."],
  ["a trait by id that is nothing", { traits: { a: null } }, "Trait 0 is null."],
  ["text that is no JSON", "{oops", "The spec is not JSON"],
  ["JSON that is no spec", "3", "The spec is 3."],
])("refuses %s", (_what, input, said) => {
  expect(() => loadSpec(input)).toThrow(said);
});

test("a principle is found by the id of its trait, and rows carry id and version", () => {
  const spec = loadSpec({ id: "s", traits: [HONEST] });
  expect(specPrinciple(spec, "honest")).toBe("Say what happened.");
  expect(() => specPrinciple(spec, "brief")).toThrow('no trait "brief". Give one of honest.');
  const row = { task_id: "t" };
  expect(stampSpec([row], spec)).toEqual([{ task_id: "t", spec_id: "s", spec_version: spec.version }]);
  expect(row).toEqual({ task_id: "t" });
});

test("a spec as text: a line for each trait, a long principle cut, warnings behind them", () => {
  const report = specReport(
    loadSpec({ id: "s", source: "s.md", traits: [HONEST, { id: "long", principle: "ab ".repeat(60) }, ""] }),
  );
  expect(report).toMatchObject({ id: "s", file: "s.md", declaredVersion: null, traits: [{ nExamples: 0 }, {}, {}] });
  expect(formatSpec(report).split("\n")).toEqual([
    `spec s, version ${report.version}: 3 traits`,
    `  ${HONEST.id} (${HONEST.authority}) ${HONEST.principle}`,
    `  long (should) ${"ab ".repeat(33)}a...`,
    "  trait_2 (should)",
    "! 1 trait has no principle to judge by: trait_2.",
  ]);
});
