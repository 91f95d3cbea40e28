import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, LOOKS, openBrowser, openReader } from "./stage/browser.ts";
import { picture } from "./stage/picture.ts";
import { type StagedPlatform, stagePlatform } from "./stage/platform.ts";
import { open, settled } from "./stage/settled.ts";
import { wai } from "./stage/wai.ts";

const RECIPE = fileURLToPath(new URL("../../../recipes/04-train/report-run/", import.meta.url));

describe.skipIf(executablePath === undefined)("the whole story", { timeout: 300_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  /** Runs the recipe as somebody does, with the key of a login. */
  function report(platform: StagedPlatform, key: string): Promise<{ status: number | null; said: string }> {
    const env = { ...process.env, WHILEAI_API_URL: platform.url, WHILEAI_API_KEY: key, NO_COLOR: "1" };
    const child = spawn(process.execPath, ["--import", "tsx", "recipe.ts"], { cwd: RECIPE, env });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        said += chunk;
      });
    return new Promise((resolve) => child.on("close", (status) => resolve({ status, said })));
  }

  test.each(LOOKS)("at $width px, $theme", async (look) => {
    const platform = await stagePlatform();
    const home = mkdtempSync(join(tmpdir(), "while-home-"));
    try {
      const { page, context, errors } = await openReader(browser, platform, { ...look, signedIn: false });

      // Somebody signs in.
      await page.goto("/");
      await page.getByLabel("E-mail").fill(platform.email);
      await page.getByRole("button", { name: "Send the code" }).click();
      await page.getByLabel("Six digits").fill("      ");
      await page.getByLabel("Six digits").fill(platform.code());
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("**/platform/runs**");

      // Their terminal asks for a key, and gets it on the page.
      let linked = (_link: string): void => {};
      const link = new Promise<string>((resolve) => {
        linked = resolve;
      });
      const login = wai({ ...platform, key: "" }, ["login", "--no-browser"], {
        env: { WHILEAI_HOME: home },
        hear: (said) => {
          const at = /http\S+\/device\S*code=\S+/.exec(said);
          if (at !== null) linked(at[0]);
        },
      });
      await page.goto(await link);
      await page.getByRole("button", { name: "Approve" }).waitFor();
      await picture(page, "story-device", look);
      await page.getByRole("button", { name: "Approve" }).click();
      expect((await login).status).toBe(0);
      const { api_key: key } = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as { api_key: string };

      // A training loop reports its runs while the page is open, and the page follows by itself.
      const bot = await platform.client.track("order-desk", { model: "softmax-4" });
      await bot.register();
      await open(page, "/platform/runs?agent=order-desk");
      const recipe = report(platform, key);
      await page.getByRole("table").getByText("grpo-200").first().waitFor({ timeout: 240_000 });
      const { status, said } = await recipe;
      await settled(page);
      await picture(page, "story-reported", look);
      expect([status, said]).toEqual([0, expect.stringContaining("grpo-200")]);

      // What the tests can carry, and which rows failed.
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Evals" }).click();
      await settled(page);
      await page.getByRole("heading", { name: "right_reply" }).waitFor();
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Rows" }).click();
      await page.waitForURL("**/rows?**");
      await settled(page);
      await page
        .getByRole("link", { name: /^failed/i })
        .or(page.getByRole("button", { name: /^failed/i }))
        .first()
        .click();
      await page.waitForURL(/ok=/);
      await settled(page);

      // The decision, by a person.
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Runs" }).click();
      await settled(page);
      await page.getByRole("button", { name: /^Promote/ }).click();
      const dialog = page.getByRole("dialog");
      // What it rests on comes when it is asked for.
      await dialog.getByRole("button", { name: /^Promote/ }).waitFor();
      const reason = dialog.getByRole("textbox");
      if ((await reason.count()) > 0) await reason.fill("It answers what the desk is asked.");
      await dialog.getByRole("button", { name: /^Promote/ }).click();
      await dialog.getByText("serves since").waitFor();
      await picture(page, "story-promoted", look);
      await dialog.getByRole("button", { name: "Done" }).click();
      await dialog.waitFor({ state: "hidden" });
      await expect.poll(async () => (await bot.dashboard()).agent.serving).toBe("grpo-200");

      // And out again: nothing is shown to who is not signed in.
      await page.goto("/platform/account");
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await page.getByLabel("E-mail").waitFor();
      await page.goto("/platform/runs?agent=order-desk");
      await page.getByLabel("E-mail").waitFor();
      expect([errors, platform.complaints]).toEqual([[], []]);
      await context.close();
    } finally {
      await platform.stop();
      rmSync(home, { recursive: true, force: true });
    }
  });
});
