import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, openBrowser, openReader } from "./stage/browser.ts";
import { seedHistory } from "./stage/histories.ts";
import { type StagedPlatform, stagePlatform } from "./stage/platform.ts";
import { open } from "./stage/settled.ts";
import { wai } from "./stage/wai.ts";

/** Histories that are told twice, by a page and by the terminal. */
const HISTORIES = Array.from({ length: 20 }, (_, index) => index + 1);

/** What is said, without how it is set: a page has columns where the terminal has colons. */
function words(text: string): string {
  return text
    .replaceAll("\u2212", "-")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.±%=≥≠→-]/gu, "")
    .replace(/\.(?!\d)/g, "");
}

/** Sentences and calls of `wai brief`: all but its headings and its address. */
function briefLines(text: string): string[] {
  const told = text.split("\n").filter((line) => line.startsWith("  "));
  return told.map((line) => line.trim().replace(/^\d+\. /, ""));
}

/** Lines of `wai evals`: a behavior with what its test can carry, and each check with value, action and call. */
function evalLines(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const check = /^ {2}(?:no|ok|--) (.+?): (.+?)(?: -> (.+?) \((.+)\))?$/.exec(line);
    if (check === null) return line === "" ? [] : [line.replace(/ \((\d+ of \d+) checks pass\)$/, "")];
    const [, label, value, action, call] = check;
    const row = value === "—" ? [label!] : [`${label} ${value}`];
    return [...row, ...[action, call].filter((part) => part !== undefined)];
  });
}

describe.skipIf(executablePath === undefined)("a page and the terminal say the same", { timeout: 300_000 }, () => {
  let platform: StagedPlatform;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    platform = await stagePlatform();
    browser = await openBrowser();
    ({ page } = await openReader(browser, platform, { width: 1280, theme: "light" }));
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  /** All that a page says once it has been read to its end, folded parts too. */
  async function said(address: string): Promise<string> {
    await open(page, address);
    return words((await page.getByRole("main").textContent()) ?? "");
  }

  test.each(HISTORIES)("history %d", async (seed) => {
    const { agent } = await seedHistory(platform, seed);
    const [verdict, brief, evals] = await Promise.all(
      ["verdict", "brief", "evals"].map((verb) => wai(platform, [verb, agent])),
    );
    expect([verdict, brief, evals].map((one) => one?.stderr)).toEqual(["", "", ""]);
    const runs = await said(`/platform/runs?agent=${agent}`);
    for (const line of [verdict!.stdout.trim(), ...briefLines(brief!.stdout)]) expect(runs).toContain(words(line));
    const checks = await said(`/platform/evals?agent=${agent}`);
    for (const line of evalLines(evals!.stdout)) expect(checks).toContain(words(line));
  });
});
