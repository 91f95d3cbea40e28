import { defineConfig } from "tsdown";

/** One process builds every package, three seconds in all. `dist` mirrors `src`, so that a stack trace reads well. */
export default defineConfig({
  workspace: ["packages/*", "apps/server"],
  entry: ["src/{index,files,stock-markers,contract,rules,mcp,app,main}.ts"],
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: true,
  unbundle: true,
  fixedExtension: false,
});
