import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileCredentials } from "../src/files.ts";
import { maskKey, PlatformClient } from "../src/index.ts";
import { PlatformError } from "../src/platform-error.ts";

const KEY = "zp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const folder = () => mkdtempSync(join(tmpdir(), "while-login-"));

/** A platform that answers polls with these words, and a clock that sleeps move. */
function signIn(words: string[], { interval = 5, dir = folder(), at = 1000 } = {}) {
  const sleeps: number[] = [];
  const lines: string[] = [];
  const calls: string[] = [];
  let now = at;
  const transport = async (method: string, path: string) => {
    calls.push(`${method} ${path}`);
    if (path === "/device/code") {
      return {
        ...{ device_code: `d${calls.length}`, user_code: "BCDF-GHJK", verification_uri: "https://host/device" },
        ...{ verification_uri_complete: "https://host/device?code=BCDF-GHJK", expires_in: 900, interval },
      };
    }
    if (path !== "/device/token") return { tier: "full" };
    const word = words.shift() ?? "authorization_pending";
    if (word === "ok") return { api_key: KEY, name: "cli", user_id: "u" };
    if (word === "lost") throw new PlatformError("unreachable", "Away.", "Wait.");
    throw new PlatformError(word as "slow_down", word, "", { status: 400 });
  };
  const credentials = fileCredentials(dir);
  const client = new PlatformClient({ apiUrl: "https://host", transport, credentials, env: {}, now: () => now });
  const sleep = async (seconds: number) => {
    sleeps.push(seconds);
    now += seconds;
  };
  const login = (options = {}) => client.login({ sleep, out: (line) => lines.push(line), ...options });
  return { client, login, sleeps, lines, calls, dir, credentials };
}

test.each([
  [5, ["authorization_pending", "slow_down", "authorization_pending", "ok"], [5, 10, 10]],
  [0, ["authorization_pending", "ok"], [1]],
  [1, ["authorization_pending", "ok"], [1]],
  [5, ["lost", "lost", "ok"], [5, 5]],
])("at an interval of %i the polls %j sleep %j", async (interval, words, slept) => {
  const { login, sleeps } = signIn(words, { interval });
  expect(await login()).toMatchObject({ api_key: KEY });
  expect(sleeps).toEqual(slept);
});

test("the link stands alone on its line, with the code under it", async () => {
  const { login, lines } = signIn(["ok"]);
  await login();
  expect(lines).toEqual(["Open this link to sign in:", "https://host/device?code=BCDF-GHJK", "Code: BCDF-GHJK"]);
});

test("a login is saved for its owner alone, with its tier, and the pending one is gone", async () => {
  const { login, dir, credentials } = signIn(["ok"]);
  await login();
  const file = join(dir, "credentials.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    ...{ api_key: KEY, api_url: "https://host", name: "cli", user_id: "u" },
    ...{ created_at: "1970-01-01T00:16:40Z", tier: "full" },
  });
  expect(await credentials.readPending()).toBeNull();
});

test("an interrupted login goes on with the same code", async () => {
  const dir = folder();
  const first = signIn([], { dir });
  expect(await first.login({ wait: false })).toBeNull();
  const second = signIn(["ok"], { dir });
  expect(await second.login()).toMatchObject({ api_key: KEY });
  expect(second.calls.filter((call) => call.endsWith("/device/code"))).toEqual([]);
  expect(second.lines[0]).toBe("Go on with the sign-in that was begun:");
});

test.each([
  [1869, true],
  [1870, false],
  [1900, false],
])("at %d s a code that ends at 1900 s is taken up again: %s", async (at, resumes) => {
  const dir = folder();
  await signIn([], { dir }).login({ wait: false });
  const again = signIn(["ok"], { dir, at });
  await again.login();
  expect(again.calls.includes("POST /device/code")).toBe(!resumes);
});

test("while nobody approved it the answer is null, and the code stays", async () => {
  const { login, credentials } = signIn([]);
  expect(await login({ timeoutS: 20 })).toBeNull();
  expect(await credentials.readPending()).not.toBeNull();
});

test.each(["expired_token", "access_denied"])("%s ends it, and the code is forgotten", async (word) => {
  const { login, credentials } = signIn([word]);
  await expect(login()).rejects.toMatchObject({ code: word });
  expect(await credentials.readPending()).toBeNull();
});

test("six polls in a row without an answer end it, and the code stays for the next try", async () => {
  const { login, credentials, sleeps } = signIn(Array.from({ length: 9 }, () => "lost"));
  await expect(login()).rejects.toMatchObject({ code: "unreachable" });
  expect(sleeps).toHaveLength(5);
  expect(await credentials.readPending()).not.toBeNull();
});

test("logins of two platforms stand side by side, and the last is where the Python client reads it", async () => {
  const store = fileCredentials(folder());
  const one = { api_key: "k1", api_url: "https://one", name: null, user_id: null, created_at: "" };
  await store.write(one);
  await store.write({ ...one, api_key: "k2", api_url: "https://two" });
  expect((await store.read("https://one/base"))?.api_key).toBe("k1");
  expect((await store.read("https://two"))?.api_key).toBe("k2");
  expect((await store.read(null))?.api_key).toBe("k2");
  expect(await store.clear()).toBe(true);
  expect(await store.clear()).toBe(false);
});

test("a file that the Python client wrote is read, and its old address is the public one", async () => {
  const dir = folder();
  writeFileSync(
    join(dir, "credentials.json"),
    JSON.stringify({ api_key: "k", api_url: "https://api.zeroproofai.com" }),
  );
  expect(await fileCredentials(dir).read(null)).toMatchObject({ api_key: "k", api_url: "https://api.while.ai" });
});

test("a credentials file that is none is refused by name", async () => {
  const dir = folder();
  writeFileSync(join(dir, "credentials.json"), "oops");
  await expect(fileCredentials(dir).read(null)).rejects.toThrow("credentials.json is no JSON object.");
});

test.each([
  [KEY, "zp_aaaa...aaaa"],
  ["zp_shortkey12", "zp_shor...ey12"],
  ["zp_short", "zp_..."],
])("%s is shown as %s", (key, masked) => {
  expect(maskKey(key)).toBe(masked);
});

test("an address without @ is refused before any call, and a sign-up is saved", async () => {
  const calls: unknown[] = [];
  const credentials = fileCredentials(folder());
  const trial = { daily_input_tokens: 25000, expires_at: "2026-12-07T00:00:00Z" };
  const transport = async (...call: unknown[]) => {
    calls.push(call);
    return { api_key: KEY, name: "cli", user_id: "u", email: "a@b.c", tier: "trial", trial };
  };
  const client = new PlatformClient({ apiUrl: "https://host", transport, credentials, env: {} });
  await expect(client.signup("nobody")).rejects.toThrow("is no e-mail address");
  expect(calls).toEqual([]);
  await client.signup("A@b.c");
  expect(await credentials.read(null)).toMatchObject({ api_key: KEY, tier: "trial", daily_input_tokens: 25000 });
});

test("status masks the key, says where it is from, and never fails for want of one", async () => {
  const { client, login } = signIn(["ok"]);
  expect(await client.status()).toMatchObject({
    configured: false,
    key: null,
    source: null,
    link: "https://host/platform",
  });
  await login();
  expect(await client.status()).toMatchObject({
    ...{ configured: true, key: "zp_aaaa...aaaa", source: "file", name: "cli", tier: "full", pending: false },
  });
});
