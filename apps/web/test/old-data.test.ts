import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, openBrowser, openReader } from "./stage/browser.ts";
import { type StagedPlatform, stagePlatform } from "./stage/platform.ts";
import { seedRefundBot } from "./stage/refund-bot.ts";
import { open, settled } from "./stage/settled.ts";

/** Keeps the answers to one kind of call back until they are let go. */
async function heldBack(page: Page, url: RegExp): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

describe.skipIf(executablePath === undefined)("what was read stays while newer is read", { timeout: 120_000 }, () => {
  let platform: StagedPlatform;
  let browser: Browser;
  let page: Page;
  let runs: Record<string, string>;
  beforeAll(async () => {
    [platform, browser] = await Promise.all([stagePlatform(), openBrowser()]);
    ({ runs } = await seedRefundBot(platform));
    ({ page } = await openReader(browser, platform, { width: 1280, theme: "light" }));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  const EVALS = /\/agents\/refund-bot\/evals$/;
  const ROWS = /\/evals\/[^/]+\/rows\?/;
  const open50 = (): Promise<number> => page.locator("table.rows tbody:not(.room)").count();

  test("other rows are asked for: the last ones stand, and it is said that others are read", async () => {
    await open(page, `/platform/runs/${runs.v4}/rows?behavior=refunds_within_policy`);
    const release = await heldBack(page, ROWS);
    await page.getByRole("link", { name: /^failed \d/ }).click();
    await page.getByRole("status").filter({ hasText: "Reading the rows" }).waitFor();
    expect(await open50()).toBeGreaterThan(0);
    expect(await page.locator("table.rows").getAttribute("aria-busy")).toBe("true");
    release();
    await page.locator('table.rows[aria-busy="false"]').waitFor();
    await page.locator(".renewing").waitFor({ state: "detached" });
    await page.unroute(ROWS);
    await settled(page);
    expect(await page.locator("table.rows tbody:not(.room) .m").first().textContent()).toContain("failed");
  });

  test("what cannot be renewed keeps its age, says why, and is asked again by a button", async () => {
    await page.clock.install();
    await open(page, "/platform/evals?agent=refund-bot");
    await page.route(EVALS, (route) => route.abort());
    await page.clock.fastForward("05:00");
    // The page asks again when its reader comes back to it, and once more twice where nothing answers.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    const stale = page.getByRole("status").filter({ hasText: "does not answer" });
    await stale.waitFor({ timeout: 60_000 });
    expect(await stale.textContent()).toContain("5 minutes ago");
    expect(await page.getByRole("heading", { name: "All behaviors" }).count()).toBe(1);
    await page.unroute(EVALS);
    await page.getByRole("button", { name: "Try again" }).click();
    await stale.waitFor({ state: "detached" });
  });
});
