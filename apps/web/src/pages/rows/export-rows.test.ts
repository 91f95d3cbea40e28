import type { Example } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { allPages, rowsAsCsv, rowsAsJsonl } from "./export-rows.ts";

const rows: Example[] = Array.from({ length: 7 }, (_, i) => ({
  ok: i % 2 === 0,
  prompt: `p${i}`,
  tags: { kind: "a" },
}));

test("all pages are read, each once, to the end", async () => {
  const asked: (string | null)[] = [];
  const read = async (cursor: string | null) => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const end = Math.min(rows.length, from + 3);
    return { rows: rows.slice(from, end), total: rows.length, nextCursor: end < rows.length ? String(end) : null };
  };
  const got: Example[] = [];
  for await (const page of allPages(read)) got.push(...page.rows);
  expect(got).toEqual(rows);
  expect(asked).toEqual([null, "3", "6"]);
});

test("JSONL is the rows as they are stored", () => {
  const text = rowsAsJsonl(rows.slice(0, 2));
  expect(
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  ).toEqual(rows.slice(0, 2));
});

test("CSV has a head once, a column for each tag, and no formula", () => {
  const hostile: Example[] = [{ ok: false, reply: "=HYPERLINK(1)", score: -1, tags: { kind: "b", other: "x,y" } }];
  const text =
    rowsAsCsv(rows.slice(0, 1), ["kind", "other"], { first: true }) +
    rowsAsCsv(hostile, ["kind", "other"], { first: false });
  expect(text.split("\r\n")).toEqual([
    "ok,score,prompt,reply,reference,why,detail,tag.kind,tag.other",
    "true,,p0,,,,,a,",
    `false,-1,,'=HYPERLINK(1),,,,b,"x,y"`,
    "",
  ]);
});

test("a tag called like a member of objects is no column of every row", () => {
  expect(rowsAsCsv([{ ok: true, tags: {} }], ["constructor"], { first: true }).split("\r\n")[1]).toBe("true,,,,,,,");
});
