import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openClient } from "@while/platform-client/files";
import { type LogFields, startPlatform } from "@while/server";

const PAGES = fileURLToPath(new URL("../../../server/pages/", import.meta.url));

export interface StagedPlatform {
  url: string;
  client: ReturnType<typeof openClient>;
  key: string;
  email: string;
  /** What a browser of this server complained of to it, and what it failed at: both empty in a good run. */
  complaints: string[];
  /** The six digits of the newest mail. */
  code(): string;
  /** Cookies of a new session, as a browser context takes them. */
  session(): Promise<{ name: string; value: string; url: string; httpOnly: boolean; sameSite: "Strict" }[]>;
  stop(): Promise<void>;
}

/** The real server with the built pages, an account of a person, and the mails that this person would get. */
export async function stagePlatform(email = "reader@example.org"): Promise<StagedPlatform> {
  if (!existsSync(join(PAGES, "index.html")))
    throw new Error("The pages are not built: node scripts/bootstrap.mjs build");
  const data = mkdtempSync(join(tmpdir(), "while-pages-"));
  const mails: string[] = [];
  const complaints: string[] = [];
  const hear =
    (level: string) =>
    (event: string, fields: LogFields = {}) => {
      if (event === "mail") mails.push(String(fields.text));
      else if (level === "error" || /polic|csp|violation/i.test(event))
        complaints.push(`${event} ${JSON.stringify(fields)}`);
    };
  const log = { info: hear("info"), error: hear("error") };
  const platform = await startPlatform({ settings: { data, port: 0, openSignup: true }, log });
  const { url } = platform;
  const signedUp = (await post(url, "/signup", { email })) as { api_key: string };
  const code = (): string => /\b\d{6}\b/.exec(mails.at(-1) ?? "")?.[0] ?? "";
  const staged: StagedPlatform = {
    ...{ url, email, complaints, code },
    key: signedUp.api_key,
    client: openClient({ apiUrl: url, apiKey: signedUp.api_key, out: null, warn: () => {} }),
    async session() {
      await post(url, "/auth/email/start", { email });
      const response = await send(url, "/auth/email/verify", { email, code: code() });
      return response.headers.getSetCookie().map((cookie) => {
        const [name, value] = cookie.split(";", 1)[0]!.split("=") as [string, string];
        return { name, value, url, httpOnly: /;\s*httponly/i.test(cookie), sameSite: "Strict" };
      });
    },
    async stop() {
      await platform.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
  // The first sign-in lifts the limits of a trial.
  await staged.session();
  return staged;
}

async function send(url: string, path: string, body: unknown): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

async function post(url: string, path: string, body: unknown): Promise<unknown> {
  return (await send(url, path, body)).json();
}
