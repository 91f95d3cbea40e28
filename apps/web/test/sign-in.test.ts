import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, openBrowser, openReader } from "./stage/browser.ts";
import { type StagedPlatform, stagePlatform } from "./stage/platform.ts";
import { wai } from "./stage/wai.ts";

const DESK = { width: 1280, theme: "light" } as const;

describe.skipIf(executablePath === undefined)("signing in", { timeout: 300_000 }, () => {
  let platform: StagedPlatform;
  let browser: Browser;
  const home = mkdtempSync(join(tmpdir(), "while-home-"));
  beforeAll(async () => {
    platform = await stagePlatform();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  test("a page that wants a person asks who it is, and shows itself afterwards", async () => {
    const { page, context, errors } = await openReader(browser, platform, { ...DESK, signedIn: false });
    await page.goto("/platform/datasets?purpose=holdout");
    await page.getByLabel("E-mail").fill(platform.email);
    await page.getByRole("button", { name: "Send the code" }).click();
    await page.getByLabel("Six digits").waitFor();
    const wrong = platform.code() === "000000" ? "111111" : "000000";
    await page.getByLabel("Six digits").fill(wrong);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Six digits").fill(platform.code());
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/platform/datasets?purpose=holdout");
    await page.getByRole("banner").getByText(platform.email).waitFor();
    const cookies = await context.cookies();
    expect(cookies.find(({ name }) => name === "while_session")).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    expect([errors, platform.complaints]).toEqual([[], []]);
    await context.close();
  });

  test("an address of another site is no place to go on to", async () => {
    const { page, context } = await openReader(browser, platform, DESK);
    await page.goto("/login?next=https%3A%2F%2Fother.example%2Fsteal");
    await page.waitForURL("**/platform/runs**");
    expect(new URL(page.url()).origin).toBe(platform.url);
    await context.close();
  });

  /** Runs `wai login` and answers the page that it names. */
  async function loginAnswered(answer: "Approve" | "Deny"): Promise<{ status: number | null; said: string }> {
    let found = (_link: string): void => {};
    const link = new Promise<string>((resolve) => {
      found = resolve;
    });
    const ended = wai({ ...platform, key: "" }, ["login", "--no-browser", "--name", "laptop"], {
      env: { WHILEAI_HOME: home },
      hear: (said) => {
        const at = /http\S+\/device\S*code=\S+/.exec(said);
        if (at !== null) found(at[0]);
      },
    });
    const { page, context } = await openReader(browser, platform, DESK);
    await page.goto(await link);
    await page.getByText("laptop").waitFor();
    await page.getByRole("button", { name: answer }).click();
    const { status, stdout, stderr } = await ended;
    await context.close();
    return { status, said: stdout + stderr };
  }

  test("wai login is approved on its page, and its key works", async () => {
    const { status, said } = await loginAnswered("Approve");
    expect([status, said]).toEqual([0, expect.stringContaining(`signed in at ${platform.url}`)]);
    const { keys } = await platform.client.keys();
    expect(keys.map(({ name }) => name)).toContain("laptop");
  });

  test("wai login is denied on its page, and gets nothing", async () => {
    const { status, said } = await loginAnswered("Deny");
    expect([status, said]).toEqual([1, expect.stringMatching(/denied/i)]);
  });
});
