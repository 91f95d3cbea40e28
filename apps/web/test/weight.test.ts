import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, openBrowser, openReader } from "./stage/browser.ts";
import { type StagedPlatform, stagePlatform } from "./stage/platform.ts";
import { seedRefundBot } from "./stage/refund-bot.ts";
import { open } from "./stage/settled.ts";

/** Bytes that the first page may be over the line, packed, without the library that draws posted figures. */
const BUDGET = 250_000;

describe.skipIf(executablePath === undefined)("what a page weighs", { timeout: 300_000 }, () => {
  let platform: StagedPlatform;
  let browser: Browser;
  beforeAll(async () => {
    [platform, browser] = await Promise.all([stagePlatform(), openBrowser()]);
    await seedRefundBot(platform);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  test("the first page is within its budget, and plotly comes when a figure is near", async () => {
    const { page, context } = await openReader(browser, platform, { width: 1280, theme: "light" });
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    const files = new Map<string, { path: string; bytes: number }>();
    session.on("Network.responseReceived", ({ requestId, response }) => {
      files.set(requestId, { path: new URL(response.url).pathname, bytes: 0 });
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const file = files.get(requestId);
      if (file !== undefined) file.bytes = encodedDataLength;
    });
    const weigh = (of: RegExp): number =>
      [...files.values()].filter(({ path }) => of.test(path)).reduce((sum, { bytes }) => sum + bytes, 0);
    await open(page, "/platform/runs?agent=refund-bot");
    expect(weigh(/plotly/i)).toBe(0);
    expect(weigh(/^\/(assets|platform|icon)/)).toBeGreaterThan(50_000);
    expect(weigh(/^\/(assets|platform|icon)/)).toBeLessThan(BUDGET);
    await page.getByText("failures-by-reason").first().scrollIntoViewIfNeeded();
    await expect.poll(() => weigh(/plotly/i)).toBeGreaterThan(100_000);
    await context.close();
  });
});
