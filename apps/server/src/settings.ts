import { join } from "node:path";
import { ServerError } from "./server-error.ts";

/** Everything that an operator decides. Each field has an environment variable of its own (README). */
export interface Settings {
  /** Folder of the database file, the blobs and the secrets. */
  data: string;
  /** `postgres://…`; null is SQLite in `data`. */
  databaseUrl: string | null;
  host: string;
  port: number;
  /** Where people and upload URLs reach this server; null is the address of each request. */
  publicUrl: string | null;
  /** Folder of the built pages; null is the one that came with the server. */
  pagesDir: string | null;
  /** S3-compatible store; null keeps blobs in `data`. */
  s3: S3Settings | null;
  /** `smtp://user:password@host:port`; null prints mails to the log. */
  smtpUrl: string | null;
  mailFrom: string;
  /** Whether a stranger may open a trial account by e-mail address. */
  openSignup: boolean;
  trialDays: number;
  /** Forwarded addresses are believed only behind a proxy that the operator runs. */
  trustProxy: boolean;
}

export interface S3Settings {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

function wholeNumber(env: Environment, name: string, fallback: number, highest: number): number {
  const text = env[name] ?? "";
  if (text === "") return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= highest) return value;
  throw new ServerError("bad_setting", `${name} is "${text}".`, `Give a whole number from 0 to ${highest}.`);
}

function yes(env: Environment, name: string, fallback: boolean): boolean {
  const text = env[name] ?? "";
  if (text === "") return fallback;
  if (text === "1" || text === "true") return true;
  if (text === "0" || text === "false") return false;
  throw new ServerError("bad_setting", `${name} is "${text}".`, "Give 1 or 0.");
}

function s3Of(env: Environment): S3Settings | null {
  const names = [
    "WHILE_S3_ENDPOINT",
    "WHILE_S3_BUCKET",
    "WHILE_S3_ACCESS_KEY_ID",
    "WHILE_S3_SECRET_ACCESS_KEY",
  ] as const;
  const given = names.filter((name) => (env[name] ?? "") !== "");
  if (given.length === 0) return null;
  const missing = names.filter((name) => !given.includes(name));
  if (missing.length > 0) {
    throw new ServerError("bad_setting", `${given[0]} is set and ${missing.join(", ")} not.`, "Set all four, or none.");
  }
  const [endpoint, bucket, accessKeyId, secretAccessKey] = names.map((name) => env[name] as string);
  return {
    endpoint: (endpoint as string).replace(/\/+$/, ""),
    bucket: bucket as string,
    region: env.WHILE_S3_REGION || "us-east-1",
    accessKeyId: accessKeyId as string,
    secretAccessKey: secretAccessKey as string,
  };
}

/**
 * Settings from the environment, with what a caller gives on top. An empty variable counts as unset.
 *
 * @throws ServerError `bad_setting`, naming the variable
 */
export function readSettings(env: Environment, given: Partial<Settings> = {}): Settings {
  const publicUrl = (env.WHILE_PUBLIC_URL || "").replace(/\/+$/, "");
  if (publicUrl !== "" && !/^https?:\/\//.test(publicUrl)) {
    throw new ServerError("bad_setting", `WHILE_PUBLIC_URL is "${publicUrl}".`, "Give it with http:// or https://.");
  }
  return {
    data: env.WHILE_DATA || join(process.cwd(), "while-data"),
    databaseUrl: env.DATABASE_URL || null,
    host: env.WHILE_HOST || "127.0.0.1",
    port: wholeNumber(env, "WHILE_PORT", 8787, 65_535),
    publicUrl: publicUrl || null,
    pagesDir: env.WHILE_PAGES || null,
    s3: s3Of(env),
    smtpUrl: env.WHILE_SMTP_URL || null,
    mailFrom: env.WHILE_MAIL_FROM || "While <while@localhost>",
    openSignup: yes(env, "WHILE_OPEN_SIGNUP", true),
    trialDays: wholeNumber(env, "WHILE_TRIAL_DAYS", 7, 3650),
    trustProxy: yes(env, "WHILE_TRUST_PROXY", false),
    ...given,
  };
}
