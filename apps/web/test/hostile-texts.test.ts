import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barriersOf } from "./stage/axe.ts";
import { executablePath, openBrowser, openReader, type Reader } from "./stage/browser.ts";
import { HOSTILE, seedHostileBot } from "./stage/hostile-bot.ts";
import { picture } from "./stage/picture.ts";
import { type StagedPlatform, stagePlatform } from "./stage/platform.ts";
import { open, settled } from "./stage/settled.ts";

const LOOK = { width: 1280, theme: "light" } as const;

describe.skipIf(executablePath === undefined)("what agents write is shown and never run", { timeout: 300_000 }, () => {
  let platform: StagedPlatform;
  let browser: Browser;
  let reader: Reader;
  let ids: Record<string, string>;
  /** Addresses of other hosts that a page asked for. */
  const strangers: string[] = [];
  beforeAll(async () => {
    platform = await stagePlatform();
    browser = await openBrowser();
    ids = await seedHostileBot(platform);
    reader = await openReader(browser, platform, LOOK);
    reader.page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(platform.url))
        strangers.push(request.url());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  test.each([
    ["runs", "/platform/runs?agent=hostile-bot"],
    ["run", "/platform/runs?agent=hostile-bot&run={run}"],
    ["evals", "/platform/evals?agent=hostile-bot"],
    ["rows", "/platform/runs/{run}/rows?behavior=answers"],
    ["tasks", "/platform/runs/{run}/rows?behavior=answers&by=task&task=1&rollout=1&x=0&x=1"],
    ["datasets", "/platform/datasets"],
    ["datasets-by-purpose", "/platform/datasets?by=purpose"],
    ["dataset", "/platform/datasets/{dataset}"],
    ["training", "/platform/training/{training}"],
    ["training-list", "/platform/training"],
    [
      "hostile-address",
      `/platform/runs?agent=${encodeURIComponent(HOSTILE.image)}&q=${encodeURIComponent(HOSTILE.script)}`,
    ],
  ])("%s", async (name, address) => {
    const { page, errors } = reader;
    await open(
      page,
      address.replace(/\{(\w+)\}/g, (_, id: string) => ids[id]!),
    );
    for (const summary of await page.locator("summary:visible").all()) await summary.click();
    if (name === "rows") await page.keyboard.press("j");
    if (name === "rows") await page.keyboard.press("Enter");
    // All of a page is drawn: charts and figures wait to be scrolled to.
    await page.evaluate(async () => {
      for (let y = 0; y < document.documentElement.scrollHeight; y += window.innerHeight) {
        window.scrollTo(0, y);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
    });
    await settled(page);
    await picture(page, `hostile-${name}`, LOOK);
    const found = await page.evaluate(() => ({
      ran: (window as { __ran?: number }).__ran ?? 0,
      scripts: [...document.querySelectorAll("main script, main iframe, main object, main embed, main form[action]")]
        .length,
      handlers: [...document.querySelectorAll("main *")].filter((one) =>
        one.getAttributeNames().some((key) => /^on/i.test(key)),
      ).length,
      links: [...document.querySelectorAll("main a[href], main a")]
        .flatMap((one) => [one.getAttribute("href"), one.getAttribute("xlink:href")])
        .filter((href) => href !== null && !/^(https?:|[/?#]|mailto:)/i.test(href)),
      images: [...document.querySelectorAll("main img")]
        .map((one) => one.getAttribute("src"))
        .filter((src) => !/^(data|blob):|^\//.test(src ?? "")),
      sideways: document.documentElement.scrollWidth - window.innerWidth,
    }));
    expect.soft(found).toEqual({ ran: 0, scripts: 0, handlers: 0, links: [], images: [], sideways: 0 });
    expect.soft([strangers.splice(0), errors.splice(0), platform.complaints.splice(0)]).toEqual([[], [], []]);
    expect.soft(await barriersOf(page)).toEqual([]);
  });

  test("it is shown as the text that it is", async () => {
    const { page } = reader;
    await open(page, `/platform/runs?agent=hostile-bot&run=${ids.run}`);
    const runs = (await page.getByRole("main").textContent()) ?? "";
    expect(runs).toContain('v1"><img src=x>');
    await open(page, `/platform/runs/${ids.run}/rows?behavior=answers`);
    const rows = (await page.getByRole("main").textContent()) ?? "";
    expect(rows).toContain(HOSTILE.script);
  });
});
