import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, openBrowser, openReader } from "./stage/browser.ts";
import { seedDeskBot } from "./stage/desk-bot.ts";
import { type StagedPlatform, stagePlatform } from "./stage/platform.ts";
import { seedRefundBot } from "./stage/refund-bot.ts";
import { open, settled } from "./stage/settled.ts";

const DESK = "/platform/runs?agent=desk-bot";
/** A machine that does other work takes its time; what is waited for is the event. */
const PATIENT = { timeout: 30_000 };

describe.skipIf(executablePath === undefined)("the table of runs and what it opens", { timeout: 120_000 }, () => {
  let platform: StagedPlatform;
  let browser: Browser;
  let page: Page;
  /** Runs of desk-bot, oldest first. */
  let ids: string[];
  beforeAll(async () => {
    [platform, browser] = await Promise.all([stagePlatform(), openBrowser()]);
    await seedRefundBot(platform);
    ids = await seedDeskBot(platform);
    ({ page } = await openReader(browser, platform, { width: 1280, theme: "light" }));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  const run = (): string | null => new URL(page.url()).searchParams.get("run");
  const rowOf = (id: string) => page.getByRole("row").filter({ has: page.locator(`a[data-run="${id}"]`) });
  const drawer = () => page.getByRole("region", { name: "Selected run" });
  /** Where the newest runs stand in the list, from the newest. */
  const newest = (place: number): string => ids.at(-1 - place)!;
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

  test("Back closes an open run, and does not open again what was closed", async () => {
    await open(page, "/platform/runs?agent=refund-bot");
    await open(page, DESK);
    await page.locator(`a[data-run="${newest(1)}"]`).click();
    await expect.poll(run, PATIENT).toBe(newest(1));
    await page.goBack();
    await expect.poll(run, PATIENT).toBeNull();
    await page.locator(`a[data-run="${newest(2)}"]`).click();
    await expect.poll(run, PATIENT).toBe(newest(2));
    // Another one takes the place of the open one and is no step of its own.
    await page.locator(`a[data-run="${newest(3)}"]`).click();
    await expect.poll(run, PATIENT).toBe(newest(3));
    await drawer()
      .getByRole("button", { name: /^close/ })
      .click();
    await expect.poll(run, PATIENT).toBeNull();
    await page.goBack();
    await expect.poll(() => page.url(), PATIENT).toContain("agent=refund-bot");
  });

  test("a link straight to a run closes too, and Back leads to where one came from", async () => {
    await open(page, "/platform/evals?agent=desk-bot");
    await open(page, `${DESK}&run=${newest(2)}`);
    await drawer()
      .getByRole("button", { name: /^close/ })
      .click();
    await expect.poll(run, PATIENT).toBeNull();
    await page.goBack();
    await expect.poll(() => page.url(), PATIENT).toContain("/platform/evals");
  });

  test("next and previous walk the filtered list over the edges of its pages", async () => {
    await open(page, `${DESK}&method=SFT&sort=created`);
    const listed = await page.locator("tbody a[data-run]").evaluateAll((links) => links.map((one) => one.dataset.run!));
    expect(listed.length).toBeGreaterThan(3);
    await open(page, DESK);
    await page.locator(`a[data-run="${newest(24)}"]`).click();
    await expect.poll(run, PATIENT).toBe(newest(24));
    await drawer().getByRole("button", { name: /^next/ }).click();
    await expect.poll(run, PATIENT).toBe(newest(25));
    expect(new URL(page.url()).searchParams.get("page")).toMatch(/^2~/);
    await settled(page);
    await drawer()
      .getByRole("button", { name: /^previous/ })
      .click();
    await expect.poll(run, PATIENT).toBe(newest(24));
    expect(new URL(page.url()).searchParams.get("page")).toBeNull();
  });

  test("a run is pinned above the others by p, and still is when the page is opened again", async () => {
    await open(page, `${DESK}&q=v2`);
    await page.locator(`a[data-run="${ids[3]}"]`).focus();
    await page.keyboard.press("p");
    await expect.poll(() => page.url(), PATIENT).toContain(`pin=${ids[3]}`);
    await open(page, DESK);
    await expect.poll(() => page.locator("tbody a[data-run]").nth(1).getAttribute("data-run"), PATIENT).toBe(ids[3]);
    await rowOf(ids[3]!)
      .getByRole("button", { name: /^unpin/ })
      .click();
    await expect.poll(() => page.locator(`tbody a[data-run="${ids[3]}"]`).count(), PATIENT).toBe(0);
  });

  test("columns are chosen for an agent, another behavior's score among them, and kept", async () => {
    await open(page, DESK);
    await page.locator("summary", { hasText: "columns" }).click();
    await page.getByRole("checkbox", { name: "refuses" }).check();
    await page.getByRole("checkbox", { name: "seed" }).uncheck();
    await open(page, DESK);
    const heads = await page.getByRole("table", { name: /^Runs/ }).getByRole("columnheader").allTextContents();
    expect(heads).toContain("refuses");
    expect(heads).not.toContain("seed");
    await expect.poll(() => rowOf(newest(0)).textContent(), PATIENT).toMatch(/\d ± 2\.0/);
    await open(page, "/platform/runs?agent=refund-bot");
    await page.getByRole("columnheader", { name: "seed" }).waitFor();
  });

  test("what is missing of a run is dismissed with a reason, and asked for again", async () => {
    await open(page, `${DESK}&run=${newest(0)}`);
    await drawer().getByRole("button", { name: "dismiss record" }).click();
    await page.keyboard.type("An old run: nobody has the rest.");
    await page.keyboard.press("Enter");
    await drawer().getByText("An old run: nobody has the rest.").waitFor();
    await drawer().getByRole("heading", { name: "Missing", exact: true }).waitFor();
    await expect.poll(() => rowOf(newest(0)).locator('a[href*="missing"]').count(), PATIENT).toBe(0);
    await drawer()
      .getByRole("button", { name: /^ask again/ })
      .click();
    await drawer().getByRole("button", { name: "dismiss record" }).waitFor();
  });

  test("the table is taken along as numbers and as texts", async () => {
    await open(page, `${DESK}&q=v11`);
    await page.getByRole("button", { name: "Copy the runs as JSONL" }).click();
    await expect.poll(copied, PATIENT).toContain('"version":"v11"');
    const facts = (await copied())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { score: number; ci: number });
    expect(facts).toHaveLength(3);
    expect(facts[0]).toMatchObject({ ci: 3 });
    await page.getByRole("button", { name: "Copy the runs as markdown" }).click();
    await expect.poll(copied, PATIENT).toMatch(/^\| version \| run \|/);
  });

  test("runs side by side: what differs, each change against the first, and both to take along", async () => {
    await open(page, `${DESK}&compare=${newest(0)}&compare=${newest(3)}`);
    const compare = page.getByRole("region", { name: "Compare" });
    await compare.getByText("optimizer.lr").waitFor();
    await compare
      .getByRole("table", { name: /^Scores/ })
      .getByText(/^−1\.5 ± 4\.2$/)
      .waitFor();
    await compare.getByRole("button", { name: "Copy the scores as CSV" }).click();
    await expect.poll(copied, PATIENT).toMatch(/^behavior,run,version,score,ci,n,testVersion\r\n/);
    await compare.getByRole("button", { name: "Copy the settings as JSONL" }).click();
    await expect.poll(copied, PATIENT).toContain('"setting":"optimizer.lr"');
  });

  test("the seeds of a version are read together: in its cells, in the chart and in the verdict", async () => {
    await open(page, DESK);
    await expect.poll(() => rowOf(newest(0)).textContent(), PATIENT).toContain("mean 77.9, sd 0.7");
    const chart = page.getByRole("slider", { name: /^Points of: Held-out score/ });
    await chart.focus();
    await page.keyboard.press("End");
    await expect.poll(() => chart.getAttribute("aria-valuetext"), PATIENT).toContain("3 seeds, mean 77.9, sd 0.7");
    await page
      .getByRole("region", { name: "Verdict" })
      .getByText(/3 seeds of v11/)
      .first()
      .waitFor();
  });

  test("every chart is read point by point", async () => {
    await open(page, `/platform/runs?agent=refund-bot`);
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    const readers = page.getByRole("main").getByRole("slider");
    await expect.poll(() => readers.count(), PATIENT).toBeGreaterThanOrEqual(7);
    for (const reader of await readers.all()) {
      await reader.focus();
      await page.keyboard.press("Home");
      const first = await reader.getAttribute("aria-valuetext");
      await page.keyboard.press("ArrowRight");
      expect([await reader.getAttribute("aria-valuenow"), first]).toEqual(["2", expect.stringMatching(/\d/)]);
    }
  });

  test("the list of agents says how each candidate stands, and stays on the page one is on", async () => {
    await open(page, "/platform/evals?agent=desk-bot");
    await page.keyboard.press("a");
    const dialog = page.getByRole("dialog", { name: "Agents" });
    await dialog.getByText(/v4 on refunds_within_policy/).waitFor();
    await page.keyboard.type("refund");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url(), PATIENT).toMatch(/\/platform\/evals\?agent=refund-bot/);
  });
});
