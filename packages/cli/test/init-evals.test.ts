import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { type Outcome, wai } from "./terminal.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const require = createRequire(import.meta.url);
/** A process that installs nothing still loads a test runner and five packages. */
const TIMEOUT_MS = 480_000;

const own: string[] = [];
afterEach(() => {
  for (const dir of own.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A project on the disk, with the built packages where an installation would put them. */
function project(files: Record<string, string> = {}): { dir: string; path: (name: string) => string } {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "wai-init-")));
  own.push(dir);
  const path = (name: string) => join(dir, name);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  }
  mkdirSync(path("node_modules"), { recursive: true });
  symlinkSync(join(ROOT, "packages"), path("node_modules/@while"));
  symlinkSync(dirname(require.resolve("vitest/package.json")), path("node_modules/vitest"));
  symlinkSync(
    dirname(createRequire(join(ROOT, "apps/bench/package.json")).resolve("tsx/package.json")),
    path("node_modules/tsx"),
  );
  return { dir, path };
}

function run(dir: string, command: string, more: Record<string, string> = {}): Promise<Outcome> {
  // The caller is a test runner itself, and CI or not: the project is neither.
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:CI|NODE_|VITEST|TEST|npm_|FORCE_COLOR)/.test(name));
  const [word = "", ...rest] = command.split(" ");
  const argv = word === "npx" ? [join(dir, "node_modules", "vitest", "vitest.mjs"), ...rest.slice(1)] : rest;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, {
      cwd: dir,
      env: { ...Object.fromEntries(kept), NO_COLOR: "1", ...more },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** `wai init-evals`, and the command of its test: what it says to type last. */
async function init(dir: string, ...flags: string[]): Promise<{ said: Outcome; command: string }> {
  const said = await wai(["init-evals", dir, ...flags]);
  expect(said).toMatchObject({ code: 0, stderr: "" });
  return { said, command: said.stdout.trimEnd().split("\n").at(-1)!.trim() };
}

function change(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

const DESK = `const ORDERS = { A1001: "a kettle for 39.90", A1002: "a lamp for 64.00" };
export async function answer(message) {
  const order = /A\\d{4}/.exec(message)?.[0];
  if (order === undefined) return "Tell me the number of your order.";
  return order in ORDERS ? order + " is " + ORDERS[order] + "." : "There is no order " + order + ".";
}
export const tools = [{ name: "get_order", description: "Read an order, such as A1001 or A1002." }];
`;

describe("in an empty project", () => {
  test(
    "the eval passes at once, and each way of making the agent worse turns it red",
    async () => {
      const { dir, path } = project();
      const { said, command } = await init(dir);
      expect(said.stdout).toMatch(/^an eval of an example, for node --test\n/);
      expect(JSON.parse(readFileSync(path("package.json"), "utf8"))).toMatchObject({
        scripts: { test: command },
        devDependencies: { "@while/simulate": expect.stringMatching(/^\^\d/) },
      });
      expect(await run(dir, command)).toMatchObject({ code: 0 });
      // In CI, where nothing may be recorded, it is held against what was.
      expect(await run(dir, command, { CI: "1" })).toMatchObject({ code: 0 });

      const agent = path("evals/example-agent.mjs");
      const good = readFileSync(agent, "utf8");
      for (const [from, to, why] of [
        ["order.days > 30", "order.days > 300", "too-late: refund_order was called"],
        ["const steps = [];", 'throw new Error("no key");', "The run ended with agent_failed"],
        ["const steps = [];", 'const steps = []; if (Math.random() < 0.5) return "I am not sure.";', ""],
        ['call("refund_order"', '(() => {})("refund_order"', "refund: refund_order was not called"],
      ] as const) {
        change(agent, from, to);
        const red = await run(dir, command, { CI: "1" });
        expect({ why, code: red.code }).toEqual({ why, code: 1 });
        expect(red.stdout).toContain(why);
        writeFileSync(agent, good);
      }
      expect(await run(dir, command, { CI: "1" })).toMatchObject({ code: 0 });
    },
    TIMEOUT_MS,
  );

  test(
    "without a baseline CI says what to run, and what that records passes",
    async () => {
      const { dir, path } = project();
      const { command } = await init(dir);
      const red = await run(dir, command, { CI: "1" });
      expect(red).toMatchObject({ code: 1, stdout: expect.stringContaining("Run node evals/run.mjs --record") });
      expect(existsSync(path("evals/baseline.jsonl"))).toBe(false);
      const recorded = await run(dir, "node evals/run.mjs --record");
      expect(recorded).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pass@1 1\.00/) });
      expect(await run(dir, command, { CI: "1" })).toMatchObject({ code: 0 });
      // A task more is no drop, and no comparison either.
      writeFileSync(
        path("evals/tasks.jsonl"),
        `${readFileSync(path("evals/tasks.jsonl"), "utf8")}{"task_id":"x","prompt":"Hi."}\n`,
      );
      expect((await run(dir, command)).stdout).toContain("The tasks are not those of the baseline");
    },
    TIMEOUT_MS,
  );
});

