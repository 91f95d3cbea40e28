import { expect, test } from "vitest";
import { paintFor } from "./colour.ts";

const COLOURED = "\x1b[1mx\x1b[22m";

test.each([
  // terminal, environment, --no-color, shown
  [true, {}, false, COLOURED],
  [false, {}, false, "x"],
  [true, { NO_COLOR: "1" }, false, "x"],
  [true, { NO_COLOR: "" }, false, COLOURED],
  [true, { TERM: "dumb" }, false, "x"],
  [false, { FORCE_COLOR: "1" }, false, COLOURED],
  [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, false, COLOURED],
  [true, { FORCE_COLOR: "0" }, false, "x"],
  [true, { FORCE_COLOR: "1" }, true, "x"],
])("terminal %s, environment %o, --no-color %s", (isTty, env, noColor, shown) => {
  expect(paintFor({ isTty }, { color: !noColor, env }).bold("x")).toBe(shown);
});
