import { expect, test } from "vitest";
import { optimize } from "./optimize.ts";

const rows = [1, 0].map((reward, i) => ({ task_id: "t", prompt: "ask", final_text: `Reply ${i}.`, reward }));

test("the mode is the one asked for, else the source's, else rl", () => {
  expect(optimize(rows).mode).toBe("rl");
  expect(optimize({ rows, mode: "sft" }).mode).toBe("sft");
  expect(optimize({ rows, mode: "sft" }, { mode: "rl" }).mode).toBe("rl");
  expect(optimize({ rows, mode: "grpo" }).mode).toBe("rl");
  expect(() => optimize(rows, { mode: "dpo" as never })).toThrow("mode is dpo. mode must be rl or sft.");
});

test("what the source knows beside its rows comes along", () => {
  const tools = [{ type: "function", function: { name: "get" } }];
  const systemPrompts = new Map([["sha", "Be brief."]]);
  const { report, rows: selected, ...context } = optimize({ rows, systemPrompt: "Be brief.", systemPrompts, tools });
  expect(context).toEqual({ mode: "rl", systemPrompt: "Be brief.", systemPrompts, tools });
  expect(report.nSelected).toBe(selected.length);
});

test("an agent without tools cannot have failed to call one", () => {
  const ungraded = [{ prompt: "cancel order A1001", final_text: "Ok." }];
  expect(optimize({ rows: ungraded }, { mode: "rl" }).report.gates.do_nothing).toBe(1);
  expect(optimize({ rows: ungraded, tools: [] }, { mode: "rl" }).report.gates.do_nothing).toBe(0);
});

test("an option of the other mode is refused, and a mistyped one too", () => {
  expect(() => optimize(rows, { mode: "sft", band: [0, 1] } as never)).toThrow(
    "band is an option of mode rl, and the mode is sft. Leave it out, or pass mode rl.",
  );
  expect(() => optimize({ rows, mode: "sft" }, { order: "middle" })).toThrow(/order is an option of mode rl/);
  expect(() => optimize(rows, { minRewrd: 1 } as never)).toThrow(/no option minRewrd/);
});
