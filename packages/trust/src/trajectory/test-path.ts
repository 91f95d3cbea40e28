import type { MarkerRules } from "../markers/marker-rules.ts";

const COMPAT = /(?:^|[\\/])(?:tests?|__tests__|spec)[\\/]|[._-](?:test|spec)\.[a-z]+$|(?:^|[\\/])test_[^\\/]*\.py$/i;

/** Also `specs/`, `e2e/`, `tests.py`, `test_a.js`, `FooTest.java`, `AnalyzerTests.cs`, `user_spec.rb`. */
const STRICT: readonly RegExp[] = [
  /(?:^|[\\/])(?:tests?|__tests__|specs?|e2e|cypress)[\\/]/i,
  /[._-](?:tests?|spec|cy|e2e)\.[a-z]+$/i,
  /(?:^|[\\/])tests?[_-][^\\/]*\.[a-z]+$/i,
  /(?:^|[\\/])tests?\.[a-z]+$/i,
  /[a-z0-9](?:Test|Tests|Spec|TestCase|IT)\.(?:java|kt|cs|php|swift|scala|groovy|cpp|cc|m)$/,
  /(?:^|[\\/])Test[A-Z][^\\/]*\.(?:java|kt|cs|php|swift|scala)$/,
];

/** The part of a path that makes it the path of a test, or null. `__init__.py` of a test folder is none. */
export function testPathPart(path: string, rules: MarkerRules = "v2"): string | null {
  if (/(?:^|[\\/])__init__\.py$/i.test(path)) return null;
  if (rules === "v1") return COMPAT.exec(path)?.[0] ?? null;
  // Agents work in folders that are named after a test bed, and look into installed packages.
  if (/(?:^|[\\/])(?:node_modules|site-packages|dist-packages)[\\/]/.test(path)) return null;
  for (const pattern of STRICT) {
    const part = pattern.exec(path);
    if (part !== null) return part[0];
  }
  return null;
}

/** @returns true for the path of a test by name or folder */
export function isTestPath(path: string, rules: MarkerRules = "v2"): boolean {
  return testPathPart(path, rules) !== null;
}
