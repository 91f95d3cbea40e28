import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { printTable } from "./print-table.ts";
import { residentMb, startServer } from "./start-server.ts";

/** Requests at once: a few trainers and pages. */
const CONCURRENCY = 8;
const POINTS_A_CALL = 100;
const ROWS_A_SCORE = 500;

interface Load {
  seconds: number;
  /** Milliseconds of each call, sorted. */
  times: number[];
}

async function load(calls: number, one: (i: number) => Promise<Response>): Promise<Load> {
  const times: number[] = [];
  let next = 0;
  const began = performance.now();
  const worker = async () => {
    for (;;) {
      const i = next++;
      if (i >= calls) return;
      const sent = performance.now();
      const response = await one(i);
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${text}`);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { seconds: (performance.now() - began) / 1000, times: times.sort((a, b) => a - b) };
}

const quantile = (times: readonly number[], q: number) =>
  (times[Math.min(times.length - 1, Math.floor(q * times.length))] as number).toFixed(1);

/** Points, scores with rows, and pages of an agent with 1,000 runs and 1,000,000 points, over HTTP. */
export async function platformCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: "string", default: "1000" },
      points: { type: "string", default: "1000" },
      database: { type: "string" },
    },
  });
  const [runs, pointsARun] = [Number(values.runs), Number(values.points)];
  const data = mkdtempSync(join(tmpdir(), "while-platform-bench-"));
  const server = await startServer(data, { database: values.database });
  try {
    const call = (method: string, path: string, body?: unknown) =>
      fetch(server.url + path, {
        method,
        headers: { "x-api-key": server.key as string },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const rows: string[][] = [];
    const report = (what: string, unit: string, perCall: number, { seconds, times }: Load) =>
      rows.push([
        what,
        `${Math.round((times.length * perCall) / seconds)} ${unit}`,
        quantile(times, 0.5),
        quantile(times, 0.99),
        `${residentMb(server.child.pid as number)}`,
      ]);

    await (await call("POST", "/agents", { id: "bench", name: "bench" })).text();
    await (await call("PUT", "/agents/bench/behaviors/refunds", { testVersion: "t1", n: 200, noiseFloor: 2 })).text();
    report(
      "open a run",
      "runs/s",
      1,
      await load(runs, (i) =>
        call("POST", "/runs", { agent: "bench", version: `v${i}`, id: `run-${i}`, targets: ["refunds"] }),
      ),
    );

    const callsARun = Math.ceil(pointsARun / POINTS_A_CALL);
    const batch = (from: number) =>
      Array.from({ length: POINTS_A_CALL }, (_, k) => ({
        step: from + k,
        loss: 2 / (from + k + 1),
        reward: (from + k) / pointsARun,
        kl: 0.01,
      }));
    report(
      `points, ${POINTS_A_CALL} a call`,
      "points/s",
      POINTS_A_CALL,
      await load(runs * callsARun, (i) =>
        call("POST", `/runs/run-${i % runs}/train`, batch(Math.floor(i / runs) * POINTS_A_CALL)),
      ),
    );

    report(
      "a score",
      "scores/s",
      1,
      await load(runs, (i) =>
        call("POST", `/runs/run-${i}/evals`, [
          { behavior: "refunds", score: 50 + (i % 40), ci: 3, n: 200, testVersion: "t1" },
        ]),
      ),
    );
    const graded = Array.from({ length: ROWS_A_SCORE }, (_, k) => ({
      ok: k % 3 > 0,
      prompt: `Refund order ${k}`,
      reply: "Done. ".repeat(20),
      tags: { difficulty: k % 2 ? "hard" : "easy" },
    }));
    report(
      `${ROWS_A_SCORE} rows of a score`,
      "rows/s",
      ROWS_A_SCORE,
      await load(200, (i) => call("POST", `/runs/run-${i % runs}/evals/refunds/rows`, { rows: graded, offset: 0 })),
    );
    await (await call("POST", "/agents/bench/promote", { version: "v0" })).text();

    report(`dashboard at ${runs} runs`, "reads/s", 1, await load(100, () => call("GET", "/agents/bench/dashboard")));
    report("brief of them", "reads/s", 1, await load(50, () => call("GET", "/agents/bench/brief")));
    report("list of runs, 50 a page", "reads/s", 1, await load(200, () => call("GET", "/runs?agent=bench&limit=50")));
    report(
      "the same by score",
      "reads/s",
      1,
      await load(200, () => call("GET", "/runs?agent=bench&limit=50&sort=score&behavior=refunds")),
    );
    report(
      `a curve of ${pointsARun} points`,
      "reads/s",
      1,
      await load(200, (i) => call("GET", `/runs/run-${i % runs}/curve?points=500`)),
    );
    report(
      `one run with ${pointsARun} points`,
      "reads/s",
      1,
      await load(200, (i) => call("GET", `/runs/run-${i % runs}`)),
    );
    report(
      "rows that failed, by words",
      "reads/s",
      1,
      await load(200, (i) =>
        call("GET", `/runs/run-${i % Math.min(200, runs)}/evals/refunds/rows?ok=0&q=order&limit=50`),
      ),
    );
    report(
      "500 rows beside 500 of another run",
      "reads/s",
      1,
      await load(100, (i) => call("GET", `/runs/run-${i % 100}/evals/refunds/flips?against=run-${(i % 100) + 1}`)),
    );
    process.stdout.write(
      `${values.database === undefined ? "SQLite" : "PostgreSQL"}, ${runs} runs, ${runs * callsARun * POINTS_A_CALL} points, ${CONCURRENCY} requests at once\n\n`,
    );
    printTable(["call", "rate", "p50 ms", "p99 ms", "server MB"], rows);
  } finally {
    server.child.kill("SIGTERM");
    rmSync(data, { recursive: true, force: true });
  }
}
