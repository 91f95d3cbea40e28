import { Link, useNavigate } from "@tanstack/react-router";
import { listRuns, type RunRow } from "@while/platform-client/contract";
import { type ReactNode, useRef } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { Strip } from "../../marks/Strip.tsx";
import { StripAxis } from "../../marks/StripAxis.tsx";
import { date, number, points, whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { BreakableName } from "../../parts/BreakableName.tsx";
import { Choice } from "../../parts/Choice.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { FindField } from "../../parts/FindField.tsx";
import { Foot } from "../../parts/Foot.tsx";
import { Part } from "../../parts/Part.tsx";
import { SaveTable } from "../../parts/SaveTable.tsx";
import { choiceOf, textOf } from "../../search.ts";
import { useKeys } from "../../shell/keys.tsx";
import { useTitle } from "../../shell/title.ts";
import { useRowKeys } from "../../shell/use-row-keys.ts";
import { useChoices } from "../../use-search.ts";
import { ComparedPart } from "./ComparedPart.tsx";
import { changeWords, lookOf } from "./HeldOutPart.tsx";
import { type HeldOut, heldOut } from "./held-out.ts";
import { useMarkedRuns } from "./marked-runs.ts";
import { nameOf } from "./run-name.ts";
import { RUN_COLUMNS, runCells } from "./run-table.ts";
import "../../styles/training.css";

const PAGE = 50;
const STATUSES = ["all", "running", "done", "stopped", "failed"] as const;
/** How often the list is looked at while something runs, milliseconds. */
const LOOK_MS = 10_000;

/** Training runs: what runs stands first, then the newest. */
export function TrainingList(): ReactNode {
  useTitle("Training");
  const [search] = useChoices();
  const status = choiceOf(search, "status", STATUSES);
  const q = textOf(search, "q");
  const after = textOf(search, "after");
  const query = { limit: PAGE, q: q ?? null, cursor: after ?? null };
  const runs = useAnswer(listRuns, { query: { ...query, status: status === "all" ? null : status }, every: LOOK_MS });
  const first = status === "all" && q === undefined && after === undefined;
  const going = useAnswer(listRuns, { query: { limit: PAGE, status: "running" }, when: first, every: LOOK_MS });
  const body = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useRowKeys(body, { what: "runs", open: (href) => void navigate({ href }) });
  const [marked, mark] = useMarkedRuns();
  useKeys([
    {
      keys: "x",
      says: "mark the run in hand, to hold it beside others",
      run: () => {
        const id = (document.activeElement?.closest("tr") as HTMLElement | null)?.dataset.run;
        if (id !== undefined) mark(id);
      },
    },
  ]);
  return (
    <Answered of={runs} what="the training runs" head="Training">
      {({ runs, total, nextCursor }) => {
        const listed = runningFirst(first ? [...(going.data?.runs ?? []), ...runs] : runs);
        const filtered = status !== "all" || q !== undefined || after !== undefined;
        return (
          <>
            <div className="title">
              <h1>Training</h1>
              {listed.length > 0 && (
                <div className="actions">
                  <SaveTable name="training-runs" heads={RUN_COLUMNS} rows={() => listed.map(runCells)} />
                </div>
              )}
              <div className="facts">
                <span>
                  {whole(total ?? listed.length)} {total === 1 ? "run" : "runs"}
                  {filtered && " like this"}
                </span>
              </div>
              {listed.length > 0 && <p className="lead wrap">{listLead(listed)}</p>}
            </div>
            {marked.length > 1 && <ComparedPart ids={marked} />}
            {listed.length === 0 && !filtered ? (
              <NoRun />
            ) : (
              <Part
                id="runs"
                title="Runs"
                full
                note="Running first, then newest. Points on the held-out set, before and after; hollow, the interval includes zero or there is none."
              >
                <div className="filters">
                  <Choice
                    name="status"
                    resets={["after"]}
                    now={status}
                    choices={STATUSES.map((value) => ({ value, label: value }))}
                  />
                  <FindField of="Runs" label="Words in the name or the notes" q={q} />
                </div>
                <div ref={body}>
                  {listed.length === 0 ? (
                    <p className="none">No run is like that.</p>
                  ) : (
                    <RunTable runs={listed} marked={marked} onMark={mark} />
                  )}
                </div>
                <Pages after={after} next={nextCursor ?? null} />
              </Part>
            )}
            <Foot json="/runs" keys={["j k runs", "Enter open", "x mark", "/ find"]} />
          </>
        );
      }}
    </Answered>
  );
}

/** Runs that go on first; each once, whatever list it came from. */
function runningFirst(runs: readonly RunRow[]): RunRow[] {
  const once = [...new Map(runs.map((run) => [run.id, run])).values()];
  return [...once.filter(({ status }) => status === "running"), ...once.filter(({ status }) => status !== "running")];
}

function listLead(runs: readonly RunRow[]): string {
  const going = runs.filter(({ status }) => status === "running");
  const newest = runs.find(({ status }) => status !== "running");
  const [one] = going;
  if (going.length === 1 && one !== undefined) return `${nameOf(one)} runs${stepWords(one)}.`;
  if (going.length > 1) return `${whole(going.length)} runs go on.`;
  if (newest === undefined) return "";
  const held = heldOut(newest.summary);
  const outcome = newest.status === "failed" ? "failed" : newest.status === "stopped" ? "was stopped" : "is done";
  return `Nothing runs. The newest ${outcome}${held === null ? "" : `: ${held.word.toLowerCase()} on the held-out set`}.`;
}

/** `, at step 186 of 300`; nothing before the first step. */
function stepWords({ steps, totalSteps }: RunRow): string {
  if (steps == null) return "";
  return `, at step ${whole(steps)}${totalSteps == null ? "" : ` of ${whole(totalSteps)}`}`;
}

function Pages({ after, next }: { after: string | undefined; next: string | null }): ReactNode {
  const [, choose] = useChoices();
  return (
    <nav className="pager small" aria-label="Pages of runs">
      {after !== undefined && (
        <button type="button" className="plain" onClick={() => choose({ after: undefined })}>
          Newest
        </button>
      )}
      {next !== null && (
        <button type="button" className="plain" onClick={() => choose({ after: next })}>
          Older
        </button>
      )}
    </nav>
  );
}

interface RunTableProps {
  runs: readonly RunRow[];
  marked: readonly string[];
  onMark: (id: string) => void;
}

function RunTable({ runs, marked, onMark }: RunTableProps): ReactNode {
  const read = runs.map((run) => ({ run, held: heldOut(run.summary) }));
  const widest = Math.max(
    5,
    ...read.flatMap(({ held }) =>
      held?.change == null || held.metric === "loss"
        ? []
        : [held.change.value, held.change.low ?? 0, held.change.high ?? 0].map(Math.abs),
    ),
  );
  const domain = [-1.15 * widest, 1.15 * widest] as const;
  return (
    <table className="others">
      <thead>
        <tr>
          <th scope="col" className="held-beside">
            <span className="sr">side by side</span>
          </th>
          <th scope="col">run</th>
          <th scope="col" className="wide-only">
            status
          </th>
          <th scope="col" className="num wide-only">
            before
          </th>
          <th scope="col" className="num wide-only">
            after
          </th>
          <th scope="col" className="plot wide-only">
            <span className="sr">change, drawn</span>
            <StripAxis domain={domain} />
          </th>
          <th scope="col" className="num wide-only roomy">
            change
          </th>
          <th scope="col">held out</th>
          <th scope="col" className="num slim-off">
            date
          </th>
        </tr>
      </thead>
      <tbody>
        {read.map(({ run, held }) => (
          <RunLine
            key={run.id}
            run={run}
            held={held}
            domain={domain}
            marked={marked.includes(run.id)}
            onMark={() => onMark(run.id)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RunLineProps {
  run: RunRow;
  held: HeldOut | null;
  domain: readonly [number, number];
  marked: boolean;
  onMark: () => void;
}

function RunLine({ run, held, domain, marked, onMark }: RunLineProps): ReactNode {
  const { status, steps, totalSteps } = run;
  const side = (value: HeldOut["before"]): ReactNode =>
    value === null ? null : held?.metric === "loss" ? number(value.value) : points(value.value);
  const drawn = held !== null && held.change !== null && held.metric === "pass";
  const running = status === "running";
  const method = run.method ?? (typeof run.config?.method === "string" ? run.config.method : null);
  return (
    <tr data-run={run.id}>
      <td className="held-beside">
        <input type="checkbox" checked={marked} onChange={onMark} aria-label={`Hold ${nameOf(run)} beside others`} />
      </td>
      <th scope="row" className="wrap">
        <Link to="/platform/training/$run" params={{ run: run.id } as never}>
          <BreakableName name={nameOf(run)} />
        </Link>
        {method !== null && !nameOf(run).toLowerCase().includes(method.toLowerCase()) && (
          <span className="sub">
            <bdi>{method}</bdi>
          </span>
        )}
      </th>
      <td className={status === "failed" ? "wide-only bad" : "wide-only"}>
        <bdi>{status}</bdi>
      </td>
      <td className="num wide-only">{side(held?.before ?? null)}</td>
      <td className="num wide-only">{side(held?.after ?? null)}</td>
      <td className="plot wide-only">
        <Strip
          label={
            drawn ? `${nameOf(run)}: ${changeWords(held.change!)} points, ${held.word}` : `${nameOf(run)}: not measured`
          }
          domain={domain}
          readings={drawn ? [{ ...held.change!, ...lookOf(held.word) }] : []}
        />
      </td>
      <td className="num wide-only roomy">{drawn && <b>{changeWords(held.change!)}</b>}</td>
      <td>
        {held === null ? (
          <span className={status === "failed" ? "bad" : "none"}>
            {running ? "on finish" : status === "failed" ? "failed" : "not measured"}
          </span>
        ) : (
          <>
            {held.word}
            {drawn && <span className="sub less-roomy">{changeWords(held.change!)}</span>}
          </>
        )}
        {running && steps != null && (
          <span className="sub">
            step {whole(steps)}
            {totalSteps != null && ` of ${whole(totalSteps)}`}
          </span>
        )}
        {status === "failed" && run.error != null && (
          <span className="sub wrap">
            <bdi>{firstLine(run.error)}</bdi>
          </span>
        )}
      </td>
      <td className="num slim-off">{date(run.createdAt)}</td>
    </tr>
  );
}

/** The beginning of an error, which its run's page shows whole. */
function firstLine(error: string): string {
  const [line = ""] = error.split("\n");
  return line.length > 90 ? `${line.slice(0, 88)} …` : line;
}

function NoRun(): ReactNode {
  return (
    <Part id="none" title="No run yet" note="No trainer has reported.">
      <Empty
        title="Runs of any trainer, with their curves, alarms and what they did to the held-out set"
        code={{
          TypeScript: `const run = await client.trainingRun("refunds-grpo", { datasetId, baseModel, totalSteps: 300 });
run.log(step, { loss, reward, kl });
await run.finish();`,
          curl: `curl "$WHILEAI_API_URL/runs" -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "refunds-grpo", "total_steps": 300}'`,
        }}
      >
        <p>
          No run is reported under this account. A trainer on any machine reports with two lines; runs of a tracked
          agent stand under Runs.
        </p>
      </Empty>
    </Part>
  );
}
