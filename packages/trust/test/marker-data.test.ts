import { existsSync, readFileSync } from "node:fs";
import type { Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import { styleReport } from "../src/index.ts";

const DATA = new URL("../../../../shared/data/trajectories/", import.meta.url);

function rowsOf(name: string): Row[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, DATA), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
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
        [20, 0, 0, 1, 0],
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
