import type { Example } from "@while/platform-client/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";

const ROWS: Example[] = [
  { ok: true, tags: { difficulty: "easy" }, prompt: "Refund 100% of it", score: 0.9 },
  { ok: true, tags: { difficulty: "easy" } },
  { ok: false, tags: { difficulty: "easy" }, why: "said NO" },
  { ok: true, tags: { difficulty: "easy" } },
  { ok: true, tags: { difficulty: "easy" } },
  { ok: true, tags: { difficulty: "easy" } },
  { ok: false, tags: { difficulty: "hard" }, score: 0.1 },
  { ok: false, tags: { difficulty: "hard", "a_b%": "__proto__" } },
  { ok: true, tags: { difficulty: "hard" } },
  { ok: false, reply: "nul \0 inside" },
];

describe.each(databases)("graded rows on $kind", ({ open }) => {
  let app: TestApp;
  let key: string;
  let path: string;
  const call = (method: string, at: string, body?: unknown) => app.call(method, at, body, { key });
  const find = async (query: string) => (await call("GET", `${path}?${query}`)).body;

  beforeAll(async () => {
    app = await withApp(await open());
    ({ key } = await app.account());
    await call("POST", "/agents", { id: "bot", name: "bot" });
    const { id } = (await call("POST", "/runs", { agent: "bot", version: "v1" })).body;
    path = `/runs/${id}/evals/refunds/rows`;
    expect((await call("POST", path, { rows: ROWS.slice(0, 5), offset: 0, expected: 10 })).body).toEqual({
      rows: 5,
      total: 5,
    });
    expect((await call("POST", path, { rows: ROWS.slice(5), offset: 5 })).body).toEqual({ rows: 5, total: 10 });
  });
  afterAll(() => app.close());

  test("all rows come back in their order, whatever they hold", async () => {
    expect(await find("")).toEqual({ rows: ROWS, total: 10, expected: 10, nextCursor: null });
  });

  test("a call sent twice changes nothing", async () => {
    expect((await call("POST", path, { rows: ROWS.slice(5), offset: 5 })).body).toEqual({ rows: 5, total: 10 });
    expect((await find("")).rows).toEqual(ROWS);
  });

  test.each([
    ["ok=0", 4],
    ["ok=1", 6],
    ["q=refund", 1],
    ["q=100%25", 1],
    ["q=%25", 1],
    ["q=_", 0],
    ["q=said%20no", 1],
    ["tag.difficulty=hard", 3],
    ["tag.difficulty=hard&tag.difficulty=easy", 9],
    ["tag.difficulty=(none)", 1],
    ["tag.a_b%25=__proto__", 1],
    ["tag.axb%25=__proto__", 0],
    ["tag.difficulty=hard&ok=1", 1],
  ])("?%s finds %i", async (query, n) => expect((await find(query)).total).toBe(n));

  test("pages join to the whole, and the lowest scores come first where asked", async () => {
    const first = await find("limit=4");
    expect(first.rows).toHaveLength(4);
    const second = await find(`limit=4&cursor=${first.nextCursor}`);
    const third = await find(`limit=4&cursor=${second.nextCursor}`);
    expect([...first.rows, ...second.rows, ...third.rows]).toEqual(ROWS);
    expect(third.nextCursor).toBeNull();
    expect((await find("sort=score")).rows.slice(0, 2).map(({ score }: Example) => score)).toEqual([0.1, 0.9]);
    expect(await call("GET", `${path}?cursor=x`)).toMatchObject({ status: 400 });
  });

  test("the summary counts by tag with Wilson's interval", async () => {
    const { body } = await call("GET", `${path}/summary`);
    expect(body).toMatchObject({
      n: 10,
      passed: 6,
      failed: 4,
      byTag: {
        difficulty: {
          easy: { n: 6, passed: 5, lo: 0.4365, hi: 0.9699 },
          hard: { n: 3, passed: 1 },
          "(none)": { n: 1, passed: 0 },
        },
      },
    });
    expect((await call("GET", `${path}/summary?ok=0`)).body).toMatchObject({ n: 4, passed: 0 });
  });

  test("texts are cut in the middle and never refused", async () => {
    const other = path.replace("refunds", "long");
    await call("POST", other, { rows: [{ ok: true, prompt: "x".repeat(7877) }], offset: 0 });
    const [row] = (await call("GET", other)).body.rows;
    expect(row.prompt).toHaveLength(2000);
    expect(row.prompt).toContain("[... 5901 chars cut ...]");
  });

  test("500 rows come in a call and 20,000 in all", async () => {
    const rows = Array.from({ length: 501 }, () => ({ ok: true }));
    expect(await call("POST", path, { rows, offset: 0 })).toMatchObject({ status: 413 });
    expect(await call("POST", path, { rows: rows.slice(1), offset: 19_501 })).toMatchObject({ status: 413 });
  });

  test("rows are deleted and the score stays", async () => {
    const { id } = (await call("POST", "/runs", { agent: "bot", version: "v2" })).body;
    await call("POST", `/runs/${id}/evals`, [{ behavior: "b", score: 50 }]);
    await call("POST", `/runs/${id}/evals/b/rows`, { rows: [{ ok: true }], offset: 0 });
    expect((await call("GET", `/runs/${id}`)).body.evals[0]).toMatchObject({ score: 50, rows: 1 });
    expect((await call("DELETE", `/runs/${id}/evals/b/rows`)).body).toEqual({ ok: true, deleted: 1 });
    expect((await call("GET", `/runs/${id}`)).body.evals[0]).toMatchObject({ score: 50, rows: null });
  });
});
