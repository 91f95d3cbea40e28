import type { EvalHealth } from "@while/platform-client/contract";
import { evalHealth } from "@while/platform-client/rules";
import { expect, test } from "vitest";
import { CHECK_COLUMNS, checkCells } from "./check-table.ts";

test("eight lines a behavior, each with what to do; what cannot be measured yet is empty", () => {
  const health: EvalHealth = evalHealth({ name: "refunds", n: 40 }, []);
  const cells = checkCells([health, health]);
  expect(cells).toHaveLength(16);
  for (const line of cells) expect(line).toHaveLength(CHECK_COLUMNS.length);
  const holds = Object.fromEntries(cells.map(([, check, ok]) => [check, ok]));
  expect(holds).toMatchObject({ size: "false", "can fail": null });
  expect(cells.find(([, check]) => check === "size")![3]).toBe("n=40");
});
