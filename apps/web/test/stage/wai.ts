import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { StagedPlatform } from "./platform.ts";

const WAI = fileURLToPath(new URL("../../../../packages/cli/bin/wai.js", import.meta.url));

export interface Said {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The built `wai` in a process of its own, against a staged platform. */
export function wai(
  { url, key }: Pick<StagedPlatform, "url" | "key">,
  args: readonly string[],
  { env = {}, hear = () => {} }: { env?: Record<string, string>; hear?: (said: string) => void } = {},
): Promise<Said> {
  const child = spawn(process.execPath, [WAI, ...args], {
    env: { ...process.env, WHILEAI_API_URL: url, WHILEAI_API_KEY: key, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: Said = { status: null, stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      said[name] += chunk;
      hear(said.stdout + said.stderr);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ ...said, status }));
  });
}
