import type { Page } from "playwright-core";

/** Opens a page and waits until nothing on it is still being read. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

/** Waits until a heading stands there and nothing is being read any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  for (let calm = 0; calm < 3; calm += 1) {
    await page.waitForFunction(() => document.querySelector(".waiting") === null);
    // What has come may ask for more.
    await page.waitForTimeout(60);
  }
}
