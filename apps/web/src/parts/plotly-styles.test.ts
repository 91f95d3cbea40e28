import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";

/** Another release may look for its rules elsewhere: then `preparePlotlyStyles` has to follow. */
test("the plotting library makes a style element in two places, and looks for these names before", () => {
  const file = createRequire(import.meta.url).resolve("plotly.js-basic-dist-min");
  const library = readFileSync(file, "utf8");
  expect(library.split('createElement("style")')).toHaveLength(3);
  expect(library).toContain('"plotly.js-style-"');
  expect(library).toContain(
    'if(!document.getElementById("9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53"))',
  );
});
