import { expect, test } from "vitest";
import { readSpec } from "../../src/files.ts";
import { loadSpec } from "../../src/index.ts";
import { testFolder } from "./folder.ts";

const { write } = testFolder();

test("a spec of a file is what loadSpec makes of its text", async () => {
  const traits = ["Say what happened — even when it failed."];
  expect(await readSpec(write("spec.json", JSON.stringify({ id: "s", traits })))).toEqual(
    loadSpec({ id: "s", traits }),
  );
  expect((await readSpec(write("list.json", JSON.stringify(traits)), { specId: "mine" })).id).toBe("mine");
});

test("a file that is no spec is named", async () => {
  const path = write("broken.json", "{oops");
  await expect(readSpec(path)).rejects.toMatchObject({ code: "bad_file", place: { file: path } });
  await expect(readSpec(write("empty.json", "[]"))).rejects.toThrow("empty.json has no traits");
});
