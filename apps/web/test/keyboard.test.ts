import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, openBrowser, openReader } from "./stage/browser.ts";
import { type StagedPlatform, stagePlatform } from "./stage/platform.ts";
import { seedRefundBot } from "./stage/refund-bot.ts";
import { open, settled } from "./stage/settled.ts";

describe.skipIf(executablePath === undefined)("without a mouse", { timeout: 300_000 }, () => {
  let platform: StagedPlatform;
  let browser: Browser;
  let page: Page;
  let runs: Record<string, string>;
  beforeAll(async () => {
    [platform, browser] = await Promise.all([stagePlatform(), openBrowser()]);
    ({ runs } = await seedRefundBot(platform));
    ({ page } = await openReader(browser, platform, { width: 1280, theme: "light" }));
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  /** What has the focus: its accessible name as far as the page gives one. */
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const one = document.activeElement as HTMLElement | null;
      const label =
        one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement ? one.labels?.[0]?.textContent : null;
      return (one?.getAttribute("aria-label") ?? label ?? one?.textContent ?? "").trim();
    });

  /** Goes on by Tab until what has the focus is called so. */
  async function tabTo(name: RegExp, most = 80): Promise<void> {
    const passed: string[] = [];
    for (let step = 0; step < most; step += 1) {
      await page.keyboard.press("Tab");
      const here = await focused();
      if (name.test(here)) return;
      passed.push(here.slice(0, 40));
    }
    throw new Error(`Tab never came to ${name}; it came to ${passed.join(" | ")}`);
  }

  test("the first Tab offers to skip to the report", async () => {
    await open(page, "/platform/runs?agent=refund-bot");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the report");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
  });

  test("keys lead from page to page, and the sheet tells them", async () => {
    await open(page, "/platform/runs?agent=refund-bot");
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog");
    await sheet.getByText("copy for agent").waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });
    for (const [key, address] of [
      ["e", "evals"],
      ["d", "datasets"],
      ["t", "training"],
      ["r", "runs"],
    ]) {
      // One right after the other, as a pair is typed, however long the page takes to hear of them.
      await Promise.all([page.keyboard.press("g"), page.keyboard.press(key!)]);
      await page.waitForURL(`**/platform/${address}?agent=refund-bot`);
    }
  });

  test("the brief is copied for an agent by c", async () => {
    await open(page, "/platform/runs?agent=refund-bot");
    await page.keyboard.press("c");
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("v4");
    await expect
      .poll(() => page.getByRole("status").allTextContents())
      .toContainEqual(expect.stringMatching(/^Copied/));
  });

  test("a run is opened, walked from and closed", async () => {
    await open(page, "/platform/runs?agent=refund-bot");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/run=/);
    // What is opened comes when it is asked for.
    await settled(page);
    const before = page.url();
    await page.keyboard.press("]");
    await expect.poll(() => page.url()).not.toBe(before);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).not.toMatch(/run=/);
  });

  test("rows are found, filtered, opened and closed", async () => {
    await open(page, `/platform/runs/${runs.v4}/rows?behavior=refunds_within_policy`);
    await page.keyboard.press("/");
    await page.keyboard.type("gift");
    await page.waitForURL(/q=gift/);
    await page.keyboard.press("Escape");
    await settled(page);
    // The find field is behind the filters: the way leads through the rows and the head of the page.
    await tabTo(/^failed/i, 140);
    await page.keyboard.press("Enter");
    await page.waitForURL(/ok=/);
    expect(page.url()).toContain("q=gift");
    await settled(page);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/row=/);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).not.toMatch(/[?&]row=/);
    // What was closed stays closed: Back goes on to what was before it was opened.
    await page.goBack();
    await page.waitForURL(/q=gift/);
    expect(page.url()).not.toMatch(/[?&]row=/);
  });

  test("a version is promoted with its reason, and the focus comes back", async () => {
    await open(page, "/platform/runs?agent=refund-bot");
    await tabTo(/^Promote v4/);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    // What it rests on comes when it is asked for.
    await dialog.getByRole("textbox").waitFor();
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press("Tab");
      expect(
        await page.evaluate(
          () => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null,
        ),
      ).toBe(true);
    }
    await tabTo(/^Reason/);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(focused).toMatch(/^Promote v4/);
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await tabTo(/^Reason/);
    await page.keyboard.type("It clears its interval.");
    await tabTo(/^Promote v4/);
    await page.keyboard.press("Enter");
    await dialog.getByText("serves since").waitFor();
    await tabTo(/^Done/);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/BUTTON|BODY/);
    const bot = await platform.client.track("refund-bot");
    expect((await bot.dashboard()).agent.serving).toBe("v4");
  });
});
