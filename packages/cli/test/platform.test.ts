import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { BIN, spawnWai, wai } from "./terminal.ts";

const data = mkdtempSync(join(tmpdir(), "wai-platform-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

interface Started {
  child: ChildProcess;
  url: string;
  first_key: string | null;
  sign_in: string;
  ended: Promise<number | null>;
}

function start(...flags: string[]): Promise<Started> {
  const child = spawn(process.execPath, [BIN, "platform", "--port", "0", "--data", data, "--json", ...flags]);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").once("data", (line: string) => resolve({ child, ended, ...JSON.parse(line) }));
    ended.then((code) => reject(new Error(`it ended with ${code}`)));
  });
}

test("an empty folder becomes a platform whose first key and link work; Ctrl-C ends it, and its data is there the next time", async () => {
  const first = await start();
  expect(first.first_key).toMatch(/^zp_[0-9a-f]{48}$/);
  const headers = { "x-api-key": first.first_key as string };
  const made = await fetch(`${first.url}/agents`, {
    method: "POST",
    headers,
    body: JSON.stringify({ id: "bot", name: "Bot" }),
  });
  expect(made.status).toBe(200);
  const followed = await fetch(first.sign_in, { redirect: "manual" });
  expect([followed.status, followed.headers.get("location")]).toEqual([303, "/"]);
  const cookie = followed.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
  const mine = await (await fetch(`${first.url}/agents`, { headers: { cookie } })).json();
  expect(mine).toMatchObject({ agents: [{ id: "bot" }] });
  const opened = await spawnWai(["open"], {
    env: { WHILEAI_API_URL: first.url, WHILEAI_API_KEY: first.first_key as string },
  });
  expect(opened).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^http:\S+\/sign-in\/[0-9a-f]{48}\nsigns one browser in/),
  });
  first.child.kill("SIGINT");
  expect(await first.ended).toBe(0);
  const second = await start();
  expect(second.first_key).toBeNull();
  expect(await (await fetch(`${second.url}/agents`, { headers })).json()).toMatchObject({
    agents: [{ id: "bot", name: "Bot" }],
  });
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});

test("a port that is taken is said so, with what to do", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as { port: number };
  const { code, stderr } = await spawnWai(["platform", "--port", String(port), "--data", data]);
  taken.close();
  expect(code).toBe(3);
  expect(stderr).toBe(
    `error: Port ${port} of 127.0.0.1 is taken.\nfix: Stop what listens there, or give --port another number.\n`,
  );
});

test.each([
  [["platform", "rows.jsonl"], "wai platform was given rows.jsonl.", "Give flags alone: wai help platform."],
  [["platform", "--prot", "1"], "wai platform has no flag --prot.", "Did you mean --port?"],
])("wai %j is refused", async (argv, what, fix) => {
  expect(await wai(argv)).toMatchObject({ code: 3, stderr: `error: ${what}\nfix: ${fix}\n` });
});
