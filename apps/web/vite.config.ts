import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";

/** The platform that `pnpm --filter @while/web dev` talks to. */
const platform = process.env.WHILEAI_API_URL ?? "http://localhost:8787";

export default defineConfig({
  plugins: [react()],
  // Rules and contract come from source: what a page concludes is what the server concludes.
  resolve: { conditions: ["@while/source", ...defaultClientConditions] },
  build: {
    // The server serves them from its own folder, and takes them along when it is published.
    outDir: "../server/pages",
    emptyOutDir: true,
    target: "es2022",
    // Nothing is inlined: the pages run under a policy that allows files of their own origin and nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The schema library lies with what forbids it to try `eval`, so that no schema is made before.
            { name: "schemas", test: /strict-policy\.ts$|\/node_modules\/zod\//, priority: 2 },
            // What three pages or more have in common is one file: twenty small ones weigh 13 kB by their headers alone.
            { name: "common", test: /apps\/web\/src\//, minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "^/(me|signup|auth|device/|keys|credentials|agents|runs|datasets|catalog|traces|blobs|price-book|version|audit)":
        {
          target: platform,
          bypass: (request) => (request.headers.accept?.includes("text/html") ? "/index.html" : undefined),
        },
    },
  },
});
