import { expect, test } from "vitest";
import { sourceExports } from "./source-exports.ts";

test.each<[string, string, (readonly [name: string, kind: string, text: string])[]]>([
  ["a function", "export async function answer(message: string) {}", [["answer", "function", "message: string"]]],
  ["a default one", "export default function (messages) {}", [["default", "function", "messages"]]],
  ["an arrow", "export const reply = async (message, context) => message;", [["reply", "function", "message"]]],
  ["a typed arrow", "export const reply: (m: string) => string = (m) => m;", [["reply", "function", "m"]]],
  ["an arrow without brackets", "export const reply = message => message;", [["reply", "function", "message"]]],
  ["a type parameter", "export function run<T extends object>(input: T) {}", [["run", "function", "input: T"]]],
  [
    "a pattern with a type",
    "export function run({ message, id }: { message: string; id?: string }, b: number) {}",
    [["run", "function", "{ message, id }: { message: string; id?: string }"]],
  ],
  [
    "an object that a framework made",
    'export const agent = new Agent({ name: "desk" });',
    [["agent", "value", 'new Agent({ name: "desk" })']],
  ],
  ["a name declared before", "const agent = (m) => m;\nexport default agent;", [["default", "function", "m"]]],
  [
    "a list",
    "function a(x) {}\nconst b = 1;\nexport { a, b as c };",
    [
      ["a", "function", "x"],
      ["c", "value", "1"],
    ],
  ],
  [
    "an object over lines, which ends where it ends",
    "export default {\n  model,\n};\nconst b = x.compile();",
    [["default", "value", "{\n  model,\n}"]],
  ],
  ["CommonJS", "module.exports = async (message) => message;", [["default", "function", "message"]]],
  ["CommonJS by name", "function answer(m) {}\nmodule.exports = { answer };", [["answer", "function", "m"]]],
  ["CommonJS, one of them", "exports.answer = function (m) {};", [["answer", "function", "m"]]],
  ["what stands in a comment is none", "// export function a(x) {}\n/*\nexport const b = 1\n*/", []],
  ["a type and a class are none", "export type A = string;\nexport interface B {}\nexport class C {}", []],
  ["what comes from elsewhere is found there", 'export { agent } from "./agent.ts";\nexport * from "./b.ts";', []],
])("%s", (_what, source, expected) => {
  expect(sourceExports(source).map(({ name, kind, text }) => [name, kind, text])).toEqual(expected);
});
