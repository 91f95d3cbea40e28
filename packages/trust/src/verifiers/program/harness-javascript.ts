/** The same in JavaScript; see `harness-python.ts`. Program and tests are scripts that share their top level. */
export const JAVASCRIPT_HARNESS = `
"use strict";
const fs = require("node:fs");
const vm = require("node:vm");
const net = require("node:net");

const channel = new net.Socket({ fd: 3, readable: true, writable: true });
let text = "";
channel.setEncoding("utf8");
channel.on("data", function onData(part) {
  text += part;
  if (!text.endsWith("\\n")) return;
  channel.off("data", onData);
  channel.pause();
  const job = JSON.parse(text);
  text = "";
  run(job);
});

async function run({ nonce, setup, candidate, tests }) {
  const { stringify } = JSON;
  const exit = process.reallyExit.bind(process);
  const write = channel.write.bind(channel);
  const report = { nonce, declared: 0, ran: 0, failed: [], phase: "tests" };
  const done = (phase, error, name = "") => {
    report.phase = phase;
    if (error !== undefined) report.failed.push([name, nameOf(error), String(error?.message ?? error).slice(0, 300)]);
    return new Promise(() => write(stringify(report) + "\\n", () => exit(0)));
  };
  const nameOf = (error) => String(error?.name ?? typeof error);
  const script = (code, filename) => new vm.Script(plain(code), { filename }).runInThisContext();
  // \`export function f\` is the function f.
  const plain = (code) => code.replace(/^export\\s+(?:default\\s+)?(?=(?:async\\s+)?(?:function|class|const|let|var)\\b)/gm, "");

  const names = [...tests.matchAll(/^(?:async\\s+)?(?:function\\s*\\*?\\s*|(?:const|let|var)\\s+)(test_\\w+)/gm)].map(([, name]) => name);
  const isLoose = /^(?!\\s|\\/\\/|\\/\\*|\\*|[})\\]]|import\\b|(?:async\\s+)?function\\b|class\\b|(?:const|let|var)\\b)\\S/m.test(tests);
  report.declared = names.length + (isLoose ? 1 : 0);
  // In a function, so that a name of the program can be a name of the tests too.
  const wrapped = "(async () => {" + plain(tests) + "\\n;return {" + names.join(",") + "};})()";
  try {
    new vm.Script(wrapped);
  } catch (error) {
    return done("unreadable", error);
  }
  if (report.declared === 0) return done("empty");

  const module = { exports: {} };
  Object.assign(globalThis, { require, module, exports: module.exports, assert: require("node:assert") });
  process.on("unhandledRejection", () => {});
  try {
    script(setup, "setup.js");
  } catch (error) {
    return done("setup", error);
  }
  try {
    script(candidate, "candidate.js");
  } catch (error) {
    return done("candidate", error);
  }
  for (const [name, value] of Object.entries(module.exports ?? {})) if (!(name in globalThis)) globalThis[name] = value;
  let space = {};
  try {
    space = await new vm.Script(wrapped, { filename: "tests.js" }).runInThisContext();
  } catch (error) {
    return done("tests", error);
  }
  report.ran += isLoose ? 1 : 0;
  for (const name of names) {
    try {
      await space[name]();
    } catch (error) {
      report.failed.push([name, nameOf(error), String(error?.message ?? error).slice(0, 300)]);
    }
    report.ran += 1;
  }
  return done("tests");
}
`;
