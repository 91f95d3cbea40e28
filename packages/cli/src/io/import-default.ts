import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../cli-error.ts";

/**
 * The function that an ES module exports as its default: how a flag names code of the reader's own.
 *
 * @param wanted What it is to be, for the sentence: "a judge, (row) => 0 or 1"
 * @throws CliError `bad_module`
 */
export function importDefault<Own>(path: string, flag: string, wanted: string): Promise<Own> {
  return importDefaultOf("function", path, flag, wanted);
}

/**
 * The function or the object that an ES module exports as its default.
 *
 * @throws CliError `bad_module`
 */
export async function importDefaultOf<Own>(
  kind: "function" | "object",
  path: string,
  flag: string,
  wanted: string,
): Promise<Own> {
  const file = resolve(path);
  if (!existsSync(file)) {
    const fix = `Check the path: it is to export ${wanted}.`;
    throw new CliError("bad_module", `${flag} names ${path}, and there is no such file.`, fix);
  }
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const said = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new CliError(
      "bad_module",
      `${path} cannot be loaded: ${said}`,
      "Give an ES module (.mjs, or .js with type module).",
      {
        cause: error,
      },
    );
  }
  if (typeof module.default !== kind || module.default === null) {
    const named = Object.keys(module).filter((name) => name !== "default" && typeof module[name] === kind);
    const seen = named.length === 0 ? "" : ` It exports ${named.join(", ")} by name.`;
    throw new CliError(
      "bad_module",
      `${path} has no ${kind} as its default export.${seen}`,
      `Export ${wanted}: export default ${kind === "object" ? "{ … }" : `${argumentsIn(wanted)} => …`}`,
    );
  }
  return module.default as Own;
}

/** The arguments that the sentence names: `(message, context)` of "an agent, (message, context) => reply". */
function argumentsIn(wanted: string): string {
  return /\([^)]*\)(?= =>)/.exec(wanted)?.[0] ?? "(row)";
}
