import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { openSqlite } from "../../server/src/db/open-database.ts";
import { type Seeded, seedPlatform } from "./platform-seed.ts";
import { printTable } from "./print-table.ts";
import { type Server, startServer } from "./start-server.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"];
/** Each page is opened this often; the middle one is told. */
const TIMES = 5;

/** `pages`: how long a reader waits for the pages of an agent with 1,000 runs, and whether scrolling stutters. */
export async function pagesCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: "string", default: "1000" },
      points: { type: "string", default: "1000" },
      rows: { type: "string", default: "20000" },
    },
  });
  const executablePath = [process.env.CHROMIUM ?? "", ...CHROMIUM].find((path) => path !== "" && existsSync(path));
  if (executablePath === undefined) throw new Error("No Chromium here: install one, or name it in CHROMIUM.");
  const sizes = { runs: Number(values.runs), points: Number(values.points), rows: Number(values.rows) };
  const data = mkdtempSync(join(tmpdir(), "while-pages-bench-"));
  const database = openSqlite(join(data, "while.db"));
  const seeded = await seedPlatform(database, data, sizes);
  await database.close();
  const server = await startServer(data);
  const browser = await chromium.launch({ executablePath, args: ARGS });
  try {
    const { context, page } = await signedIn(browser, server, seeded.key);
    const rows = await measured(page, seeded);
    process.stdout.write(`${sizes.runs} runs, ${sizes.runs * sizes.points} points, 2 x ${sizes.rows} rows; SQLite\n\n`);
    printTable(["what a reader does", "waits ms", "longest frame ms", "frames over 100 ms"], rows);
    process.stdout.write(`\nfirst page over the line: ${await firstPageKb(context, server, seeded)} kB\n`);
  } finally {
    await browser.close();
    server.child.kill("SIGTERM");
    rmSync(data, { recursive: true, force: true });
  }
}

/** A browser whose person came in by a link, as `wai platform` prints one. */
async function signedIn(
  browser: Browser,
  { url }: Server,
  key: string,
): Promise<{ context: BrowserContext; page: Page }> {
  const answer = await fetch(`${url}/auth/sign-in-link`, { method: "POST", headers: { "x-api-key": key } });
  if (!answer.ok) throw new Error(`No link to sign in by: ${answer.status} ${await answer.text()}`);
  const link = (await answer.json()) as { url: string };
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(link.url);
  await page.waitForURL("**/platform/**");
  return { context, page };
}

async function measured(page: Page, { agent, runIds }: Seeded): Promise<string[][]> {
  const runs = `/platform/runs?agent=${agent}`;
  const rows = `/platform/runs/${runIds.newest}/rows?behavior=refunds`;
  return [
    await opened(page, "opens Runs", runs, "table tbody tr"),
    await scrolled(page, "scrolls Runs to its end"),
    await acted(page, "finds a run by its name", async () => {
      await page.getByPlaceholder(/Find a run/).fill("v99");
      await page.waitForURL(/q=v99/);
      await page.locator(".waiting").waitFor({ state: "detached" });
    }),
    await acted(page, "sorts the runs by score", async () => {
      await page.locator("#runs th button", { hasText: "score" }).first().click();
      await page.waitForURL(/sort=/);
      await page.locator(".waiting").waitFor({ state: "detached" });
    }),
    await opened(page, "opens Evals", `/platform/evals?agent=${agent}`, "table tbody tr"),
    await opened(page, "opens Rows", rows, "[role=row], tbody tr"),
    await scrolled(page, "scrolls Rows to its end"),
    await acted(page, "asks for the failed ones", async () => {
      await page.goto(`${rows}&ok=0`);
      await page.locator("[role=row], tbody tr").first().waitFor();
    }),
    await opened(page, "finds words in 20,000 rows", `${rows}&q=order`, "[role=row], tbody tr"),
  ];
}

/** The middle of several openings, each from an address to the rows that one came for. */
async function opened(page: Page, what: string, address: string, rows: string): Promise<string[]> {
  const waits: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    await page.goto(address, { waitUntil: "commit" });
    await page.locator(`main ${rows}`).first().waitFor();
    waits.push(performance.now() - began);
  }
  return [what, String(Math.round(waits.sort((a, b) => a - b)[TIMES >> 1]!)), "", ""];
}

async function acted(page: Page, what: string, act: () => Promise<void>): Promise<string[]> {
  const frames = await watchFrames(page);
  const began = performance.now();
  await act();
  const waited = performance.now() - began;
  return [what, String(Math.round(waited)), ...(await frames())];
}

/** Turns the wheel to the end of the page, a fifth of a screen at a time. */
async function scrolled(page: Page, what: string): Promise<string[]> {
  const frames = await watchFrames(page);
  const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
  await page.mouse.move(640, 450);
  for (let y = 0; y < height; y += 180) {
    await page.mouse.wheel(0, 180);
    await page.waitForTimeout(16);
  }
  return [what, "", ...(await frames())];
}

/** Runs in the browser: how long each frame takes, until it is asked. */
const WATCH = `{
  const watched = { longest: 0, slow: 0, watching: true };
  window.watched = watched;
  let last = performance.now();
  const look = (now) => {
    watched.longest = Math.max(watched.longest, now - last);
    if (now - last > 100) watched.slow += 1;
    last = now;
    if (watched.watching) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}`;

/** Watches the frames of the page there is; a page that is loaded meanwhile has none to tell of. */
async function watchFrames(page: Page): Promise<() => Promise<[longest: string, slow: string]>> {
  await page.evaluate(WATCH);
  return async () => {
    const seen = await page.evaluate("window.watched && (window.watched.watching = false, window.watched)");
    const watched = (seen ?? null) as { longest: number; slow: number } | null;
    return watched === null ? ["", ""] : [String(Math.round(watched.longest)), String(watched.slow)];
  };
}

/** What a browser that knows nothing yet fetches to draw Runs, packed as it travels, in kB; plotly comes later. */
async function firstPageKb(context: BrowserContext, { url }: Server, { agent }: Seeded): Promise<string> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const files = new Map<string, string>();
  let bytes = 0;
  session.on("Network.responseReceived", ({ requestId, response }) => files.set(requestId, response.url));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const file = files.get(requestId)?.replace(url, "") ?? "";
    if (/^\/(assets\/|icon|platform)/.test(file) && !/plotly/i.test(file)) bytes += encodedDataLength;
  });
  await page.goto(`/platform/runs?agent=${agent}`);
  await page.locator("main table tbody tr").first().waitFor();
  return (bytes / 1000).toFixed(0);
}
