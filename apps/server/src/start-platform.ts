import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { SCOPES, type SignInLink } from "@while/platform-client/contract";
import { fileBlobs } from "./blobs/file-blobs.ts";
import { s3Blobs } from "./blobs/s3-blobs.ts";
import { createApp } from "./create-app.ts";
import { migrate } from "./db/migrate.ts";
import { openPostgres, openSqlite } from "./db/open-database.ts";
import { forgetAnswers } from "./http/idempotency.ts";
import { jsonLog, type Log } from "./log.ts";
import { openMailer } from "./mail/mailer.ts";
import { makeAccount } from "./queries/accounts.ts";
import { makeKey } from "./queries/keys.ts";
import { makeSignInLink } from "./queries/sign-in-links.ts";
import { loadSecrets } from "./secrets/secrets.ts";
import { ServerError } from "./server-error.ts";
import type { Services } from "./services.ts";
import { readSettings, type Settings } from "./settings.ts";

export interface StartOptions {
  /** Given settings go before those of the environment. */
  settings?: Partial<Settings>;
  log?: Log;
}

export interface Platform {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** Made at the first start on an empty database, and shown only then. */
  firstKey: string | null;
  /** A link that signs one browser in to the first account, once, for fifteen minutes. */
  signInLink(): Promise<SignInLink>;
  /** Ends what runs, then closes: requests under way are answered. */
  stop(): Promise<void>;
}

const SWEEP_MS = 3600 * 1000;
/** How long requests under way may take when the server is told to stop. */
const DRAIN_MS = 10_000;

/**
 * Opens everything and listens: database (SQLite in the data folder, PostgreSQL by its URL), blobs, mailer.
 *
 * @throws ServerError `bad_setting`, `bad_database`, `bad_migration`, `port_taken`
 */
export async function startPlatform({ settings: given = {}, log = jsonLog() }: StartOptions = {}): Promise<Platform> {
  const settings = readSettings(process.env, given);
  const secrets = loadSecrets(settings);
  const database =
    settings.databaseUrl === null
      ? openSqlite(join(settings.data, "while.db"))
      : await openPostgres(settings.databaseUrl);
  try {
    const ran = await migrate(database);
    if (ran.length > 0) log.info("migrated", { migrations: ran.join(" ") });
    const services: Services = {
      database,
      db: database.db,
      blobs:
        settings.s3 === null
          ? fileBlobs(join(settings.data, "blobs"))
          : s3Blobs(settings.s3, join(settings.data, "waiting")),
      mailer: openMailer(settings, log),
      secrets,
      settings,
      log,
      now: () => Date.now(),
    };
    const firstKey = await makeOwner(services);
    const app = createApp(services);
    const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
    await listen(server, settings);
    await app.gates.start();
    const sweep = setInterval(
      () => void forgetAnswers(services).catch((error: unknown) => log.error("sweep", { error: String(error) })),
      SWEEP_MS,
    );
    sweep.unref();
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : settings.port;
    const shown = settings.host === "0.0.0.0" || settings.host === "::" ? "127.0.0.1" : settings.host;
    const url = settings.publicUrl ?? `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
    log.info("listening", { url, database: database.kind });
    return {
      url,
      firstKey,
      signInLink: async () => makeSignInLink(services, await ownerOf(services), url),
      async stop() {
        clearInterval(sweep);
        await close(server);
        await app.gates.stop();
        await database.close();
        log.info("stopped");
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** An empty server belongs to whoever starts it: one full account, and a key with every scope. */
async function makeOwner(services: Services): Promise<string | null> {
  return services.db.transaction().execute(async (transaction) => {
    if ((await transaction.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) !== undefined) return null;
    const account = await makeAccount(services, transaction, { email: null, tier: "full" });
    const { key } = await makeKey(services, transaction, {
      accountId: account.id,
      kind: "key",
      name: "first key",
      scopes: SCOPES,
    });
    return key;
  });
}

/** The account that was made at the first start. */
async function ownerOf({ db }: Services): Promise<string> {
  const first = db.selectFrom("accounts").select("id").orderBy("created_at").orderBy("id").limit(1);
  return (await first.executeTakeFirstOrThrow()).id;
}

function listen(server: Server, { host, port }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code !== "EADDRINUSE") return reject(cause);
      const what = `Port ${port} of ${host} is taken.`;
      reject(new ServerError("port_taken", what, "Stop what listens there, or give --port another number.", { cause }));
    });
    server.listen(port, host, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}
