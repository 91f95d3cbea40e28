import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { nearestName } from "@while/schema";
import { CliError } from "../cli-error.ts";
import { type SourceExport, sourceExports } from "./source-exports.ts";

/** How an agent is called: a function of one's own, a framework's object, or a service behind an address. */
type AgentKind = "function" | "ai-sdk" | "openai-agents" | "langchain" | "mastra" | "http" | "example";

/** The agent of a project, and how its text says that it is called. */
export interface FoundAgent {
  kind: AgentKind;
  /** From the project's folder, with slashes; null for an address and for the example. */
  file: string | null;
  export: string | null;
  url: string | null;
  /** What a function is given: the message itself, a list of messages, or an object with the message under this key. */
  input: "message" | "messages" | { key: string };
  /** Tools that the file names, with their descriptions. */
  tools: { name: string; description: string }[];
}

const SOURCE = /\.(?:[cm]?js|[cm]?ts|jsx|tsx)$/;
const NO_SOURCE = /\.(?:test|spec|d|config|stories)\.[cm]?[jt]sx?$/;
const SKIPPED: ReadonlySet<string> = new Set([
  ...["node_modules", "dist", "build", "out", "coverage", "evals", "test", "tests", "__tests__", "examples", "scripts"],
]);
/** A project that is larger is not searched to its end: its agent is to be named. */
const MOST_FILES = 2000;
const MOST_DEPTH = 6;
const MOST_BYTES = 400_000;

const AGENT_NAME = /agent|assistant|(?:^|[a-z_-])bot(?:$|[^a-z])|Bot\b|^bot/i;
const VERB_NAME = /^(?:answer|reply|respond|chat|ask|handle(?:Message|Request)?|run|generate|invoke|complete)/i;

