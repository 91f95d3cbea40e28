import { gzipSync } from "node:zlib";
import { type Row, spansFromRows } from "@while/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";

const NOW = Date.now();
const ROWS: Row[] = [
  { scenario_id: "s1", prompt: "Refund order 1", final_text: "Done.", reward: 1 },
  { scenario_id: "s2", prompt: "Refund order 2\u2028now", final_text: "No.", reward: 0 },
];

describe.each(databases)("traces on $kind", ({ open }) => {
  let app: TestApp;
  let key: string;
  const call = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key });
  beforeAll(async () => {
    app = await withApp(await open());
    ({ key } = await app.account());
  });
  afterAll(() => app.close());

  test("an export makes the agent, and its rows fill the set of the day", async () => {
    const spans = spansFromRows(ROWS, { agent: "Support Bot", now: NOW });
    const { status, body } = await call("POST", "/v1/traces", spans);
    expect(status).toBe(202);
    expect(body).toMatchObject({ dataset: "Support Bot", rows: 2 });
    expect((await call("GET", "/agents")).body.agents).toMatchObject([{ id: "Support-Bot", traces: 2, datasets: 1 }]);
    expect((await call("GET", `/datasets/${body.datasetId}`)).body).toMatchObject({
      purpose: "raw",
      rows: 2,
      agent: "support-bot",
      status: "ready",
    });
    const { parts } = (await call("GET", `/datasets/${body.datasetId}/download`)).body;
    const texts = await Promise.all(
      (parts as string[]).map(async (part) => (await app.call("GET", part)).body as string),
    );
    expect(
      texts
        .join("")
        .split(/[\n\u0085\u2028\u2029]/)
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { prompt: "Refund order 1", final_text: "Done.", reward: 1 },
      { prompt: "Refund order 2\u2028now", reward: 0 },
    ]);
    expect((await call("GET", `/datasets/${body.datasetId}/profile`)).body.profile).toMatchObject({
      rows: 2,
      pass_rate: 0.5,
    });
  });

  test("the same export again changes nothing, packed or not", async () => {
    const spans = spansFromRows([{ prompt: "again", final_text: "x" }], { agent: "twice", now: NOW });
    const first = await call("POST", "/v1/traces", spans);
    await app.call("POST", "/v1/traces", gzipSync(JSON.stringify(spans)), {
      key,
      headers: { "content-encoding": "gzip" },
    });
    expect((await call("GET", `/datasets/${first.body.datasetId}`)).body.rows).toBe(1);
    expect((await call("GET", "/traces?agent=Twice&from=all&limit=200&page=1")).body).toMatchObject({
      page: 1,
      pages: 1,
      traces: [{ agent: "twice", rows: 1 }],
    });
  });

  test("a trace is deleted with its rows, an agent is purged with its traces", async () => {
    const { body } = await call("POST", "/v1/traces", spansFromRows(ROWS, { agent: "fleeting", now: NOW }));
    const { traces } = (await call("GET", "/traces?agent=fleeting")).body;
    expect((await call("DELETE", `/traces/${traces[0].traceId}`)).body).toMatchObject({ deleted: true });
    expect((await call("GET", `/datasets/${body.datasetId}`)).body.rows).toBe(1);
    expect((await call("POST", "/agents/fleeting/purge", { confirm: "fleeting" })).body).toEqual({
      agent: "fleeting",
      traces: 1,
      datasets: 1,
      deleted: true,
    });
    expect((await call("GET", "/traces?agent=fleeting")).body.traces).toEqual([]);
  });

  test.each([
    ["nothing", {}, "holds no spans"],
    ["an empty export", { resourceSpans: [] }, "holds no spans"],
    [
      "milliseconds for nanoseconds",
      {
        resourceSpans: [
          {
            scopeSpans: [
              {
                spans: [
                  {
                    traceId: "a1",
                    spanId: "b1",
                    name: "agent.run",
                    startTimeUnixNano: "1790000000000",
                    attributes: [],
                  },
                ],
              },
            ],
          },
        ],
      },
      "Multiply by 10^6",
    ],
  ])("%s is refused and nothing is stored", async (_, body, message) => {
    const refused = await call("POST", "/v1/traces", body);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toContain(message);
  });

  test("a published set is for everybody, and no longer when it is not", async () => {
    const { body } = await call("POST", "/v1/traces", spansFromRows(ROWS, { agent: "public", now: NOW }));
    expect((await call("POST", `/datasets/${body.datasetId}/publish`, { agent: "public" })).body).toMatchObject({
      rows: 2,
      agent: "public",
    });
    expect((await app.call("GET", "/catalog")).body).toMatchObject({
      datasets: [{ datasetId: body.datasetId }],
      agents: ["public"],
    });
    const grant = (await app.call("GET", `/catalog/${body.datasetId}/download`)).body;
    expect((await app.call("GET", grant.downloadUrl)).status).toBe(200);
    await call("POST", `/datasets/${body.datasetId}/unpublish`);
    expect(await app.call("GET", `/catalog/${body.datasetId}/download`)).toMatchObject({ status: 404 });
  });
});