describe("in a project with an agent", () => {
  test(
    "in TypeScript, with Vitest: what it does is recorded, and it is held to that",
    async () => {
      const { dir, path } = project({
        "package.json": '{ "type": "module", "devDependencies": { "vitest": "*" } }',
        "src/agent.ts": DESK.replace("(message)", "(message: string): Promise<string>").replace(
          "const ORDERS",
          "const ORDERS: Record<string, string>",
        ),
        "src/server.ts": "export const port: number = 1;",
      });
      const before = readFileSync(path("package.json"), "utf8");
      const { said, command } = await init(dir);
      expect(said.stdout).toMatch(/^an eval of answer of src\/agent\.ts, for vitest\n/);
      expect(said.stdout).toContain("npm install --save-dev @while/cli@^");
      expect(readFileSync(path("package.json"), "utf8")).toBe(before);
      expect(command).toBe("npx vitest run evals/evals.test.mjs");

      expect(await run(dir, command)).toMatchObject({ code: 0 });
      const tasks = readFileSync(path("evals/tasks.jsonl"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(tasks.length).toBeGreaterThan(10);
      // Drawn from the tool that the file names, in its own ids; expected is what was said of them.
      expect(tasks.find(({ prompt }) => prompt.includes("A1001"))?.expect.says).toContain("A1001");
      change(path("src/agent.ts"), "ORDERS[order]", '"somewhere"');
      const red = await run(dir, command, { CI: "1" });
      expect(red.code).toBe(1);
      expect(red.stdout + red.stderr).toContain("Tasks that always passed and now never do");
    },
    TIMEOUT_MS,
  );

  test(
    "in CommonJS, given a list of messages, with Node's own runner",
    async () => {
      const { dir, path } = project({
        "package.json": "{}",
        "lib/agent.js": `module.exports.chat = async (messages) => ({ content: "You said " + messages.at(-1).content.length + " signs." });`,
      });
      const { command } = await init(dir);
      expect(readFileSync(path("evals/agent.mjs"), "utf8")).toContain('own([{ role: "user", content: message }])');
      expect(await run(dir, command)).toMatchObject({ code: 0 });
      change(path("lib/agent.js"), ".content.length", ".role.length");
      expect(await run(dir, command, { CI: "1" })).toMatchObject({ code: 1 });
    },
    TIMEOUT_MS,
  );

  test(
    "in TypeScript without Vitest, by tsx",
    async () => {
      const { dir } = project({
        "package.json": '{ "type": "module" }',
        "agent.ts":
          "export default async ({ prompt }: { prompt: string }): Promise<string> => 'Length ' + prompt.length;",
      });
      const { said, command } = await init(dir);
      expect(command).toBe("node --import tsx --test evals/evals.test.mjs");
      expect(said.stdout).toMatch(/npm install --save-dev .* tsx\n/);
      expect(await run(dir, command)).toMatchObject({ code: 0 });
    },
    TIMEOUT_MS,
  );
});

describe("around an address", () => {
  const SERVER = `import { createServer } from "node:http";
import { answer } from "./desk.mjs";
const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ reply: await answer(JSON.parse(text).message) }));
});
server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => console.log(server.address().port));`;

  async function serve(dir: string, port = "0"): Promise<{ port: string; stop: () => Promise<void> }> {
    const child = spawn(process.execPath, [join(dir, "server.mjs"), port]);
    const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
    const stop = () => {
      child.kill();
      return ended;
    };
    onTestFinished(stop);
    const listening = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding("utf8").once("data", (text: string) => resolve(text.trim()));
      child.stderr.setEncoding("utf8").once("data", reject);
    });
    return { port: listening, stop };
  }

  test(
    "the eval passes, is red for a worse service, and says when there is none",
    async () => {
      const { dir, path } = project({
        "package.json": '{ "type": "module", "scripts": { "start": "node server.mjs" } }',
        "server.mjs": SERVER,
        "desk.mjs": DESK,
      });
      // It comes back to a port that a system gives to nobody else who asks for any.
      const first = await serve(dir, String(20_000 + Math.floor(Math.random() * 12_000)));
      const { said, command } = await init(dir, "--endpoint", `http://127.0.0.1:${first.port}/chat`);
      expect(said.stdout).toMatch(/^an eval of the agent behind http:\/\/127\.0\.0\.1:\d+\/chat, for node --test\n/);
      const workflow = readFileSync(path(".github/workflows/evals.yml"), "utf8");
      expect(workflow).toContain("- run: npm start &");
      expect(workflow).toContain(`until curl -s -o /dev/null http://127.0.0.1:${first.port}; do`);
      expect(await run(dir, command)).toMatchObject({ code: 0 });

      await first.stop();
      const gone = await run(dir, command, { CI: "1" });
      expect(gone).toMatchObject({
        code: 1,
        stdout: expect.stringContaining("rollouts never came back: is the agent running?"),
      });

      change(path("desk.mjs"), "Tell me the number", "Go away, I have no number");
      await serve(dir, first.port);
      expect(await run(dir, command, { CI: "1" })).toMatchObject({ code: 1 });
    },
    TIMEOUT_MS,
  );
});

