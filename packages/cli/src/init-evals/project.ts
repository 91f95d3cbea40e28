import { existsSync, readFileSync } from "node:fs";
import { dirname, join, parse, relative, resolve, sep } from "node:path";
import { isObject } from "@while/schema";
import { CliError } from "../cli-error.ts";

/** Test runners that the CI test is written for. */
export const RUNNERS = ["vitest", "node"] as const;
export type Runner = (typeof RUNNERS)[number];

/** What a folder is as a project of Node. */
export interface Project {
  dir: string;
  /** false in a folder without a `package.json`. */
  hasManifest: boolean;
  dependencies: ReadonlySet<string>;
  scripts: ReadonlySet<string>;
  manager: "npm" | "pnpm" | "yarn" | "bun";
  hasLock: boolean;
  /** Vitest where the project has it, else Node's own. */
  runner: Runner;
  /** Where the workflows of its repository lie, and the project from there; "" when it is the repository. */
  repository: string;
  within: string;
}

const LOCKS = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
] as const;

/** Reads what a folder says of itself; nothing of it is run. @throws CliError `bad_arguments` */
export function readProject(dir: string): Project {
  const manifest = join(dir, "package.json");
  const fields = existsSync(manifest) ? manifestIn(manifest) : null;
  const keysOf = (name: string): string[] => (isObject(fields?.[name]) ? Object.keys(fields[name]) : []);
  const dependencies = new Set(["dependencies", "devDependencies", "peerDependencies"].flatMap(keysOf));
  const repository = above(dir, ".git") ?? dir;
  const lock = LOCKS.find(([file]) => [dir, repository].some((folder) => existsSync(join(folder, file))));
  return {
    dir,
    hasManifest: fields !== null,
    dependencies,
    scripts: new Set(keysOf("scripts")),
    manager: lock?.[1] ?? "npm",
    hasLock: lock !== undefined,
    runner: dependencies.has("vitest") ? "vitest" : "node",
    repository,
    within: relative(repository, dir).split(sep).join("/"),
  };
}

function manifestIn(path: string): Record<string, unknown> {
  let fields: unknown = null;
  try {
    fields = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new CliError("bad_arguments", `${path} is no JSON.`, "Mend it.", { cause });
  }
  if (!isObject(fields)) throw new CliError("bad_arguments", `${path} holds no object.`, "Mend it.");
  return fields;
}

/** The nearest folder that holds it, from here upward; null when none does. */
function above(from: string, name: string): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder;
    if (folder === parse(folder).root) return null;
  }
}
