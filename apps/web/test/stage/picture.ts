import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { Looks } from "./browser.ts";

const TALLEST = 16_000;
const SCREENS = fileURLToPath(new URL("../../out/screens", import.meta.url));

/** The whole page as a picture for a person to look at. Charts that wait to be scrolled to are drawn first. */
export async function picture(page: Page, name: string, { width, theme }: Looks): Promise<void> {
  mkdirSync(SCREENS, { recursive: true });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.waitForTimeout(150);
  const path = join(SCREENS, `${name}-${width}-${theme}.png`);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  // A browser draws no picture taller than this; of such a page the beginning is enough.
  await page.screenshot({ path, fullPage: height < TALLEST });
}
