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

  test("a score comes with what its rows say, once all of them are there", async () => {
    const id = (await call("POST", "/runs", { agent: "bot", version: "v1" })).body.id;
    const score = async () => (await call("GET", `/runs/${id}`)).body.evals[0];
    await call("POST", `/runs/${id}/evals`, [{ behavior: "refunds", score: 83, ci: 3 }]);
    expect(await score()).toMatchObject({ rows: null, rowsExpected: null, rowsScore: null });
    const at = `/runs/${id}/evals/refunds/rows`;
    // Task a passes one of three and b its only one: 50 by row, 66.7 by task.
    const row = (prompt: string, ok: boolean, more: object = {}) => ({ prompt, ok, ...more });
    await call("POST", at, { rows: [row("a", true), row("a", false)], offset: 0, expected: 4 });
    expect(await score()).toMatchObject({ rows: 2, rowsExpected: 4, rowsScore: null });
    await call("POST", at, { rows: [row("a", false), row("b", true)], offset: 2, expected: 4 });
    expect(await score()).toMatchObject({ rows: 4, rowsExpected: 4, rowsScore: 66.7 });
    await call("POST", `/runs/${id}/evals`, [{ behavior: "refunds", score: 51, ci: 3 }]);
    expect((await score()).rowsScore).toBe(50);
    expect(
      (await call("GET", "/runs?agent=bot")).body.runs.find((run: { id: string }) => run.id === id).evals[0],
    ).toMatchObject({ rows: 4, rowsExpected: 4, rowsScore: null });
    await call("POST", at, { rows: [row("a", true, { score: 0.9 })], offset: 0 });
    expect((await score()).rowsScore).toBe(50);
    const partial = [row("a", true, { score: 0.9 }), row("a", false, { score: 0.2 }), row("a", false, { score: 0.1 })];
    await call("POST", at, { rows: [...partial, row("b", true, { score: 0.1 })], offset: 0 });
    await call("POST", `/runs/${id}/evals`, [{ behavior: "refunds", score: 32, ci: 3 }]);
    expect((await score()).rowsScore).toBe(32.5);
    await call("POST", at, { rows: [row("a", true), row("a", true), row("a", true), row("b", true)], offset: 0 });
    expect((await score()).rowsScore).toBe(100);
  });

  test("all rows come back in their order, whatever they hold", async () => {
    expect(await find("")).toEqual({
      rows: ROWS,
      places: ROWS.map((_, place) => place),
      ...{ total: 10, expected: 10, nextCursor: null },
    });
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

  test("the summary names why rows failed", async () => {
    expect((await call("GET", `${path}/summary`)).body).toMatchObject({
      byWhy: [{ why: "said NO", n: 1 }],
      whyOther: 3,
    });
    expect((await call("GET", `${path}/summary?ok=1`)).body).toMatchObject({ byWhy: [], whyOther: 0 });
  });

  test.each([
    ["as they are stored", false],
    ["of an earlier server", true],
  ])("rows %s know their other answers, and whether they were cut", async (_, earlier) => {
    const at = path.replace("refunds", earlier ? "asked_before" : "asked");
    const asks = ["a", "b", "a", "c", "a"].map((prompt, i) => ({ ok: i % 2 === 0, prompt, reference: "r" }));
    await call("POST", at, { rows: [...asks, { ok: false, prompt: "x".repeat(3000), why: "long" }], offset: 0 });
    if (earlier) await app.services.db.updateTable("score_rows").set({ ask: null, why: null, cut: null }).execute();
    expect((await call("GET", `${at}?siblings=1&limit=2`)).body.siblings).toEqual([[true, true, true], [false]]);
    expect((await call("GET", `${at}?siblings=1&ok=0&cut=0&limit=2`)).body.siblings).toEqual([[false], [false]]);
    expect((await call("GET", `${at}?cut=1`)).body).toMatchObject({ total: 1, rows: [{ why: "long" }] });
    expect((await call("GET", `${at}?cut=0`)).body.total).toBe(5);
    expect((await call("GET", `${at}/summary?cut=1`)).body).toMatchObject({ n: 1, byWhy: [{ why: "long", n: 1 }] });
    expect((await call("GET", at)).body.siblings).toBeUndefined();
  });

  test("rows are filtered by their score and by numbers in their tags", async () => {
    const at = path.replace("refunds", "measured");
    const rows = [
      { ok: true, score: 0.9, tags: { turns: "2", "odd.key": "1" } },
      { ok: true, score: 0.5, tags: { turns: " 10 " } },
      { ok: false, score: 0.1, tags: { turns: "ten" } },
      { ok: false, tags: { turns: "-3.5" } },
      { ok: false, score: -1 },
    ];
    await call("POST", at, { rows, offset: 0 });
    const totals: [query: string, total: number][] = [
      ["scoreMin=0.5", 2],
      ["scoreMax=0.5", 3],
      ["scoreMin=0&scoreMax=0.5", 2],
      ["min.turns=2", 2],
      ["min.turns=3", 1],
      ["max.turns=2", 2],
      ["min.turns=-5&max.turns=0", 1],
      ["min.turns=11", 0],
      ["min.odd.key=1", 1],
      ["min.nothing=1", 0],
      ["min.turns=0&scoreMax=0.5", 1],
    ];
    for (const [query, total] of totals)
      expect([query, (await call("GET", `${at}?${query}`)).body.total]).toEqual([query, total]);
    expect((await call("GET", `${at}/summary?min.turns=0`)).body).toMatchObject({
      ...{ n: 2, passed: 2 },
      scores: { n: 2, min: 0.5, max: 0.9, between: 2 },
    });
    expect((await call("GET", `${at}/summary`)).body.scores).toEqual({ n: 4, min: -1, max: 0.9, between: 4 });
    expect((await call("GET", `${at}/summary?min.turns=-5&max.turns=0`)).body.scores).toBeNull();
    for (const query of [
      "min.turns=x",
      "min.turns=",
      "min.turns=1&min.turns=2",
      "scoreMin=x",
      "scoreMin=",
      "scoreMax=Infinity",
    ])
      expect([query, (await call("GET", `${at}?${query}`)).status]).toEqual([query, 400]);
  });

  test("rows are found by their place, which no filter changes", async () => {
    expect(await find("place=6")).toMatchObject({ rows: [ROWS[6]], places: [6], total: 1 });
    expect(await find("place=6&place=2&place=99")).toMatchObject({ rows: [ROWS[2], ROWS[6]], places: [2, 6] });
    expect((await find("ok=0&limit=2")).places).toEqual([2, 6]);
    for (const query of ["place=-1", "place=x", "place=", "place=1.5"])
      expect([query, (await call("GET", `${path}?${query}`)).status]).toEqual([query, 400]);
  });

  test("rows come by task, with every rollout and how alike they were graded", async () => {
    const at = path.replace("refunds/rows", "by_task/rows");
    const task = (prompt: string, oks: string): Example[] =>
      Array.from(oks, (ok, i) => ({
        ok: ok === "1",
        prompt,
        reference: "r",
        reply: `${prompt}${i}`,
        tags: { kind: prompt },
      }));
    // The rollouts of a task need not lie side by side.
    const [a, b, c, d] = [task("a", "1101"), task("b", "0000"), task("c", "1"), task("d", "11")];
    await call("POST", at, { rows: [...a.slice(0, 2), ...b, ...c, ...a.slice(2), ...d], offset: 0 });
    const tasks = async (query: string) => (await call("GET", `${at.replace("/rows", "/tasks")}?${query}`)).body;
    const all = await tasks("");
    expect(all).toMatchObject({
      total: 4,
      agreement: { tasks: 4, repeated: 3, unanimous: 2, agreement: (0.5 + 1 + 1) / 3 },
      nextCursor: null,
    });
    expect(all.tasks[0]).toEqual({
      ...{ graded: [true, true, false, true], agreement: 0.5, rollouts: a },
      places: [0, 1, 7, 8],
    });
    expect(all.tasks[2]).toEqual({ graded: [true], agreement: null, rollouts: c, places: [6] });
    const order = async (query: string) =>
      (await tasks(query)).tasks.map(({ rollouts: [first] }: { rollouts: Example[] }) => first!.prompt).join("");
    expect(await order("")).toBe("abcd");
    expect(await order("sort=passed")).toBe("bacd");
    expect(await order("sort=agreement")).toBe("abdc");
    expect(await order("ok=0")).toBe("ab");
    expect(await order("q=a3")).toBe("a");
    expect(await order("tag.kind=c&tag.kind=d")).toBe("cd");
    // A task is not left out of the agreement because it went well.
    expect((await tasks("ok=0")).agreement).toEqual(all.agreement);
    expect((await tasks("ok=0&tag.kind=a&tag.kind=d")).agreement).toMatchObject({ tasks: 2, agreement: 0.75 });
    const first = await tasks("limit=3");
    expect(first.nextCursor).toBe("3");
    expect((await tasks(`limit=3&cursor=${first.nextCursor}`)).tasks).toEqual(all.tasks.slice(3));
    expect((await call("GET", `${at.replace("/rows", "/tasks")}?cursor=x`)).status).toBe(400);
  });

  test("of a task with many rollouts the first come whole, and all of them graded", async () => {
    const at = path.replace("refunds", "many");
    const rows = Array.from({ length: 40 }, (_, i) => ({ ok: i % 2 === 0, prompt: "p", reply: String(i) }));
    await call("POST", at, { rows, offset: 0 });
    const { tasks } = (await call("GET", at.replace("/rows", "/tasks"))).body;
    expect(tasks[0].graded).toEqual(rows.map(({ ok }) => ok));
    expect(tasks[0].rollouts).toEqual(rows.slice(0, 32));
  });

  test("two runs are compared ask by ask: what was fixed, what broke, and how far they are apart", async () => {
    const runs: string[] = [];
    for (const oks of [(i: number) => i % 3 > 0, (i: number) => i % 3 > 0 || i % 2 === 0]) {
      const { id } = (await call("POST", "/runs", { agent: "bot", version: `c${runs.length}` })).body;
      const rows = Array.from({ length: 60 }, (_, i) => ({
        ok: i === 1 && runs.length > 0 ? false : oks(i),
        prompt: `ask ${i}`,
      }));
      // The order of the rows does not matter.
      if (runs.length > 0) rows.reverse();
      await call("POST", `/runs/${id}/evals/tone/rows`, {
        rows: [...rows, { ok: true, prompt: `own ${id}` }],
        offset: 0,
      });
      runs.push(id);
    }
    const [before, after] = runs;
    const flips = async (query: string) => (await call("GET", `/runs/${after}/evals/tone/flips?${query}`)).body;
    const body = await flips(`against=${before}&limit=4`);
    expect(body).toMatchObject({
      ...{ paired: 60, unpairedBefore: 1, unpairedAfter: 1, bothPassed: 39, bothFailed: 10, fixed: 10, broke: 1 },
      ...{ total: 11, nextCursor: "4" },
      difference: { tasks: 60, delta: expect.closeTo(15, 9), verdict: "b_better" },
    });
    // (C(11,0) + C(11,1) / 2) / 2^11, both sides.
    expect(body.p).toBeCloseTo((2 * (1 + 11 / 2)) / 2048, 12);
    const [low, high] = body.difference.ci95;
    expect([low > 0, high < 30, body.difference.p < 0.05]).toEqual([true, true, true]);
    expect(body.rows[0]).toEqual({ before: { ok: true, prompt: "ask 1" }, after: { ok: false, prompt: "ask 1" } });
    const fixed = await flips(`against=${before}&kind=fixed&limit=500`);
    expect(fixed.rows.every((row: { before: Example; after: Example }) => !row.before.ok && row.after.ok)).toBe(true);
    expect(
      fixed.rows
        .map(({ before: row }: { before: Example }) => Number(row.prompt?.slice(4)))
        .sort((a: number, b: number) => a - b),
    ).toEqual([0, 6, 12, 18, 24, 30, 36, 42, 48, 54]);
    expect((await flips(`against=${before}&kind=bothFailed`)).total).toBe(10);
    expect(await flips(`against=${after}`)).toMatchObject({ fixed: 0, broke: 0, p: 1, difference: { delta: 0 } });
    expect(await call("GET", `/runs/${after}/evals/tone/flips?against=run_none`)).toMatchObject({ status: 404 });
    expect(await call("GET", `/runs/${after}/evals/tone/flips?against=${before}&cursor=-1`)).toMatchObject({
      status: 400,
    });
    expect((await call("GET", `/runs/${after}/evals/nothing/flips?against=${before}`)).body).toMatchObject({
      ...{ paired: 0, p: null, difference: null, rows: [] },
    });
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
