import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { StagedPlatform } from "./platform.ts";
import { follow } from "./settled.ts";

const PLACES = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A real browser of this machine; without one the tests of the pages are skipped and say so. */
export const executablePath: string | undefined = PLACES.find((place) => place !== "" && existsSync(place));
if (executablePath === undefined) console.warn("No Chromium here (CHROMIUM names one): the pages are not tested");

/** What a browser says to hosts of its own is of no use here, and waits where there is no network. */
const ARGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath!, args: ARGS });
}

/** What a person would not wait for is no fault of a page on a machine with thirty other things to do. */
const PATIENCE_MS = 120_000;

export interface Looks {
  width: number;
  theme: "light" | "dark";
}

/** A desk and a phone, by day and by night. */
export const LOOKS: readonly Looks[] = [1280, 390].flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ width, theme })),
);

export interface Reader {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts, and lines of the console that are errors: empty in a good run. */
  errors: string[];
}

/** Somebody who reads the pages; signed in when `of` is given a session. */
export async function openReader(
  browser: Browser,
  platform: StagedPlatform,
  { width, theme, signedIn = true }: Looks & { signedIn?: boolean },
): Promise<Reader> {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    baseURL: platform.url,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (signedIn) await context.addCookies(await platform.session());
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  follow(page);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    // A refusal is an answer that the page shows; the browser writes a line of its own about it.
    if (message.type() === "error" && !/status of (4\d\d|503)/.test(message.text())) errors.push(message.text());
  });
  return { context, page, errors };
}
