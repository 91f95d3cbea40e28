import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject, type Row } from "@while/schema";
import { ExportError } from "../export-error.ts";
import type { Task } from "../tasks/task.ts";
import { EnvironmentSessions, type ExecuteCall, type GradeRollout } from "./environment-sessions.ts";
import type { EnvironmentSpec } from "./environment-spec.ts";
import { mcpAnswer } from "./mcp-answer.ts";

export interface ServeOptions {
  /** 0 takes a free one. */
  port?: number;
  /** Only this machine, unless said otherwise. */
  host?: string;
  /** Measurements beside the reward. */
  metrics?: (row: Row) => Record<string, number>;
  ttlMs?: number;
}

export interface ServedEnvironment {
  url: string;
  name: string;
  counts: { train: number; test: number };
  close(): Promise<void>;
}

/** A transcript of a long rollout is some hundred kilobytes. */
const MAX_BODY = 32 * 2 ** 20;

/**
 * Serves an environment with the runtime `http`: worlds and graders stay in this process, a trainer plays rollouts over
 * JSON. `POST /reset`, `/step`, `/score`, `GET /state?session=`, `GET /health`, and `POST /mcp` with the session in the
 * header `mcp-session-id`.
 *
 * @param directory What `exportEnvironment` wrote, the modules of its references beside it
 * @throws ExportError `not_found`, `bad_reference`
 */
export async function serveEnvironment(directory: string, options: ServeOptions = {}): Promise<ServedEnvironment> {
  const { port = 8000, host = "127.0.0.1", metrics, ttlMs } = options;
  const folder = packageOf(directory);
  const spec: EnvironmentSpec = JSON.parse(readFileSync(join(folder, "spec.json"), "utf8"));
  const sessions = new EnvironmentSessions({
    spec,
    train: tasksOf(folder, "train"),
    holdout: tasksOf(folder, "holdout"),
    execute: (await imported(directory, "execute", spec.execute)) as ExecuteCall,
    grade: (await imported(directory, "reward", spec.reward)) as GradeRollout,
    now: Date.now,
    ...(metrics === undefined ? {} : { metrics }),
    ...(ttlMs === undefined ? {} : { ttlMs }),
  });
  const server = createServer((request, response) => {
    answer(request, sessions, spec).then(
      (body) => {
        response.writeHead(body === null ? 202 : 200, { "content-type": "application/json" });
        response.end(body === null ? undefined : JSON.stringify(body));
      },
      (error: unknown) => {
        const code = error instanceof ExportError ? error.code : error instanceof SyntaxError ? "bad_json" : "failed";
        response.writeHead(code === "not_found" ? 404 : code === "failed" ? 500 : 400, {
          "content-type": "application/json",
        });
        response.end(
          JSON.stringify({ error: { code, message: error instanceof Error ? error.message : String(error) } }),
        );
      },
    );
  });
  await listening(server, port, host);
  const address = server.address();
  const at = isObject(address) ? Number(address.port) : port;
  const { train, test } = sessions.counts;
  return {
    url: `http://${host}:${at}`,
    name: spec.name,
    counts: { train, test },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The folder in the package that has `spec.json`. */
function packageOf(directory: string): string {
  const inner = existsSync(directory) ? readdirSync(directory) : [];
  const folder = [".", ...inner]
    .map((name) => join(directory, name))
    .find((name) => existsSync(join(name, "spec.json")));
  if (folder !== undefined) return folder;
  throw new ExportError(
    "not_found",
    `${directory} holds no environment: there is no spec.json in it.`,
    "Name the folder that exportEnvironment wrote.",
  );
}

function tasksOf(folder: string, side: string): Task[] {
  const lines = readFileSync(join(folder, "data", `${side}.jsonl`), "utf8").split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const task = JSON.parse(line);
      return typeof task.info === "string" ? { ...task, info: JSON.parse(task.info) } : task;
    });
}

async function imported(directory: string, key: string, reference: string): Promise<unknown> {
  const [file = "", name = ""] = reference.split("#");
  const path = resolve(directory, file);
  const bad = (what: string, options: ErrorOptions = {}) =>
    new ExportError(
      "bad_reference",
      `${key} is ${reference}, and ${what}.`,
      `Put the module beside the package, as ${path}, with an exported function.`,
      options,
    );
  if (!existsSync(path)) throw bad("there is no such file");
  let module: Record<string, unknown>;
  try {
    module = await import(pathToFileURL(path).href);
  } catch (cause) {
    throw bad(`it does not load: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (typeof module[name] !== "function") throw bad(`it exports no function ${name}`);
  return module[name];
}

async function answer(
  request: IncomingMessage,
  sessions: EnvironmentSessions,
  spec: EnvironmentSpec,
): Promise<unknown> {
  const url = new URL(request.url ?? "/", "http://localhost");
  switch (`${request.method} ${url.pathname}`) {
    case "GET /health":
      return { name: spec.name, ...sessions.counts };
    case "GET /state":
      return sessions.state(url.searchParams.get("session"));
    case "POST /reset":
      return sessions.reset(await bodyOf(request));
    case "POST /step": {
      const { session, tool, arguments: given } = await bodyOf(request);
      return await sessions.step(session, tool, given);
    }
    case "POST /score": {
      const { session, messages, truncated } = await bodyOf(request);
      return await sessions.score(session, messages, truncated);
    }
    case "POST /mcp":
      return await mcpAnswer(await bodyOf(request), request.headers["mcp-session-id"], sessions, spec.name);
    default:
      throw new ExportError(
        "not_found",
        `There is no ${request.method} ${url.pathname}.`,
        "See the README beside spec.json.",
      );
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_BODY) throw new ExportError("invalid_option", "The body is over 32 MB.", "Send less.");
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString("utf8");
  const body: unknown = text === "" ? {} : JSON.parse(text);
  if (!isObject(body)) throw new ExportError("invalid_option", "The body is no JSON object.", "Send an object.");
  return body;
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(port, host, () => {
      server.off("error", failed);
      done();
    });
  });
}
