import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openClient } from "@while/platform-client/files";
import { formatVerdict } from "@while/platform-client/rules";
import { assistantText, type Row, taskKey, VERSION_MAX } from "@while/schema";
import { startPlatform } from "@while/server";
import { passAt } from "@while/stats";

/** Names of versions that a platform takes: those that fit, where there are two of them at least. */
export function recordable(rows: readonly Row[]): string[] {
  const graded = rows.filter(({ reward }) => typeof reward === "number");
  const versions = new Set(graded.map(({ policy_version }) => policy_version));
  const names = [...versions].filter((name) => typeof name === "string" && [...name].length <= VERSION_MAX) as string[];
  return names.length >= 2 && names.length === versions.size ? names : [];
}

/**
 * Records each version with its score and its graded rows on a platform in a folder; the first one serves.
 *
 * @param data Folder of the platform: recorded again, the runs are those of this time
 * @returns The verdict on the last version against the first
 */
export async function record(rows: readonly Row[], versions: readonly string[], data: string): Promise<string> {
  const platform = await startPlatform({ settings: { data, port: 0 }, log: { info() {}, error: console.error } });
  // The first start makes the key; later ones find it where the first left it.
  const keyFile = join(data, "first-key");
  if (platform.firstKey !== null) writeFileSync(keyFile, platform.firstKey, { mode: 0o600 });
  const apiKey = existsSync(keyFile) ? readFileSync(keyFile, "utf8") : "";
  // What the client would warn of, few tasks and a run opened again, is so on purpose here.
  const client = openClient({ apiUrl: platform.url, platformUrl: platform.url, apiKey, out: null, warn: () => {} });
  try {
    const agent = await client.track("quickstart");
    const tasks = new Set(rows.map(taskKey)).size;
    await agent.behavior("passes", { testVersion: "quickstart", n: tasks, gradedBy: "program" });
    for (const version of versions) {
      const own = rows.filter(({ policy_version, reward }) => policy_version === version && typeof reward === "number");
      const { passAt1, ci95 } = passAt(own);
      const run = await agent.run(version, {
        id: version.replaceAll(/[^A-Za-z0-9._-]/g, "-"),
        method: "eval",
        targets: ["passes"],
      });
      await run.score("passes", passAt1 ?? 0, {
        fraction: true,
        n: new Set(own.map(taskKey)).size,
        testVersion: "quickstart",
        rows: own.map((row) => ({
          ok: row.reward === 1,
          prompt: row.prompt ?? "",
          reply: row.final_text ?? assistantText(row),
          ...(typeof row.reason === "string" ? { why: row.reason } : {}),
        })),
        ...(ci95 === null ? {} : { ci: (ci95[1] - ci95[0]) / 2 }),
      });
      await run.finish("evaluated", { say: false });
    }
    await agent.promote(versions[0] as string);
    return formatVerdict(await agent.verdict("passes"));
  } finally {
    await client.close();
    await platform.stop();
  }
}
