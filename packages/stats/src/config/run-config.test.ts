import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { runConfig } from "./run-config.ts";

const config = (rows: Row[]) => runConfig(rows, { nTasks: 1, k: 1 });

test("settings that differ are null and named as on the wire, in a fixed order", () => {
  const rows: Row[] = [
    { writer_model: "w1", sampling: { temperature: 0.7, max_tokens: 512 }, policy_version: "m@a" },
    { writer_model: "w2", sampling: { temperature: 0.7, max_tokens: 1024 }, policy_version: "m@b" },
  ];
  const { mixed, temperature, maxTokens, policyVersion } = config(rows);
  expect(mixed).toEqual(["max_tokens", "policy_version", "prompt_hash", "writer_model"]);
  expect({ temperature, maxTokens, policyVersion }).toEqual({ temperature: 0.7, maxTokens: null, policyVersion: null });
});

test("absent means null, empty or, for the writer, pinned", () => {
  const rows: Row[] = [
    { policy_version: "", writer_model: "pinned", user_model: null },
    { policy_version: "v1", writer_model: "w", user_model: "u" },
  ];
  const { policyVersion, promptHash, writerModel, userModel, mixed } = config(rows);
  expect({ policyVersion, promptHash, writerModel, userModel, mixed }).toEqual({
    policyVersion: "v1",
    promptHash: null,
    writerModel: "w",
    userModel: "u",
    mixed: [],
  });
});

test("the judge's own version comes before the one in the lineage", () => {
  const row: Row = { judge_meta: { version: "j2" }, lineage: { judge_version: "j1" } };
  expect(config([row]).judgeVersion).toBe("j2");
});

test("shares are over the rows that could say so, to four digits", () => {
  const finished = ["stop", "length", "stop"].map((finish_reason): Row => ({ finish_reason }));
  const { truncatedShare, answeredShare, gradedShare } = config([...finished, { reward: 0.5 }]);
  expect({ truncatedShare, answeredShare, gradedShare }).toEqual({
    truncatedShare: 0.3333,
    answeredShare: null,
    gradedShare: 0.25,
  });
});

test("a setting that is an object is compared by what it holds, whatever the order of its keys", () => {
  const user = (user_model: object) => ({ user_model }) as unknown as Row;
  const same = config([
    user({ name: "u", options: { seed: 1, top_p: 0.9 } }),
    user({ options: { top_p: 0.9, seed: 1 }, name: "u" }),
  ]);
  expect(same).toMatchObject({ userModel: '{"name": "u", "options": {"seed": 1, "top_p": 0.9}}', mixed: [] });
  expect(config([user({ name: "u" }), user({ name: "v" })])).toMatchObject({ userModel: null, mixed: ["user_model"] });
});