describe("what it leaves alone", () => {
  const filesIn = (dir: string): string[] =>
    readdirSync(dir, { withFileTypes: true })
      .filter(({ name }) => name !== "node_modules")
      .flatMap((entry) => (entry.isDirectory() ? filesIn(join(dir, entry.name)) : join(dir, entry.name)))
      .sort();

  test("--dry-run says the same and writes nothing", async () => {
    const { dir } = project();
    const dry = await wai(["init-evals", dir, "--dry-run"]);
    expect(dry.stdout).toMatch(/^this would write an eval of an example/);
    const { written, files } = JSON.parse((await wai(["init-evals", dir, "--dry-run", "--json"])).stdout);
    expect([written, files[0]]).toEqual([false, { path: "evals/agent.mjs", about: "how the eval calls your agent" }]);
    expect(filesIn(dir)).toEqual([]);
    const { said } = await init(dir);
    expect(said.stdout.split("\n").slice(1)).toEqual(dry.stdout.split("\n").slice(1));
  });

  test("a file that is there is refused before anything is written; --force replaces, and takes the old baseline along", async () => {
    const { dir, path } = project({ "evals/judge.mjs": "mine", "evals/baseline.jsonl": "{}\n", "package.json": "{}" });
    const before = filesIn(dir);
    expect(await wai(["init-evals", dir])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("evals/judge.mjs, evals/baseline.jsonl are there already; nothing was written."),
    });
    expect(filesIn(dir)).toEqual(before);
    const { said } = await init(dir, "--force");
    expect(said.stdout).toContain("removed: of the eval before");
    expect(existsSync(path("evals/baseline.jsonl"))).toBe(false);
    expect(readFileSync(path("evals/judge.mjs"), "utf8")).toContain("export function judgeOf");
    expect(readFileSync(path("package.json"), "utf8")).toBe("{}");
  });

  test("in a folder of a repository, the workflow lies where the repository has them", async () => {
    const { dir, path } = project({
      ".git/HEAD": "ref: refs/heads/main\n",
      "pnpm-lock.yaml": "",
      "services/desk/package.json": '{ "dependencies": { "@openai/agents": "*" } }',
      "services/desk/agent.mjs":
        'import { Agent } from "@openai/agents";\nexport const desk = new Agent({ name: "desk" });\n',
    });
    const { said } = await init(path("services/desk"));
    expect(said.stdout).toContain("../../.github/workflows/evals.yml");
    expect(said.stdout).toContain("pnpm add -D ");
    const workflow = readFileSync(join(dir, ".github/workflows/evals.yml"), "utf8");
    expect(workflow).toContain("working-directory: services/desk");
    expect(workflow).toMatch(/OPENAI_API_KEY: \$\{\{ secrets\.OPENAI_API_KEY \}\}/);
    expect(readFileSync(path("services/desk/evals/agent.mjs"), "utf8")).toContain("fromOpenAiAgents(own, run)");
  });

  test.each<[string[], string]>([
    [["--agent", "a.mjs", "--endpoint", "http://x"], "--agent and --endpoint"],
    [["--endpoint", "x"], '--endpoint got "x"'],
    [["--agent", "none.mjs"], "there is no such file"],
    [["--runner", "jest"], '--runner got "jest"'],
  ])("%j is refused", async (flags, what) => {
    const { dir } = project();
    expect(await wai(["init-evals", dir, ...flags])).toMatchObject({ code: 3, stderr: expect.stringContaining(what) });
    expect(filesIn(dir)).toEqual([]);
  });

  test("a folder that is none, and a manifest that is none", async () => {
    const { dir, path } = project({ "package.json": "{" });
    expect((await wai(["init-evals", path("none")])).stderr).toContain("is no folder");
    expect((await wai(["init-evals", dir])).stderr).toContain("package.json is no JSON");
  });
});