/** An object that a framework made, by what it is made with and where that comes from. */
const FRAMEWORKS: readonly { kind: AgentKind; made: RegExp; from: RegExp }[] = [
  { kind: "openai-agents", made: /^new\s+Agent\s*[(<]|^Agent\.create\s*\(/, from: /["']@openai\/agents(?:-core)?["']/ },
  { kind: "mastra", made: /^new\s+Agent\s*[(<]/, from: /["']@mastra\/core(?:\/agent)?["']/ },
  { kind: "ai-sdk", made: /^new\s+(?:ToolLoopAgent|Experimental_Agent|Agent)\s*[(<]/, from: /["']ai["']/ },
  {
    kind: "langchain",
    made: /^(?:await\s+)?(?:createAgent|createReactAgent)\s*\(|\.compile\s*\(/,
    from: /["'](?:langchain|@langchain\/langgraph(?:\/prebuilt)?)["']/,
  },
];

/**
 * The agent of a project, found in the text of its modules; nothing of it is run. A file named after an agent counts
 * more than one that only holds something of that name, and that more than a function named after what agents do.
 *
 * @returns The best one and the others; null where there is none
 */
export function findAgent(dir: string): { agent: FoundAgent; others: string[] } | null {
  const ranked = sourceFiles(dir)
    .flatMap((file) => candidatesIn(dir, file))
    .sort(
      (a, b) =>
        b.weight - a.weight || a.agent.file!.length - b.agent.file!.length || (a.agent.file! < b.agent.file! ? -1 : 1),
    );
  const [best, ...rest] = ranked;
  if (best === undefined) return null;
  return { agent: best.agent, others: rest.map(({ agent }) => `${agent.file}#${agent.export}`) };
}

/**
 * The agent that `FILE` or `FILE#EXPORT` names.
 *
 * @throws CliError `bad_flag` for a file that is not there or exports nothing of that name
 */
export function namedAgent(dir: string, named: string): FoundAgent {
  const [path = "", name] = named.split("#");
  const file = resolve(dir, path);
  const flag = (what: string, fix: string) => new CliError("bad_flag", `--agent names ${named}: ${what}.`, fix);
  if (!existsSync(file) || !statSync(file).isFile()) throw flag("there is no such file", `Give a path from ${dir}.`);
  const exported = sourceExports(readFileSync(file, "utf8"));
  if (exported.length === 0) {
    throw flag("it exports no function and no object", "Export the agent: export async function agent(message) { … }");
  }
  const names = exported.map((one) => one.name);
  if (name !== undefined && !names.includes(name)) {
    throw flag(`it exports ${names.join(", ")}`, `Give ${path}#${nearestName(name, names) ?? names[0]}.`);
  }
  const own = name === undefined ? candidatesIn(dir, file) : [];
  const [best] = own.sort((a, b) => b.weight - a.weight);
  if (best !== undefined) return best.agent;
  const source = readFileSync(file, "utf8");
  const chosen = exported.find((one) => one.name === name) ?? exported[0]!;
  return agentOf(dir, file, source, chosen) ?? { ...blank(dir, file, source), kind: "function", export: chosen.name };
}

/** An agent behind an address. @throws CliError `bad_flag` */
export function agentAt(url: string): FoundAgent {
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isWeb)
    throw new CliError("bad_flag", `--endpoint got "${url}".`, "Give an address, http://localhost:3000/chat.");
  return { kind: "http", file: null, export: null, url, input: "message", tools: [] };
}

/** For a project without an agent: one to begin with. */
export const EXAMPLE_AGENT: FoundAgent = {
  ...{ kind: "example", file: null, export: null, url: null, input: "message", tools: [] },
};

interface Candidate {
  agent: FoundAgent;
  weight: number;
}

function candidatesIn(dir: string, file: string): Candidate[] {
  const source = readFileSync(file, "utf8");
  const isNamed =
    AGENT_NAME.test(basename(file).replace(/\.\w+$/, "")) || /[/\\]agents?[/\\]/.test(relative(dir, file));
  return sourceExports(source).flatMap((exported) => {
    const agent = agentOf(dir, file, source, exported);
    if (agent === null) return [];
    const isOwnName =
      AGENT_NAME.test(exported.name) && !/^(?:create|make|build|get|new|is|use)[A-Z_]/.test(exported.name);
    const isVerb = VERB_NAME.test(exported.name) || exported.name === "default";
    if (agent.kind === "function" && !isOwnName && !(isNamed && isVerb)) return [];
    return [
      {
        agent,
        weight: (isNamed ? 4 : 0) + (agent.kind === "function" ? 0 : 3) + (isOwnName ? 2 : 0) + (isVerb ? 1 : 0),
      },
    ];
  });
}

function agentOf(dir: string, file: string, source: string, { name, kind, text }: SourceExport): FoundAgent | null {
  const own = { ...blank(dir, file, source), export: name };
  if (kind === "function") return { ...own, kind: "function", input: inputOf(text) };
  const made = FRAMEWORKS.find((framework) => framework.made.test(text) && framework.from.test(source));
  return made === undefined ? null : { ...own, kind: made.kind };
}

function blank(dir: string, file: string, source: string): Omit<FoundAgent, "kind"> {
  const path = relative(dir, file).split(sep).join("/");
  return { file: path, export: null, url: null, input: "message", tools: toolsIn(source) };
}

/** By the name of the first parameter: how it is called is all that a text shows of it. */
function inputOf(parameter: string): FoundAgent["input"] {
  const keys = /^\{\s*([\w$]+)/.exec(parameter)?.[1];
  if (keys !== undefined) return /^(?:messages|history)$/.test(keys) ? { key: keys } : { key: keys };
  return /^(?:messages|history|conversation|turns)\b/i.test(parameter) ? "messages" : "message";
}

/** `{ name: "…", description: "…" }`, and `lookUp: tool({ description: "…" })`. */
function toolsIn(source: string): FoundAgent["tools"] {
  const tools = new Map<string, string>();
  const named = /\bname:\s*["'`]([a-zA-Z_][\w-]*)["'`],\s*description:\s*(["'`])((?:(?!\2)[^\\]|\\.)*)\2/g;
  const keyed =
    /\b([a-zA-Z_]\w*):\s*(?:tool|createTool)\(\{\s*(?:id:\s*["'`][\w-]*["'`],\s*)?description:\s*(["'`])((?:(?!\2)[^\\]|\\.)*)\2/g;
  for (const pattern of [named, keyed]) {
    for (const [, name, , description] of source.matchAll(pattern)) {
      if (!tools.has(name!)) tools.set(name!, description!.replace(/\\(.)/g, "$1").replace(/\s+/g, " ").trim());
    }
  }
  return [...tools].map(([name, description]) => ({ name, description }));
}

/** Modules of the project, those of its tests and of what it is built into left out. */
function sourceFiles(dir: string): string[] {
  const found: string[] = [];
  const walk = (folder: string, depth: number): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= MOST_FILES || entry.name.startsWith(".")) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < MOST_DEPTH && !SKIPPED.has(entry.name)) walk(path, depth + 1);
      } else if (
        entry.isFile() &&
        SOURCE.test(entry.name) &&
        !NO_SOURCE.test(entry.name) &&
        statSync(path).size < MOST_BYTES
      ) {
        found.push(path);
      }
    }
  };
  walk(dir, 0);
  return found;
}
