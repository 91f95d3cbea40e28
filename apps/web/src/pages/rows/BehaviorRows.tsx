import { Link } from "@tanstack/react-router";
import {
  fillPath,
  getFlips,
  getRows,
  getRowsSummary,
  listAgents,
  type RowsSummary,
  type RunDetail,
  type StoredScore,
} from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { queryText } from "../../api/call.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { BreakableName } from "../../parts/BreakableName.tsx";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Foot } from "../../parts/Foot.tsx";
import { Part } from "../../parts/Part.tsx";
import { Pick } from "../../parts/Pick.tsx";
import { choiceOf, textOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { Breakdown } from "./Breakdown.tsx";
import { worstGroup } from "./breakdown.ts";
import { FilterPart } from "./FilterPart.tsx";
import { FlipsPart } from "./FlipsPart.tsx";
import { GoldPart } from "./GoldPart.tsx";
import { kindTags } from "./gold-table.ts";
import { LISTED_BY } from "./ListChoices.tsx";
import { MarkedPart } from "./MarkedPart.tsx";
import { withoutMarks } from "./marked-rows.ts";
import { NoRows } from "./NoRows.tsx";
import { RowActions } from "./RowActions.tsx";
import { RowsPart } from "./RowsPart.tsx";
import { queryOf, readFilters, withoutFilters } from "./row-filters.ts";
import { PAGE_ROWS } from "./row-pages.ts";
import { rowsLead, tasksTimes } from "./rows-lead.ts";
import { TasksPart } from "./TasksPart.tsx";
import { tagTables } from "./tag-tables.ts";
import { useExpected } from "./use-expected.ts";

export interface BehaviorRowsProps {
  run: RunDetail;
  behavior: string;
  score: StoredScore | null;
}

/** The rows of one behavior on one run: how many failed, of which kind, and each of them. */
export function BehaviorRows({ run, behavior, score }: BehaviorRowsProps): ReactNode {
  const [search] = useChoices();
  const params = { id: run.id, behavior };
  const filters = readFilters(search);
  const summary = useAnswer(getRowsSummary, { params, query: {} });
  const left = useAnswer(getRowsSummary, { params, query: queryOf({ ...filters, graded: "all" }) });
  const all = summary.data;
  const expected = useExpected(run.id, behavior);
  const against = textOf(search, "flips");
  return (
    <>
      <div className="title">
        <h1>Rows</h1>
        {all !== undefined && all.n > 0 && (
          <RowActions run={run} behavior={behavior} filters={filters} tags={Object.keys(all.byTag)} />
        )}
        <Facts run={run} behavior={behavior} all={all} score={score} expected={expected} />
        {all !== undefined && all.n > 0 && <Lead all={all} complete={expected === null || expected <= all.n} />}
        {all?.n === 0 && <p className="lead">No rows are posted behind this score.</p>}
      </div>
      <Answered of={summary} what="the rows">
        {(counted) =>
          counted.n === 0 ? (
            <NoRows score={score} />
          ) : against !== undefined ? (
            <FlipsPart run={run} behavior={behavior} against={against} />
          ) : (
            <>
              <FilterPart
                run={run.id}
                behavior={behavior}
                score={score}
                all={counted}
                left={left.data}
                expected={expected}
              />
              {expected !== null && expected > counted.n ? (
                <Part id="breakdown" title="Breakdown" full>
                  <p className="small">
                    <Incomplete n={counted.n} expected={expected} />. The score stands; shares wait until the rest is
                    posted. Posting again is safe.
                  </p>
                </Part>
              ) : (
                <Breakdown run={run.id} behavior={behavior} all={counted} left={left.data ?? counted} />
              )}
              <GoldPart all={counted} />
              <MarkedPart run={run} behavior={behavior} />
              {choiceOf(search, "by", LISTED_BY) === "task" ? (
                <TasksPart run={run} behavior={behavior} all={counted} />
              ) : (
                <RowsPart run={run} behavior={behavior} all={counted} />
              )}
            </>
          )
        }
      </Answered>
      <Foot
        json={
          against === undefined
            ? `${fillPath(getRows.path, params)}${queryText({ ...queryOf(filters), limit: PAGE_ROWS })}`
            : `${fillPath(getFlips.path, params)}${queryText({ against, limit: PAGE_ROWS })}`
        }
        keys={against === undefined ? LIST_KEYS : ["? keys", "c copy for agent"]}
      />
    </>
  );
}

const LIST_KEYS = ["/ find", "j k rows", "Enter open", "Esc close", "[ ] in the filtered list", "x mark"];

/** The first sentence: how many failed, and where most of them are. */
function Lead({ all, complete }: { all: RowsSummary; complete: boolean }): ReactNode {
  const worst = !complete ? null : worstGroup(tagTables(kindTags(all.byTag), all.passed / all.n));
  return (
    <p className="lead untrusted">
      {rowsLead(all)}
      {worst !== null && (
        <>
          {" "}
          {whole(worst.value.failed)} of them have <bdi>{worst.key}</bdi> <bdi>{worst.value.value}</bdi>.
        </>
      )}
    </p>
  );
}

interface FactsProps extends BehaviorRowsProps {
  all: RowsSummary | undefined;
  expected: number | null;
}

function Facts({ run, behavior, all, score, expected }: FactsProps): ReactNode {
  const [search, choose] = useChoices();
  const agents = useAnswer(listAgents).data?.agents;
  const agent = agents?.find(({ id }) => id.toLowerCase() === run.agent?.toLowerCase());
  const behaviors = [...new Set([...run.evals.map((one) => one.behavior), behavior])];
  const times = all === undefined ? null : tasksTimes(all.n, score?.n);
  return (
    <div className="facts untrusted">
      {run.agent !== null && (
        <Link to="/platform/runs" search={{ agent: run.agent, behavior } as never}>
          <bdi>{agent?.name ?? run.agent}</bdi>
        </Link>
      )}
      <span>
        version{" "}
        <b className={agent?.candidate === run.version ? "accent" : undefined}>
          <bdi>{run.version}</bdi>
        </b>
        {agent?.serving === run.version && ", which serves"}, {run.id}
      </span>
      {behaviors.length === 1 ? (
        <span>
          <BreakableName name={behavior} />
        </span>
      ) : (
        <Pick
          label="Behavior"
          value={behavior}
          options={behaviors}
          // Tags and words of one behavior's rows mean nothing on another's.
          onPick={(chosen) =>
            choose({ ...withoutFilters(search), flips: undefined, ...withoutMarks({}), behavior: chosen })
          }
        />
      )}
      {all !== undefined && all.n > 0 && (
        <span>
          {whole(all.n)} rows{times !== null && `, ${times}`}
        </span>
      )}
      {all !== undefined && expected !== null && expected > all.n && <Incomplete n={all.n} expected={expected} />}
    </div>
  );
}

/** Fewer rows than the sender said there would be. */
function Incomplete({ n, expected }: { n: number; expected: number }): ReactNode {
  return (
    <span className="bad">
      <CheckMark state="warning" hidden /> Incomplete: {whole(n)} of {whole(expected)} rows
    </span>
  );
}
