import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barriersOf } from "./stage/axe.ts";
import { executablePath, LOOKS, type Looks, openBrowser, openReader, type Reader } from "./stage/browser.ts";
import { picture } from "./stage/picture.ts";
import { type StagedPlatform, stagePlatform } from "./stage/platform.ts";
import { seedRefundBot } from "./stage/refund-bot.ts";
import { seedDatasets, seedTraining } from "./stage/refund-sets.ts";
import { open, settled } from "./stage/settled.ts";

interface Place {
  name: string;
  address: string;
  /** What is done there before one looks. */
  act?: (reader: Reader) => Promise<void>;
  who?: "person" | "newcomer" | "stranger";
}

describe.skipIf(executablePath === undefined)("every page, in every state", { timeout: 300_000 }, () => {
  let platform: StagedPlatform;
  let newcomer: StagedPlatform;
  let browser: Browser;
  let ids: Record<string, string>;
  beforeAll(async () => {
    [platform, newcomer, browser] = await Promise.all([
      stagePlatform(),
      stagePlatform("new@example.org"),
      openBrowser(),
    ]);
    const { runs } = await seedRefundBot(platform);
    const sets = await seedDatasets(platform);
    const trained = await seedTraining(platform, sets);
    const empty = await platform.client.track("empty-bot");
    await empty.behavior("declared_only", { n: 40 });
    ids = { ...runs, ...sets, ...trained };
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([platform?.stop(), newcomer?.stop()]);
  });

  const press =
    (key: string) =>
    async ({ page }: Reader) => {
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
    };
  const dialog =
    (button: RegExp) =>
    async ({ page }: Reader) => {
      await page.getByRole("button", { name: button }).first().click();
      await page.getByRole("dialog").waitFor();
    };

  const PLACES: Place[] = [
    { name: "runs", address: "/platform/runs?agent=refund-bot" },
    { name: "runs-other-behavior", address: "/platform/runs?agent=refund-bot&behavior=quotes_order_total" },
    { name: "runs-open", address: "/platform/runs?agent=refund-bot&run={v4}" },
    { name: "runs-compare", address: "/platform/runs?agent=refund-bot&compare={v3}&compare={v4}" },
    { name: "runs-promote", address: "/platform/runs?agent=refund-bot", act: dialog(/^Promote/) },
    { name: "runs-keys", address: "/platform/runs?agent=refund-bot", act: press("?") },
    { name: "runs-agents", address: "/platform/runs?agent=refund-bot", act: press("a") },
    { name: "runs-empty", address: "/platform/runs?agent=empty-bot" },
    { name: "runs-unknown", address: "/platform/runs?agent=nobody" },
    { name: "runs-newcomer", address: "/platform/runs", who: "newcomer" },
    { name: "evals", address: "/platform/evals?agent=refund-bot" },
    { name: "evals-samples", address: "/platform/evals?agent=refund-bot&show=weak&samples=declines_late_return" },
    { name: "evals-empty", address: "/platform/evals?agent=empty-bot" },
    { name: "evals-newcomer", address: "/platform/evals", who: "newcomer" },
    { name: "rows", address: "/platform/runs/{v4}/rows?behavior=refunds_within_policy" },
    { name: "rows-failed", address: "/platform/runs/{v4}/rows?behavior=refunds_within_policy&ok=0" },
    { name: "rows-open", address: "/platform/runs/{v4}/rows?behavior=refunds_within_policy&row=1" },
    { name: "rows-cut", address: "/platform/runs/{v4}/rows?behavior=refunds_within_policy&cut=1&row=1" },
    { name: "rows-flips", address: "/platform/runs/{v4}/rows?behavior=refunds_within_policy&flips={v3}" },
    { name: "rows-range", address: "/platform/runs/{v4}/rows?behavior=refunds_within_policy&min.turns=4&max.turns=9" },
    { name: "rows-gold", address: "/platform/runs/{v4}/rows?behavior=declines_late_return" },
    { name: "rows-by-task", address: "/platform/runs/{v4}/rows?behavior=refunds_within_policy&by=task&sort=agreement" },
    {
      name: "rows-task-open",
      address: "/platform/runs/{v4}/rows?behavior=refunds_within_policy&by=task&task=2&rollout=2&x=0&x=5",
    },
    { name: "rows-none", address: "/platform/runs/{v4}/rows?behavior=refunds_within_policy&q=zzzzzz" },
    { name: "rows-newest", address: "/platform/rows?agent=refund-bot" },
    { name: "rows-newcomer", address: "/platform/rows", who: "newcomer" },
    { name: "datasets", address: "/platform/datasets" },
    { name: "dataset", address: "/platform/datasets/{train}" },
    { name: "datasets-by-purpose", address: "/platform/datasets?by=purpose" },
    { name: "dataset-rows", address: "/platform/datasets/{train}?rows=all&view=json" },
    { name: "dataset-publish", address: "/platform/datasets/{train}", act: dialog(/^Publish/) },
    { name: "dataset-delete", address: "/platform/datasets/{train}", act: dialog(/^Delete/) },
    { name: "dataset-unknown", address: "/platform/datasets/ds_0000000000000000" },
    { name: "datasets-newcomer", address: "/platform/datasets", who: "newcomer" },
    { name: "training-list", address: "/platform/training" },
    { name: "training", address: "/platform/training/{training}" },
    { name: "training-running", address: "/platform/training/{running}" },
    { name: "training-stop", address: "/platform/training/{running}", act: dialog(/^Stop run/) },
    { name: "training-failed", address: "/platform/training/{failed}" },
    { name: "training-side-by-side", address: "/platform/training?x={training}&x={running}" },
    { name: "training-of-agent", address: "/platform/training/{v4}" },
    { name: "training-newcomer", address: "/platform/training", who: "newcomer" },
    { name: "account", address: "/platform/account" },
    { name: "account-revoke", address: "/platform/account", act: dialog(/^Revoke/) },
    { name: "device", address: "/device" },
    { name: "device-over", address: "/device?code=AAAA-BBBB" },
    { name: "sign-in", address: "/login", who: "stranger" },
    { name: "sign-in-link-over", address: "/login?link=over", who: "stranger" },
    { name: "no-such-page", address: "/platform/nothing" },
  ];

  describe.each(LOOKS)("$width px, $theme", (look: Looks) => {
    const readers = new Map<string, Reader>();
    async function readerOf(who: NonNullable<Place["who"]>): Promise<Reader> {
      const known = readers.get(who);
      if (known !== undefined) return known;
      const of = who === "newcomer" ? newcomer : platform;
      const reader = await openReader(browser, of, { ...look, signedIn: who !== "stranger" });
      readers.set(who, reader);
      return reader;
    }
    afterAll(async () => {
      for (const { context } of readers.values()) await context.close();
    });

    test.each(PLACES)("$name", async ({ name, address, act, who = "person" }) => {
      const reader = await readerOf(who);
      const { page, errors } = reader;
      await open(
        page,
        address.replace(/\{(\w+)\}/g, (_, id: string) => ids[id]!),
      );
      await act?.(reader);
      await settled(page);
      await picture(page, name, look);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect.soft(await barriersOf(page)).toEqual([]);
      expect.soft({ sideways, errors: errors.splice(0), complaints: platform.complaints.splice(0) }).toEqual({
        sideways: 0,
        errors: [],
        complaints: [],
      });
    });
  });
});
