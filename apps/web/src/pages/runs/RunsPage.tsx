import {
  type Dashboard,
  getAgentScores,
  getBrief,
  getDashboard,
  getPriceBook,
  getVerdict,
  listAgents,
  listBehaviors,
  listRuns,
  type RunRow,
  type Verdict,
} from "@while/platform-client/contract";
import { formatBriefMarkdown } from "@while/platform-client/rules";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { time } from "../../numbers.ts";
import { Answered, Failed, Waiting } from "../../parts/Answered.tsx";
import { copy } from "../../parts/CopyButton.tsx";
import { Foot } from "../../parts/Foot.tsx";
import { WithAgent } from "../../parts/WithAgent.tsx";
import { textOf, textsOf } from "../../search.ts";
import { useKeys } from "../../shell/keys.tsx";
import { useTitle } from "../../shell/title.ts";
import { useChoices } from "../../use-search.ts";
import { AgentTitle } from "./AgentTitle.tsx";
import { BriefPart } from "./BriefPart.tsx";
import { CostPart } from "./CostPart.tsx";

import { ExperimentPart } from "./ExperimentPart.tsx";
import { FiguresPart } from "./FiguresPart.tsx";
import { JudgePart } from "./JudgePart.tsx";
import { LivePart } from "./LivePart.tsx";
import { MovedPart } from "./MovedPart.tsx";
import { PromoteButton } from "./PromoteButton.tsx";
import { PromotionsPart } from "./PromotionsPart.tsx";
import { RunsPart } from "./RunsPart.tsx";
import { type Report, RUNS_READ } from "./report.ts";
import { ScorePart } from "./ScorePart.tsx";
import { TrainingPart } from "./TrainingPart.tsx";
import { usePulse } from "./use-pulse.ts";
import type { WalkedList } from "./use-run-list.ts";
import { VerdictPart } from "./VerdictPart.tsx";

// They come when they are asked for: the first page is read before anything on it is opened.
const RunDrawer = lazy(() => import("./RunDrawer.tsx").then(({ RunDrawer }) => ({ default: RunDrawer })));
const ComparePart = lazy(() => import("./ComparePart.tsx").then(({ ComparePart }) => ({ default: ComparePart })));

/** One agent on one page: may the candidate be promoted? */
export function RunsPage(): ReactNode {
  return <WithAgent>{(agent) => <AgentReport agent={agent} />}</WithAgent>;
}

function AgentReport({ agent }: { agent: string }): ReactNode {
  const [search] = useChoices();
  const behavior = textOf(search, "behavior");
  // The curve is asked for by its own part: the first sentence does not wait for a million points.
  const query = { train: false, ...(behavior === undefined ? {} : { behavior }) };
  const dashboard = useAnswer(getDashboard, { params: { id: agent }, query });
  usePulse(agent);
  useTitle("Runs", dashboard.data?.agent.name ?? agent);
  return (
    <Answered of={dashboard} what="the dashboard" head={agent}>
      {(answer) => (
        <Loaded key={answer.behavior?.name ?? ""} agent={agent} dashboard={answer} asOf={dashboard.dataUpdatedAt} />
      )}
    </Answered>
  );
}

const NO_RUNS: readonly RunRow[] = [];
const NO_LIST: WalkedList = { ids: [], beyond: async () => null };

/** The runs of the two that are compared, where they are older than what was read: what is not read is not "not posted". */
function useOlderRuns(
  { agent, versions }: Dashboard,
  { serving, candidate }: Verdict,
  newest: readonly RunRow[] | undefined,
): readonly RunRow[] {
  const ids = versions
    .filter(({ v }) => v === serving || v === candidate)
    .flatMap(({ run }) => (run && newest !== undefined && !newest.some(({ id }) => id === run) ? [run] : []));
  const older = useAnswer(listRuns, { query: { agent: agent.id, ids }, when: ids.length > 0 });
  return (ids.length > 0 ? older.data?.runs : undefined) ?? NO_RUNS;
}

interface LoadedProps {
  agent: string;
  dashboard: Dashboard;
  /** When it was read, in milliseconds. */
  asOf: number;
}

