import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openPostgres, openSqlite } from "../../server/src/db/open-database.ts";
import { cpuMsOf } from "./cpu-of.ts";
import { seedPlatform } from "./platform-seed.ts";
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

/** Writes of each kind: enough that one slow write of the disk does not show. */
const WRITES = 200;

/** Points, scores and rows of runs, and the pages of an agent with 1,000 runs and 1,000,000 points, over HTTP. */
export async function platformCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: "string", default: "1000" },
      points: { type: "string", default: "1000" },
      rows: { type: "string", default: "20000" },
      database: { type: "string" },
    },
  });
  const sizes = { runs: Number(values.runs), points: Number(values.points), rows: Number(values.rows) };
  const data = mkdtempSync(join(tmpdir(), "while-platform-bench-"));
  const database =
    values.database === undefined ? openSqlite(join(data, "while.db")) : await openPostgres(values.database);
  const seeded = await seedPlatform(database, data, sizes);
  await database.close();
  const server = await startServer(data, { database: values.database });
  const pid = server.child.pid as number;
  try {
    const call = (method: string, path: string, body?: unknown) =>
      fetch(server.url + path, {
        method,
        headers: { "x-api-key": seeded.key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const table: string[][] = [];
    async function measure(
      what: string,
      unit: string,
      perCall: number,
      calls: number,
      one: (i: number) => Promise<Response>,
    ) {
      const before = cpuMsOf(pid);
      const { seconds, times } = await load(calls, one);
      table.push([
        what,
        `${Math.round((times.length * perCall) / seconds)} ${unit}`,
        quantile(times, 0.5),
        quantile(times, 0.99),
        ((cpuMsOf(pid) - before) / calls).toFixed(1),
        `${residentMb(pid)}`,
      ]);
    }

    await (await call("POST", "/agents", { id: "bench", name: "bench" })).text();
    await measure("open a run", "runs/s", 1, WRITES, (i) =>
      call("POST", "/runs", { agent: "bench", version: `v${i}`, id: `bench-${i}`, targets: ["refunds"] }),
    );
    await measure(`points, ${POINTS_A_CALL} a call`, "points/s", POINTS_A_CALL, 2 * WRITES, (i) =>
      call("POST", `/runs/bench-${i % WRITES}/train`, pointsFrom(Math.floor(i / WRITES) * POINTS_A_CALL)),
    );
    await measure("a score", "scores/s", 1, WRITES, (i) =>
      call("POST", `/runs/bench-${i}/evals`, [
        { behavior: "refunds", score: 50 + (i % 40), ci: 3, n: 200, testVersion: "t1" },
      ]),
    );
    await measure(`${ROWS_A_SCORE} rows of a score`, "rows/s", ROWS_A_SCORE, WRITES / 2, (i) =>
      call("POST", `/runs/bench-${i}/evals/refunds/rows`, { rows: GRADED, offset: 0 }),
    );

    const agent = `/agents/${seeded.agent}`;
    const runs = `/runs?agent=${seeded.agent}&limit=50`;
    const rows = `/runs/${seeded.runIds.newest}/evals/refunds`;
    const reads: [what: string, path: string, calls: number][] = [
      [`dashboard of ${sizes.runs} runs`, `${agent}/dashboard`, 100],
      ["verdict", `${agent}/verdict`, 100],
      ["brief", `${agent}/brief`, 50],
      ["list of runs, 50 a page", runs, 200],
      ["the same by score", `${runs}&sort=score&behavior=refunds`, 200],
      [`a curve of ${sizes.points} points`, `/runs/${seeded.runIds.newest}/curve`, 200],
      [`rows of ${sizes.rows} that failed`, `${rows}/rows?ok=0&limit=50`, 100],
      ["rows that failed, by words", `${rows}/rows?ok=0&q=order%204711&limit=50`, 100],
      ["rows counted by tag and reason", `${rows}/rows/summary`, 50],
      ["rows between two numbers", `${rows}/rows?min.seconds=100&max.seconds=120&limit=50`, 50],
      ["the same, counted", `${rows}/rows/summary?min.seconds=100&max.seconds=120`, 50],
      ["rows by task", `${rows}/tasks?limit=50`, 50],
      ["rows beside another run's", `${rows}/flips?against=${seeded.runIds.served}`, 20],
    ];
    for (const [what, path, calls] of reads) await measure(what, "reads/s", 1, calls, () => call("GET", path));
    const kind = values.database === undefined ? "SQLite" : "PostgreSQL";
    const size = `${sizes.runs} runs, ${sizes.runs * sizes.points} points`;
    process.stdout.write(`${kind}, ${size}, ${CONCURRENCY} requests at once\n\n`);
    printTable(["call", "rate", "p50 ms", "p99 ms", "CPU ms", "server MB"], table);
  } finally {
    server.child.kill("SIGTERM");
    rmSync(data, { recursive: true, force: true });
  }
}

function pointsFrom(from: number) {
  return Array.from({ length: POINTS_A_CALL }, (_, k) => ({
    step: from + k,
    loss: 2 / (from + k + 1),
    reward: (from + k) / 1000,
    kl: 0.01,
  }));
}

const GRADED = Array.from({ length: ROWS_A_SCORE }, (_, k) => ({
  ok: k % 3 > 0,
  prompt: `Refund order ${k}`,
  reply: "Done. ".repeat(20),
  tags: { difficulty: k % 2 ? "hard" : "easy" },
}));
