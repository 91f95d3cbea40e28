import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillPath, type Route, SCOPES, type Scope } from "@while/platform-client/contract";
import { fileBlobs } from "../src/blobs/file-blobs.ts";
import { type App, type AppOptions, createApp } from "../src/create-app.ts";
import { migrate } from "../src/db/migrate.ts";
import type { Database } from "../src/db/open-database.ts";
import { jsonLog } from "../src/log.ts";
import type { Mail } from "../src/mail/mailer.ts";
import { makeAccount } from "../src/queries/accounts.ts";
import { makeKey } from "../src/queries/keys.ts";
import { secretsOf } from "../src/secrets/secrets.ts";
import type { Services } from "../src/services.ts";
import { readSettings, type Settings } from "../src/settings.ts";

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

interface CallOptions {
  key?: string | undefined;
  headers?: Record<string, string>;
}

export interface TestApp {
  app: App;
  services: Services;
  /** Lines of the log, as they were written. */
  logged: string[];
  /** Mails that a person would have got. */
  mails: Mail[];
  /** Moves the clock. */
  pass(ms: number): void;
  /** A full account and a key of it. */
  account(options?: {
    scopes?: readonly Scope[];
    agents?: string[] | null;
    tier?: "trial" | "full";
  }): Promise<{ accountId: string; key: string }>;
  /** Any method and path. A string goes as it is, anything else as JSON. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** A call of the contract. */
  ask(
    route: Pick<Route, "method" | "path">,
    params: Record<string, string>,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer>;
  close(): Promise<void>;
}

/** No limits on the pace of tests. */
const UNLIMITED = { read: 1e9, write: 1e9, log: 1e9, open: 1e9 };

/** The real server on a database, its parts real but for the mail, whose reader is the test. */
export async function withApp(
  database: Database,
  options: AppOptions & { settings?: Partial<Settings> } = {},
): Promise<TestApp> {
  await migrate(database);
  const data = mkdtempSync(join(tmpdir(), "while-data-"));
  const logged: string[] = [];
  const mails: Mail[] = [];
  let moved = 0;
  const services: Services = {
    database,
    db: database.db,
    blobs: fileBlobs(join(data, "blobs")),
    mailer: { send: async (mail) => void mails.push(mail) },
    secrets: secretsOf("pepper-1"),
    settings: readSettings({}, { data, publicUrl: "http://platform.test", ...options.settings }),
    log: jsonLog((line) => logged.push(line)),
    now: () => Date.now() + moved,
  };
  const app = createApp(services, {
    rateLimits: UNLIMITED,
    checkAnswers: true,
    // On a busy machine the thread of the gate takes long to begin; what it says is waited for.
    gateWaitMs: 110_000,
    ...options,
  });

  async function call(
    method: string,
    path: string,
    body?: unknown,
    { key, headers = {} }: CallOptions = {},
  ): Promise<Answer> {
    const sent = new Headers(headers);
    if (key !== undefined) sent.set("x-api-key", key);
    const text =
      body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    const response = await app.request(path.replace("http://platform.test", ""), {
      method,
      headers: sent,
      ...(text === undefined ? {} : { body: text as string | Uint8Array<ArrayBuffer> }),
    });
    const answer = await response.text();
    const json = /^application\/json(;|$)/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(answer) : answer };
  }

  return {
    app,
    services,
    logged,
    mails,
    pass: (ms) => {
      moved += ms;
    },
    async account({ scopes = SCOPES, agents = null, tier = "full" } = {}) {
      const account = await makeAccount(services, database.db, { email: null, tier });
      const { key } = await makeKey(services, database.db, {
        accountId: account.id,
        kind: "key",
        name: "test",
        scopes,
        agents,
      });
      return { accountId: account.id, key };
    },
    call,
    ask: (route, params, body, given) => call(route.method, fillPath(route.path, params), body, given),
    async close() {
      await app.gates.stop();
      await database.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