function Loaded({ agent, dashboard, asOf }: LoadedProps): ReactNode {
  const [search] = useChoices();
  const params = { id: agent };
  const behaviorName = dashboard.behavior?.name;
  const version = textOf(search, "version");
  const open = textOf(search, "run");
  const compared = textsOf(search, "compare");
  const chosen = useAnswer(getVerdict, {
    params,
    query: { behavior: behaviorName ?? "", version: version ?? "" },
    when: version !== undefined && behaviorName !== undefined,
  });
  const agents = useAnswer(listAgents);
  const behaviors = useAnswer(listBehaviors, { params });
  const runs = useAnswer(listRuns, { query: { agent, archived: false, limit: RUNS_READ } });
  const scores = useAnswer(getAgentScores, { params });
  const book = useAnswer(getPriceBook);
  const brief = useAnswer(getBrief, { params, query: behaviorName === undefined ? {} : { behavior: behaviorName } });
  const [listed, setListed] = useState<WalkedList>(NO_LIST);
  const markdown = brief.data === undefined ? null : formatBriefMarkdown(brief.data);
  const onCopy = (): void => {
    if (markdown !== null) void copy(markdown, "the brief");
  };
  useKeys([{ keys: "c", says: "copy for agent", run: onCopy }]);
  const verdict = version === undefined ? dashboard.verdict : (chosen.data ?? dashboard.verdict);
  const declared = behaviors.data?.behaviors;
  const newest = runs.data?.runs;
  const older = useOlderRuns(dashboard, verdict, newest);
  const read = useMemo(() => (newest === undefined ? undefined : [...newest, ...older]), [newest, older]);
  const scored = scores.data?.behaviors;
  // The same object while nothing of it changes: what is chosen on the page draws only what it is chosen for.
  const report = useMemo<Report>(
    () => ({
      agent: dashboard.agent,
      dashboard,
      verdict,
      behavior: dashboard.behavior,
      behaviors: declared ?? (dashboard.behavior === null ? [] : [dashboard.behavior]),
      runs: read ?? [],
      scores: scored ?? null,
      serving: verdict.serving ?? dashboard.agent.serving ?? null,
      candidate: verdict.candidate ?? dashboard.agent.candidate ?? null,
    }),
    [dashboard, verdict, declared, read, scored],
  );
  if (version !== undefined && chosen.error !== null && chosen.data === undefined) {
    return <Failed error={chosen.error} what={`the verdict of ${version}`} retry={() => void chosen.refetch()} />;
  }
  return (
    <>
      <AgentTitle
        report={report}
        agents={agents.data?.agents ?? [dashboard.agent]}
        actions={
          <>
            <button type="button" className="button" onClick={onCopy} disabled={markdown === null}>
              Copy for agent <span className="key">c</span>
            </button>
            <PromoteButton report={report} book={book.data ?? null} />
          </>
        }
      />
      <BriefPart report={report} />
      <ExperimentPart agent={agent} />
      <VerdictPart report={report} />
      <ScorePart report={report} book={book.data ?? null} />
      <MovedPart report={report} />
      <TrainingPart report={report} />
      <JudgePart report={report} />
      <LivePart report={report} />
      <CostPart report={report} book={book.data ?? null} />
      <RunsPart report={report} onListed={setListed} />
      <Suspense fallback={<Waiting what="what was chosen" />}>
        {open !== undefined && <RunDrawer key={open} report={report} run={open} listed={listed} />}
        {compared.length >= 2 && <ComparePart report={report} runs={compared} />}
      </Suspense>
      <FiguresPart agent={agent} />
      <PromotionsPart report={report} />
      <Foot
        json={`/agents/${encodeURIComponent(agent)}/dashboard${behaviorName === undefined ? "" : `?behavior=${encodeURIComponent(behaviorName)}`}`}
        keys={["? keys", "c copy for agent", "j k rows", "[ ] runs"]}
      >
        <span>As of {time(asOf)}</span>
        {book.data !== undefined && <span>price book {book.data.version}</span>}
      </Foot>
    </>
  );
}
