import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type ModelCall, type Rubric, rubricFromJson } from "@while/trust";
import { CliError } from "./cli-error.ts";
import type { Flag } from "./flag.ts";
import { wholeNumber } from "./flag-values.ts";
import { fileVersion } from "./io/file-version.ts";
import { importDefault } from "./io/import-default.ts";
import type { Io } from "./io/io.ts";
import { openAiModel } from "./io/openai-model.ts";

/** A language model as a judge, and what it is told. */
export interface ModelFlags {
  model?: string;
  rubric?: string;
  question?: string;
  privileged?: boolean;
  maxTokens?: number;
}

export const MODEL_FLAGS: readonly Flag[] = [
  { spec: "--model <model>", about: "openai:NAME, or a module that exports a model" },
  { spec: "--rubric <file>", about: "with --model: prose, or a checklist (.json)" },
  { spec: "--question <text>", about: "with --model, no rubric: one to answer by yes or no" },
  { spec: "--privileged", about: "with --model: show it the row's answer key" },
  { spec: "--max-tokens <n>", about: "with --model: of its answer", read: wholeNumber },
];

const OPENAI = "openai:";

/**
 * The model, and how it is asked, by the names that the library has for it.
 *
 * @throws CliError `bad_flag`, `bad_arguments`, `bad_module`, `no_key`
 */
export async function modelOf(
  { model, rubric, question, privileged, maxTokens }: ModelFlags & { model: string },
  env: Io["env"],
): Promise<{
  model: ModelCall;
  asked: { rubric?: string | Rubric; question?: string; usePrivileged?: true; maxTokens?: number };
}> {
  if (rubric !== undefined && question !== undefined) {
    throw new CliError("bad_arguments", "--rubric and --question were both given.", "A judge has one of them.");
  }
  return {
    model: await modelNamed(model, env),
    asked: {
      ...(rubric === undefined ? {} : { rubric: await rubricIn(rubric) }),
      ...(question === undefined ? {} : { question }),
      ...(privileged === undefined ? {} : { usePrivileged: true }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    },
  };
}

/** A model by its name, or by the module that exports it. @throws CliError `bad_flag`, `bad_module`, `no_key` */
export async function modelNamed(name: string, env: Io["env"]): Promise<ModelCall> {
  if (name.startsWith(OPENAI)) return openAiModel(name.slice(OPENAI.length), env);
  if (/^\w{2,}:/.test(name) && !existsSync(name)) {
    throw new CliError(
      "bad_flag",
      `--model got "${name}".`,
      "Give openai:NAME, or the path of a module that exports a model.",
    );
  }
  const own = await importDefault<ModelCall>(name, "--model", "a model, (messages) => its reply");
  const modelName = own.modelName ?? (await fileVersion(name));
  return Object.assign((...asked: Parameters<ModelCall>) => own(...asked), { modelName });
}

/** A file of JSON is a checklist; any other text is prose. */
async function rubricIn(path: string): Promise<string | Rubric> {
  if (!existsSync(path)) {
    throw new CliError("bad_flag", `--rubric names ${path}, and there is no such file.`, "Check the path.");
  }
  if (!/\.json$/i.test(path)) return readFile(path, "utf8");
  return rubricFromJson(await jsonIn(path, "Mend it, or give prose in a file of another name."));
}

/** What a file of JSON holds. @throws CliError `bad_arguments` */
export async function jsonIn(path: string, fix: string): Promise<unknown> {
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new CliError("bad_arguments", `${path} is no JSON.`, fix, { cause: error });
  }
}
