/** Where the platform is, and which keys the environment holds. Empty text counts as unset. */
export interface Settings {
  /** Address of the platform; null when nothing names it, which leaves it to the saved login. */
  apiUrl: string | null;
  /** Address of the calls of tracked agents; the same as `apiUrl` on one server. */
  platformUrl: string | null;
  traceUrl: string | null;
  /** Of `WHILEAI_DELEGATED_CREDENTIAL`, else `WHILEAI_API_KEY`. */
  apiKey: string | null;
  /** Name of the variable that `apiKey` is from. */
  apiKeySource: string | null;
  /** Folder of saved logins; null for `~/.whileai`. */
  home: string | null;
}

/** Where calls go when nothing says otherwise. */
export const DEFAULT_API_URL = "https://api.while.ai";

/** Variables of a process, or an empty record where there is none. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of an environment: `WHILEAI_API_URL`, `WHILEAI_PLATFORM_URL`, `WHILEAI_API_KEY` and their like. */
export function readSettings(env: Environment = processEnv()): Settings {
  const read = (name: string) => env[`WHILEAI_${name}`]?.trim() || null;
  const url = (name: string) => read(name)?.replace(/\/+$/, "") ?? null;
  const delegated = read("DELEGATED_CREDENTIAL");
  const key = read("API_KEY");
  return {
    apiUrl: url("API_URL"),
    platformUrl: url("PLATFORM_URL"),
    traceUrl: url("TRACE_URL"),
    apiKey: delegated ?? key,
    apiKeySource: delegated !== null ? "WHILEAI_DELEGATED_CREDENTIAL" : key !== null ? "WHILEAI_API_KEY" : null,
    home: read("HOME"),
  };
}

/** A browser and an edge worker have no process. */
function processEnv(): Environment {
  return (globalThis as { process?: { env?: Environment } }).process?.env ?? {};
}
