import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";

const SCRIPT = "console.log('pages');\n".repeat(200);
const BROWSER = { accept: "text/html,application/xhtml+xml;q=0.9" };

const place = mkdtempSync(join(tmpdir(), "while-pages-"));
const folder = join(place, "pages");
const empty = mkdtempSync(join(tmpdir(), "while-no-pages-"));
mkdirSync(join(folder, "assets"), { recursive: true });
writeFileSync(join(folder, "index.html"), "<!doctype html><title>While</title>");
writeFileSync(join(folder, "icon.svg"), "<svg/>");
writeFileSync(join(folder, "assets", "index-Ab3_-9xZ.js"), SCRIPT);
writeFileSync(join(place, "secret-beside-the-pages.txt"), "secret");

// Where the pages lie has nothing to do with the database: one kind is enough.
describe("pages", () => {
  let app: TestApp;
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    app.app.request(path, { method, headers });

  beforeAll(async () => {
    app = await withApp(await databases[0]!.open(), { settings: { pagesDir: folder } });
  });
  afterAll(async () => {
    await app.close();
    for (const made of [place, empty]) rmSync(made, { recursive: true, force: true });
  });

  test.each(["/", "/login", "/device?code=BCDF-GHJK", "/platform/runs?agent=bot", "/platform/runs/run_1/rows", "/x.y"])(
    "%s is the page, and asked for again each time",
    async (path) => {
      const answer = await get(path, BROWSER);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(await answer.text()).toContain("<title>While</title>");
    },
  );

  test("its policy lets nothing run but its own files", async () => {
    const { headers } = await get("/", BROWSER);
    const policy = headers.get("content-security-policy") as string;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(policy).toMatch(
      /object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; report-uri/,
    );
    expect(policy).not.toMatch(/script-src[^;]*unsafe|\*|https?:/);
    for (const [name, value] of [
      ["x-content-type-options", "nosniff"],
      ["x-frame-options", "DENY"],
      ["referrer-policy", "no-referrer"],
      ["cross-origin-opener-policy", "same-origin"],
      ["cross-origin-resource-policy", "same-origin"],
    ] as const)
      expect([name, headers.get(name)]).toEqual([name, value]);
  });

  test("a file with a hash in its name is kept for good, another one is asked for again", async () => {
    const script = await get("/assets/index-Ab3_-9xZ.js");
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect((await get("/icon.svg")).headers.get("cache-control")).toBe("no-cache");
    for (const file of [script, await get("/icon.svg")]) {
      expect(file.headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(file.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test.each([
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["br;q=0.0", null],
    ["", null],
  ] as const)("a browser that takes %j gets it packed as %s", async (accepted, packing) => {
    const answer = await get("/assets/index-Ab3_-9xZ.js", { "accept-encoding": accepted });
    expect(answer.headers.get("content-encoding")).toBe(packing);
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get("content-length")).toBe(String(bytes.byteLength));
    const unpacked = packing === "br" ? brotliDecompressSync(bytes) : packing === "gzip" ? gunzipSync(bytes) : bytes;
    expect(unpacked.toString()).toBe(SCRIPT);
  });

  test("what a browser has already is not sent again, in the packing that it has", async () => {
    const path = "/assets/index-Ab3_-9xZ.js";
    const packed = (await get(path, { "accept-encoding": "br" })).headers.get("etag") as string;
    const again = await get(path, { "accept-encoding": "br", "if-none-match": `"old", W/${packed}` });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await get(path, { "accept-encoding": "gzip", "if-none-match": packed })).status).toBe(200);
  });

  test("HEAD is GET without its body", async () => {
    const answer = await get("/", BROWSER, "HEAD");
    expect([answer.status, await answer.text(), answer.headers.get("content-type")]).toEqual([
      200,
      "",
      "text/html; charset=utf-8",
    ]);
  });

  test.each([
    ["/assets/index-gone.js", {}],
    ["/../secret-beside-the-pages.txt", {}],
    ["/..%2fsecret-beside-the-pages.txt", {}],
    ["/assets/..%2f..%2fsecret-beside-the-pages.txt", {}],
    ["/%ff", {}],
    ["/nothing", { accept: "application/json" }],
  ])("%s is no page", async (path, headers) => {
    const answer = await get(path, headers as Record<string, string>);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, "not_found"]);
  });

  test("a call of the API stays one, whoever asks", async () => {
    for (const path of ["/agents", "/me", "/runs/x", "/datasets"]) {
      const answer = await get(path, BROWSER);
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 401, "application/json"]);
    }
    expect((await get("/healthz", BROWSER)).headers.get("content-type")).toBe("application/json");
  });

  test("pages that were built anew are the ones that are served", async () => {
    writeFileSync(join(folder, "index.html"), "<!doctype html><title>While, again</title>");
    writeFileSync(join(folder, "assets", "again-00000000.js"), "1;");
    utimesSync(join(folder, "index.html"), new Date(), new Date(Date.now() + 5000));
    expect(await (await get("/", BROWSER)).text()).toContain("again");
    expect(await (await get("/assets/again-00000000.js")).text()).toBe("1;");
  });

  test("without built pages a person reads how to build them, and the API answers", async () => {
    const bare = await withApp(await databases[0]!.open(), { settings: { pagesDir: empty } });
    const answer = await bare.app.request("/", { headers: BROWSER });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"]);
    expect(await answer.text()).toContain("npm start");
    expect((await bare.app.request("/version")).status).toBe(200);
    await bare.close();
  });

  test("what a browser stopped is counted and logged without what stands behind ? and #", async () => {
    const report = {
      "document-uri": "http://platform.test/platform/runs?agent=secret#x",
      "effective-directive": "script-src-elem",
      "blocked-uri": "http://evil.test/x.js?token=secret",
      "source-file": "http://platform.test/assets/index.js",
      "line-number": 7,
    };
    const send = (body: unknown) => app.call("POST", "/csp-reports", body);
    expect((await send({ "csp-report": report })).status).toBe(204);
    expect((await send({ "csp-report": { "effective-directive": 'x"}\nforged' } })).status).toBe(204);
    const lines = app.logged.filter((line) => line.includes('"csp"'));
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      directive: "script-src-elem",
      blocked: "http://evil.test/x.js",
      page: "http://platform.test/platform/runs",
      source: "http://platform.test/assets/index.js",
      line: 7,
    });
    expect(lines.join("")).not.toMatch(/secret|forged/);
    const { body } = await app.call("GET", "/metrics");
    expect(body).toContain('while_csp_violations_total{directive="script-src-elem"} 1');
    expect(body).toContain('while_csp_violations_total{directive="other"} 1');
  });

  test.each([
    ["nothing", undefined, 400],
    ["no report", { a: 1 }, 400],
    ["a book", { "csp-report": { x: "y".repeat(20_000) } }, 413],
  ])("a report that is %s is refused", async (_, body, status) => {
    expect((await app.call("POST", "/csp-reports", body)).status).toBe(status);
  });
});
