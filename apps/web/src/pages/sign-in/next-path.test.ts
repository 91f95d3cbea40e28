import { expect, test } from "vitest";
import { FIRST_PAGE, nextPath } from "./next-path.ts";

test.each([
  ["/device?code=BXKD-TRQW", "/device?code=BXKD-TRQW"],
  ["/platform/runs?agent=refund-bot&sort=-score#verdict", "/platform/runs?agent=refund-bot&sort=-score#verdict"],
  ["/platform/../platform/account", "/platform/account"],
  [undefined, FIRST_PAGE],
  ["", FIRST_PAGE],
  ["platform/runs", FIRST_PAGE],
  ["https://other.example/", FIRST_PAGE],
  ["//other.example/", FIRST_PAGE],
  ["/\\other.example/", FIRST_PAGE],
  ["/\t/other.example/", FIRST_PAGE],
  ["/\n/other.example", FIRST_PAGE],
  ["javascript:alert(1)", FIRST_PAGE],
  ["/login?next=/login", FIRST_PAGE],
])("nextPath(%j) is %s", (next, path) => {
  expect(nextPath(next, "https://while.example")).toBe(path);
});
