import type { Row } from "@while/schema";
import fc from "fast-check";

const words = fc.constantFrom(
  "ok",
  "",
  "where is it?",
  "é😀",
  "<think>hm</think>4",
  "a\u2028b",
  "plan</think>5",
  " x ",
);
const leaf = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null), words);
const args = fc.dictionary(fc.constantFrom("id", "n", "2", "1", "__proto__", "note"), leaf, { maxKeys: 3 });
const step = fc.oneof(
  fc.record({ user: fc.constantFrom("and?", "thanks") }),
  fc.record({ text: words }),
  fc.record({ tool: fc.constantFrom("f", "g"), arguments: args, result: fc.oneof(words, args) }),
  fc.record({ tool: fc.constant("f"), arguments: args.map((value) => JSON.stringify(value)), text: words }),
);
/** One rollout. */
export const madeRow: fc.Arbitrary<Row> = fc
  .record(
    {
      prompt: fc.constantFrom("p", "q", "r"),
      scenario_id: fc.constantFrom("s1", "s2", "__proto__"),
      steps: fc.array(step, { maxLength: 5 }),
      final_text: words,
      opener: words,
      reward: fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true })),
      history: fc.oneof(words, fc.array(words, { maxLength: 2 })),
      usage: fc.dictionary(
        fc.constantFrom("in", "out"),
        fc.oneof(fc.nat(), fc.double({ min: 0, max: 9, noNaN: true })),
      ),
      lineage: fc.record({
        source: fc.constantFrom("grade", "eval"),
        hidden_state: words,
        deep: fc.record({ rubric: words }),
      }),
      privileged: fc.constant({ reference: "a secret that nobody says" }),
      faults: fc.dictionary(fc.constantFrom("f", "g"), fc.record({ mode: words, vector: words })),
    },
    { requiredKeys: ["prompt"] },
  )
  .map((made) => ({ ...made, prompt: made.prompt }) as Row);
/** A few rollouts with what rollouts come with: odd text, calls in any spelling, rewards of all kinds. */
export const madeRows: fc.Arbitrary<Row[]> = fc.array(madeRow, { minLength: 1, maxLength: 6 });
