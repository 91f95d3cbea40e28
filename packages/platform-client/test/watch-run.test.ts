import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { PlatformClient, type RunEvent } from "../src/index.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A platform whose nth connection is answered by the nth of `streams`. */
async function streaming(...streams: ((response: ServerResponse) => void)[]) {
  const asked: (string | string[] | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers["last-event-id"]);
    const stream = streams[asked.length - 1];
    if (stream === undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "No run.", code: "not_found" }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    stream(response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, client: new PlatformClient({ apiUrl, apiKey: "k", env: {} }) };
}

async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

const point = (step: number, id: number) => `event: point\nid: ${id}\ndata: {"step":${step}}\n\n`;
const status = (word: string, id: number) =>
  `event: status\nid: ${id}\ndata: {"status":"${word}","steps":null,"totalSteps":null}\n\n`;

test("a run is watched to its end, in whatever pieces its events arrive", async () => {
  const { client } = await streaming((response) => {
    const text = `retry: 10\n\n: still here\n\n${point(1, 1)}${status("running", 1).replaceAll("\n", "\r\n")}${status("done", 2)}`;
    for (const piece of text.match(/[\s\S]{1,7}/g)!) response.write(piece);
    response.end();
  });
  const events = await collect(client.watchRun("run_1"));
  expect(
    events.map(({ type, data }) => [type, "step" in data ? data.step : "status" in data ? data.status : null]),
  ).toEqual([
    ["point", 1],
    ["status", "running"],
    ["status", "done"],
  ]);
});

test("a connection that breaks goes on after the last update that was whole", async () => {
  const { asked, client } = await streaming(
    (response) => {
      response.write(point(1, 4) + status("running", 4) + point(2, 5), () => response.destroy());
    },
    (response) => response.end(point(2, 5) + status("done", 5)),
  );
  const events = await collect(client.watchRun("run_1", { retryMs: 1 }));
  expect(asked).toEqual(["0", "4"]);
  expect(events.at(-1)).toMatchObject({ type: "status", data: { status: "done" } });
  expect(new Set(events.flatMap(({ type, data }) => (type === "point" ? [data.step] : [])))).toEqual(new Set([1, 2]));
});

test("an event that is no JSON is refused, and not asked for again", async () => {
  const { asked, client } = await streaming((response) => response.end("event: point\ndata: {oops\n\n"));
  await expect(collect(client.watchRun("run_1"))).rejects.toMatchObject({ code: "bad_answer" });
  expect(asked).toHaveLength(1);
});

test("a run that is not there is refused, and a signal ends the watching", async () => {
  const { client } = await streaming();
  await expect(collect(client.watchRun("run_9"))).rejects.toMatchObject({ code: "not_found", status: 404 });
  const open = await streaming((response) => void response.write(status("running", 1)));
  const stop = new AbortController();
  const seen: RunEvent[] = [];
  for await (const event of open.client.watchRun("run_1", { signal: stop.signal })) {
    seen.push(event);
    stop.abort();
  }
  expect(seen).toHaveLength(1);
});
