import { expect, test } from "vitest";
import { PlatformClient } from "./client.ts";
import { PlatformError } from "./platform-error.ts";

function platform({ oneStep = false, gone = [] as string[], stuck = [] as string[] } = {}) {
  const calls: string[] = [];
  const refuse = (status: number, code: "not_found" | "in_progress") => {
    throw new PlatformError(code, `answered ${status}.`, "", { status });
  };
  const transport = async (method: string, path: string, body: unknown) => {
    calls.push(`${method} ${path}`);
    if (path.endsWith("/purge"))
      return oneStep
        ? { agent: "bot", traces: 3, datasets: 1, deleted: !(body as { dryRun: boolean }).dryRun }
        : refuse(404, "not_found");
    if (path.startsWith("/traces?")) {
      return path.includes("page=1")
        ? { traces: [{ traceId: "t1" }, { traceId: "t2" }], pages: 2 }
        : { traces: [{ traceId: "t3" }], pages: 2 };
    }
    if (path === "/datasets")
      return {
        datasets: [
          { datasetId: "ds_1", agent: "bot" },
          { datasetId: "ds_2", agent: "bot-2" },
        ],
      };
    if (gone.some((id) => path.endsWith(id))) return refuse(404, "not_found");
    if (stuck.some((id) => path.endsWith(id))) return refuse(409, "in_progress");
    return {};
  };
  return { calls, client: new PlatformClient({ apiUrl: "https://host", transport, env: {} }) };
}

test("in one step where the platform offers it", async () => {
  const { calls, client } = platform({ oneStep: true });
  expect(await client.purgeAgent("  Bot ")).toEqual({
    agent: "bot",
    traces: 3,
    datasets: 1,
    deleted: true,
    failed: [],
  });
  expect(calls).toEqual(["POST /agents/bot/purge"]);
});

test("else one by one: traces of every page, its datasets, then the agent", async () => {
  const { calls, client } = platform();
  expect(await client.purgeAgent("bot")).toEqual({ agent: "bot", traces: 3, datasets: 1, deleted: true, failed: [] });
  expect(calls.filter((call) => call.startsWith("DELETE"))).toEqual([
    ...["DELETE /traces/t1", "DELETE /traces/t2", "DELETE /traces/t3", "DELETE /datasets/ds_1", "DELETE /agents/bot"],
  ]);
});

test("a dry run counts and deletes nothing", async () => {
  const { calls, client } = platform();
  expect(await client.purgeAgent("bot", { dryRun: true })).toMatchObject({ traces: 3, datasets: 1, deleted: false });
  expect(calls.some((call) => call.startsWith("DELETE"))).toBe(false);
});

test("what is gone needs no deleting, and what cannot be deleted is named while the rest goes on", async () => {
  const { client } = platform({ gone: ["t2"], stuck: ["ds_1"] });
  expect(await client.purgeAgent("bot")).toMatchObject({
    deleted: false,
    failed: [{ id: "ds_1", reason: "answered 409." }],
  });
});

test("an agent without a name is refused", async () => {
  await expect(platform().client.purgeAgent("  ")).rejects.toMatchObject({ code: "bad_value" });
});
