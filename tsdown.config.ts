import { defineConfig } from "tsdown";

/** One process builds every package: three seconds where a process a package takes sixteen. */
export default defineConfig({ workspace: ["packages/*"] });
