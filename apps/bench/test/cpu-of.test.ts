import { expect, test } from "vitest";
import { cpuMsOf } from "../src/cpu-of.ts";

test("processor time of a process goes on while it works", () => {
  const before = cpuMsOf(process.pid);
  const { user, system } = process.cpuUsage();
  for (let own = 0; own < 60_000; ) {
    const now = process.cpuUsage();
    own = now.user + now.system - user - system;
  }
  expect(cpuMsOf(process.pid) - before).toBeGreaterThanOrEqual(40);
});
