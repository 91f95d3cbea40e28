import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));

export interface Server {
  child: ChildProcess;
  url: string;
  /** Null where the data had one before. */
  key: string | null;
}

/** The built server in a process of its own, so that the load does not run on its thread. */
export async function startServer(data: string, { database }: { database?: string | undefined } = {}): Promise<Server> {
  const env = {
    ...process.env,
    WHILE_DATA: data,
    WHILE_PORT: "0",
    ...(database === undefined ? {} : { DATABASE_URL: database }),
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "pipe", "ignore"] });
  let out = "";
  let listening = (_server: Server): void => {};
  let ended = (_error: Error): void => {};
  const started = new Promise<Server>((resolve, reject) => {
    listening = resolve;
    ended = reject;
  });
  // Read to the end: a pipe that nobody empties stops who writes into it.
  child.stdout.on("data", (chunk: Buffer) => {
    if (out.length > 10_000) return;
    out += chunk;
    const url = /^(http:\S+)$/m.exec(out)?.[1];
    if (url !== undefined) listening({ child, url, key: /zp_[0-9a-f]+/.exec(out)?.[0] ?? null });
  });
  child.on("close", () => ended(new Error(`The server did not start: ${out}`)));
  return started;
}

/** Resident memory of a process now, in MB. */
export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kb) / 1024);
}
