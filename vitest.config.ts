import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

/** Tests read the packages from source; only bins, tarballs and bundles are tested on `dist`. */
const conditions = ["@while/source", ...defaultServerConditions];

/** How the caller's shell colours, and where their platform and their models are, is nothing to what tests start. */
const CALLERS =
  /^(FORCE_COLOR|NO_COLOR|DATABASE_URL|WAI_\w+|WHILEAI_\w+|WHILE_(?!KILLS$|ROLLOUTS$)\w+|(OPENAI|ANTHROPIC)_\w+)$/;
for (const name of Object.keys(process.env)) if (CALLERS.test(name)) delete process.env[name];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    maxWorkers: 2,
    // An event is waited for until it comes: what is there after a moment on an idle machine takes its time on a busy one.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "apps/{server,web}/src/**/*.test.{ts,tsx}"],
          pool: "threads",
          isolate: false,
          // Databases and threads take their time when everything runs at once.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["packages/*", "apps/*", "recipes/*", "recipes/*/*"].map((dir) => `${dir}/test/**/*.test.ts`),
          pool: "forks",
          // Processes, servers and browsers take their time when everything runs at once.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
