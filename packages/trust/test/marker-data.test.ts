import { existsSync, readFileSync } from "node:fs";
import type { Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import { groundingReport, styleReport, ungroundedArguments } from "../src/index.ts";

const DATA = new URL("../../../../shared/data/trajectories/", import.meta.url);

function rowsOf(name: string): Row[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, DATA), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
}

/** The rules of the agent, which the rows leave out to save room. */
function withPolicy(rows: Row[]): Row[] {
  const system_prompt = readFileSync(new URL("tau_airline_policy.md", DATA), "utf8");
  return rows.map((row) => ({ ...row, system_prompt }));
}

describe.skipIf(!existsSync(DATA))(
  "real trajectories (skipped where the sample data is not beside the checkout)",
  () => {
    const AIRLINE = [
      ...[["feel free to ask", 59] as const, ["certainly!", 4] as const, ["of course!", 4] as const],
      ...[["happy to help", 3] as const, ["let me know if there's anything else", 2] as const],
    ];

    test.each([
      // file, hits by v1, hits by v2, phrases of v1
      ["tau_airline", [64, 0, 7, 0, 24], [84, 0, 7, 0, 26], { no_boilerplate: AIRLINE }],
      ["code_agents", [0, 0, 0, 0, 0], [1, 0, 0, 0, 0], {}],
      [
        "aider_replies",
        [19, 0, 0, 1, 0],
        [21, 0, 0, 1, 0],
        { no_boilerplate: [["certainly!", 19]], no_sycophancy: [["you're right", 1]] },
      ],
    ])("habits of speech in %s", (name, v1, v2, phrases) => {
      const rows = rowsOf(name);
      const hitsBy = (rules: "v1" | "v2") =>
        Array.from(styleReport(rows, { rules }).markers.values(), ({ hits }) => hits);
      expect(hitsBy("v1")).toEqual(v1);
      expect(hitsBy("v2")).toEqual(v2);
      const { markers } = styleReport(rows, { rules: "v1" });
      for (const [marker, top] of Object.entries(phrases)) expect(markers.get(marker)!.topPhrases).toEqual(top);
    });

    test.each<[options: { policy?: true; ignoreKeys?: string[] }, n: number]>([
      // options, rows without a made-up argument by v1
      [{}, 33],
      [{ ignoreKeys: ["thought", "expression", "summary"] }, 66],
      [{ ignoreKeys: ["thought", "expression", "summary"], policy: true }, 67],
    ])("grounding of the airline's agent by v1, %j", ({ policy, ...options }, n) => {
      const rows = policy === true ? withPolicy(rowsOf("tau_airline")) : rowsOf("tau_airline");
      const report = groundingReport(rows, { ...options, rules: "v1" });
      expect(report).toMatchObject({ rows: 100, rowsWithCalls: 85, groundedRate: n / 100 });
    });

    test("v2 calls seven airline rows made up: two use a card nobody has, one goes where nobody asked, four lost a result", () => {
      const made = withPolicy(rowsOf("tau_airline")).flatMap((row) => {
        const [first] = ungroundedArguments(row);
        return first === undefined ? [] : [`${row.scenario_id?.slice(12)}#${row.rollout_index} ${first.value}`];
      });
      expect(made).toEqual([
        ...["3#1 HAT229", "3#3 HAT290", "10#3 LAX", "11#1 G72NSF", "13#2 HAT030"],
        ...["20#1 credit_card_5634230", "20#3 credit_card_5634230"],
      ]);
      for (const name of ["code_agents", "aider_replies"]) expect(groundingReport(rowsOf(name)).groundedRate).toBe(1);
    });

    test("refusals of the airline's agent, most of which its policy demands", () => {
      const { markers } = styleReport(rowsOf("tau_airline"), { rules: "v1" });
      expect(markers.get("answered")!.topPhrases).toEqual([
        ["i'm unable to", 18],
        ["i am unable to", 5],
        ["i cannot assist", 2],
      ]);
    });

    test("six of the replies to aider's author are in French, and are not read", () => {
      expect(styleReport(rowsOf("aider_replies")).languages).toEqual(
        new Map([
          ["en", 37],
          ["fr", 6],
        ]),
      );
    });
  },
);
