import { expect, test } from "vitest";
import { readPage } from "./cursor-page.ts";

test.each([
  [undefined, { page: 1, cursor: undefined }],
  ["3~abc", { page: 3, cursor: "abc" }],
  ["3~a~b", { page: 3, cursor: "a~b" }],
  ["1~abc", { page: 1, cursor: undefined }],
  ["3", { page: 1, cursor: undefined }],
  ["x~abc", { page: 1, cursor: undefined }],
])("readPage(%j) is %j", (text, page) => expect(readPage(text)).toEqual(page));
