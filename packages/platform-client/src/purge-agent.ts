import { deleteAgent, type Purged, purgeAgent as purgeRoute } from "./contract/agents.ts";
import { deleteDataset, listDatasets } from "./contract/datasets.ts";
import { deleteTrace, listTraces } from "./contract/traces.ts";
import { PlatformError } from "./platform-error.ts";
import type { Transport } from "./transport/transport.ts";

const TRACES_PER_PAGE = 200;

/** What was found and deleted; `failed` names what could not be. */
export interface PurgeReport extends Purged {
  failed: { id: string; reason: string }[];
}

/**
 * Deletes an agent with its traces and datasets, for good: in one step where the platform offers that, else one by one.
 *
 * @param agent Name or id, trimmed and lower-cased as sets store it
 * @throws PlatformError `bad_value` for an empty name
 */
export async function purgeAgent(
  transport: Transport,
  agent: string,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<PurgeReport> {
  const slug = agent.trim().toLowerCase();
  if (slug === "") throw new PlatformError("bad_value", "The agent has no name.", "Name the agent to purge.");
  try {
    const purged = await transport.call(purgeRoute, { params: { id: slug }, body: { confirm: slug, dryRun } });
    return { ...purged, failed: [] };
  } catch (error) {
    // A server without the route says 404 too: the loop finds out which of the two it was.
    if (!(error instanceof PlatformError) || error.status !== 404) throw error;
  }
  return purgeOneByOne(transport, slug, dryRun);
}

async function purgeOneByOne(transport: Transport, slug: string, dryRun: boolean): Promise<PurgeReport> {
  const traces = await tracesOf(transport, slug);
  const { datasets } = await transport.call(listDatasets);
  const owned = datasets.filter((dataset) => dataset.agent === slug).map(({ datasetId }) => datasetId);
  const failed: PurgeReport["failed"] = [];
  const counts = { agent: slug, traces: traces.length, datasets: owned.length };
  if (dryRun) return { ...counts, deleted: false, failed };
  const work = [
    ...traces.map((id) => ({ id, run: () => transport.call(deleteTrace, { params: { id } }) })),
    ...owned.map((id) => ({ id, run: () => transport.call(deleteDataset, { params: { id } }) })),
    { id: slug, run: () => transport.call(deleteAgent, { params: { id: slug } }) },
  ];
  for (const { id, run } of work) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      // What is gone already needs no deleting.
      if (error.status !== 404) failed.push({ id, reason: error.what });
    }
  }
  return { ...counts, deleted: failed.length === 0, failed };
}

async function tracesOf(transport: Transport, agent: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const query = { agent, from: "all", limit: TRACES_PER_PAGE, page };
    const { traces, pages = 1 } = await transport.call(listTraces, { query });
    ids.push(...traces.flatMap(({ traceId }) => (traceId === undefined ? [] : [traceId])));
    if (traces.length === 0 || page >= pages) return ids;
  }
}
