import { readFileSync } from "node:fs";
import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { ungroundedArguments } from "../src/index.ts";

interface Planted {
  invented: { id: string; row: Row; invented: string[] }[];
  honest: { id: string; row: Row; kind: string }[];
}
const { invented, honest }: Planted = JSON.parse(
  readFileSync(new URL("planted/grounding.json", import.meta.url), "utf8"),
);

test.each(invented)("made up: $id", ({ row, invented: keys }) => {
  expect(ungroundedArguments(row).map(({ key }) => key)).toEqual(keys);
});

test.each(honest)("grounded: $id", ({ row }) => expect(ungroundedArguments(row)).toEqual([]));
