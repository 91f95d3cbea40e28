import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executablePath, openBrowser, openReader } from "./stage/browser.ts";
import { type StagedPlatform, stagePlatform } from "./stage/platform.ts";
import { seedRefundBot } from "./stage/refund-bot.ts";
import { seedDatasets, seedTraining } from "./stage/refund-sets.ts";
import { open, settled } from "./stage/settled.ts";

describe.skipIf(executablePath === undefined)("rows, sets and runs are looked into", { timeout: 180_000 }, () => {
  let platform: StagedPlatform;
  let browser: Browser;
  let page: Page;
  let ids: Record<string, string>;
  const rows = "/platform/runs/{v4}/rows?behavior=refunds_within_policy";
  const at = (address: string): string => address.replace(/\{(\w+)\}/g, (_, id: string) => ids[id]!);

  beforeAll(async () => {
    [platform, browser] = await Promise.all([stagePlatform(), openBrowser()]);
    const { runs } = await seedRefundBot(platform);
    const sets = await seedDatasets(platform);
    ids = { ...runs, ...sets, ...(await seedTraining(platform, sets)) };
    ({ page } = await openReader(browser, platform, { width: 1280, theme: "light" }));
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  /** What the platform says of the same rows. */
  async function asked<Answer>(path: string): Promise<Answer> {
    const response = await fetch(platform.url + at(path), { headers: { "X-Api-Key": platform.key } });
    return (await response.json()) as Answer;
  }

  test("rows by task: how far they agree, one task opened by keys, its rollouts side by side", async () => {
    await open(page, at(rows));
    await page.getByRole("link", { name: "by task" }).click();
    await page.getByRole("link", { name: "least agreed first" }).click();
    await page.waitForURL(/by=task.*sort=agreement/);
    await settled(page);
    const path = "/runs/{v4}/evals/refunds_within_policy/tasks?sort=agreement&limit=1";
    const { agreement } = await asked<{ agreement: { tasks: number; unanimous: number; agreement: number } }>(path);
    const said = `${agreement.tasks} tasks. In ${agreement.unanimous} of them`;
    await page.getByText(said).waitFor();
    await page.getByText(`${(100 * agreement.agreement).toFixed(1)}% of pairs`).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/task=1/);
    await page.getByRole("heading", { name: "What was asked" }).waitFor();
    await page.getByRole("button", { name: /^read whole.*rollout 2$/ }).click();
    await page.waitForURL(/rollout=2/);
    await page.keyboard.press("x");
    await page.waitForURL(/[?&]x=\d+/);
    await page.getByRole("button", { name: /^mark\s+rollout 1$/ }).click();
    const marked = page.locator("#marked li");
    await expect.poll(() => marked.count()).toBe(2);
    // The same prompt was asked of both: it is written once.
    expect(await marked.nth(1).textContent()).toContain("the same was asked");
    await page.reload();
    await settled(page);
    expect(await marked.count()).toBe(2);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).not.toMatch(/[?&](task|rollout)=/);
    await page.getByRole("link", { name: "Unmark all 2" }).click();
    await expect.poll(() => page.locator("#marked").count()).toBe(0);
  });

  test("rows are narrowed by a number: typed as a range, or clicked in the breakdown", async () => {
    await open(page, at(rows));
    await page.getByText("any turns").click();
    const range = page.getByRole("form", { name: "Range of turns" });
    await range.getByLabel("from").fill("many");
    await range.getByLabel("from").press("Enter");
    await range.getByText("“many” is no number.").waitFor();
    await range.getByLabel("from").fill("14");
    await range.getByLabel("from").press("Enter");
    await page.waitForURL(/min\.turns=14/);
    await settled(page);
    const path = "/runs/{v4}/evals/refunds_within_policy/rows/summary?min.turns=14";
    const { n, failed } = await asked<{ n: number; failed: number }>(path);
    await page.getByRole("link", { name: `all ${n}`, exact: true }).waitFor();
    await page.getByRole("link", { name: `failed ${failed}`, exact: true }).waitFor();
    await page.getByRole("button", { name: "Show all rows" }).click();
    await settled(page);
    await page.locator("table.bd").filter({ hasText: "turns" }).getByRole("link").first().click();
    await page.waitForURL(/min\.turns=\d+&max\.turns=\d+/);
    // A filter begins at the first page; the same click takes it back.
    await page.locator("table.bd").filter({ hasText: "turns" }).locator("a[aria-current]").click();
    await expect.poll(() => page.url()).not.toContain("turns");
  });

  test("the rows on which judge and gold part are one click away", async () => {
    await open(page, at("/platform/runs/{v4}/rows?behavior=declines_late_return"));
    const table = page.getByRole("table", { name: "Grades against gold labels" });
    const apart = table
      .getByRole("row", { name: /graded passed/ })
      .getByRole("link")
      .nth(1);
    const n = Number.parseInt((await apart.textContent()) ?? "", 10);
    expect(n).toBeGreaterThan(0);
    await apart.click();
    await page.waitForURL(/ok=1.*tag\.gold=fail|tag\.gold=fail.*ok=1/);
    await page.getByRole("link", { name: `passed ${n}`, exact: true }).waitFor();
  });

  test("a look into the set that one measures on is a link that reproduces it", async () => {
    const { datasets } = await asked<{ datasets: { datasetId: string; purpose: string }[] }>("/datasets");
    const held = datasets.find(({ purpose }) => purpose === "holdout")!.datasetId;
    await open(page, at(`/platform/datasets/{raw}?against=${held}`));
    const found = page.locator("#overlap").getByRole("status").filter({ hasText: "rows are in it" });
    await found.waitFor();
    expect(await found.textContent()).toContain("the same task");
    await page.goto(at("/platform/datasets/{train}"));
    await settled(page);
    await page.getByRole("button", { name: "Look" }).click();
    await page.waitForURL(/against=/);
    await page.locator("#overlap").getByRole("status").filter({ hasText: /in it/ }).waitFor();
  });

  test("[ and ] lead through the sets in the order of their list", async () => {
    await open(page, "/platform/datasets");
    const names = (await page.locator("table.tree tbody th a").allTextContents()).slice(0, 2);
    await page.getByRole("link", { name: names[0]! }).first().click();
    await page.getByRole("heading", { level: 1, name: names[0]! }).waitFor();
    await page.keyboard.press("]");
    await page.getByRole("heading", { level: 1, name: names[1]! }).waitFor();
    await page.keyboard.press("[");
    await page.getByRole("heading", { level: 1, name: names[0]! }).waitFor();
    await page.keyboard.press("[");
    await expect.poll(() => page.getByRole("status").allTextContents()).toContain("No set before this one.");
  });

  test("the list of sets is taken along as a table, and its warnings are copied", async () => {
    await open(page, "/platform/datasets");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV" }).click();
    const [head, ...lines] = readFileSync(await (await saved).path(), "utf8")
      .trimEnd()
      .split("\r\n");
    expect(head).toMatch(/^dataset_id,name,agent,purpose/);
    expect(lines).toHaveLength(7);
    await page.keyboard.press("c");
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/refunds-late-asks.*uploading[\s\S]*Dataset `refunds-grpo`[\s\S]*wai optimize/);
  });

  test("training runs are marked by x and stand side by side", async () => {
    await open(page, "/platform/training");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.waitForURL(/[?&]x=/);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.waitForURL(/[?&]x=.*&x=/);
    const compared = page.getByRole("table", { name: "The marked runs side by side" });
    await compared.waitFor();
    expect(await compared.getByRole("columnheader").count()).toBe(2);
    await page.getByRole("link", { name: "Unmark all 2" }).click();
    await compared.waitFor({ state: "detached" });
  });

  test("evals are narrowed to the weak ones by a link", async () => {
    await open(page, "/platform/evals?agent=refund-bot");
    const behaviors = page.locator("table.matrix tbody tr");
    expect(await behaviors.count()).toBe(5);
    await page.getByRole("link", { name: /^weak \d/ }).click();
    await page.waitForURL(/show=weak/);
    await expect.poll(() => behaviors.count()).toBe(2);
    expect(await behaviors.first().textContent()).toContain("weak");
  });
});
