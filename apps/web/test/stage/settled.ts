import type { Page, Request } from "playwright-core";

/** Calls that a page has made and that have not ended; a stream of events never does, and is none of them. */
const underWay = new WeakMap<Page, Set<Request>>();

/** Follows what a page asks for, from before it is opened; `settled` needs it. */
export function follow(page: Page): void {
  const open = new Set<Request>();
  underWay.set(page, open);
  page.on("request", (request) => {
    // Of a document that is left nothing is waited for.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    if (request.resourceType() !== "eventsource") open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
}

/** Opens a page and waits until nothing on it is still being read. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

/**
 * Waits until a heading stands there, no call is under way and nothing is being read any more, three times in a row: what
 * has come may ask for more. Between two looks the page has drawn, so a slow browser has had its turn too.
 */
export async function settled(page: Page): Promise<void> {
  const open = underWay.get(page);
  if (open === undefined) throw new Error("settled was given a page that nobody follows");
  await page.locator("h1").first().waitFor();
  for (let calm = 0; calm < 3; calm = open.size === 0 ? calm + 1 : 0) {
    await page.waitForFunction(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await frame();
      await frame();
      await new Promise((resolve) => setTimeout(resolve, 40));
      return document.querySelector(".waiting") === null;
    });
  }
}
