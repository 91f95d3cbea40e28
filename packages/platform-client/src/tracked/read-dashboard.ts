import type { Dashboard } from "../contract/dashboard.ts";
import { liveSeries } from "../rules/live-series.ts";
import { noVerdict } from "../rules/no-verdict.ts";

/** A dashboard with every list in it: other servers leave out what is empty. */
export function readDashboard(answer: Dashboard): Dashboard {
  const { agent, behavior = null, behaviors = [], versions = [], train = null, deltas = [], live, verdict } = answer;
  return {
    ...answer,
    ...{ agent, behavior, behaviors, versions, train, deltas },
    live: { ...liveSeries([], null), ...live },
    verdict: { ...noVerdict(verdict?.serving ?? agent.serving ?? null), ...verdict },
  };
}
