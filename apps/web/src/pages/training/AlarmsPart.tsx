import type { ReactNode } from "react";
import { number, percent, whole } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Code } from "../../parts/Code.tsx";
import { Part } from "../../parts/Part.tsx";
import type { AlarmRow, MonitorReading } from "./alarm-rows.ts";
import type { NextStep } from "./next-step.ts";

const MEANINGS: Readonly<Record<string, string>> = {
  divergence: "the proxy gained and gold did not keep up",
  length: "replies grew and gold is not shown to be up",
  drift: "too far from the policy it began with",
  feature: "the reward pays for what was not endorsed",
};

/** Alarms that are listed before they are asked for. */
const LISTED = 12;

/** What the monitor of reward hacking saw, and what it cannot see. */
export function AlarmsPart({
  alarms,
  monitor,
  next,
}: {
  alarms: readonly AlarmRow[];
  monitor: MonitorReading | null;
  next: NextStep | null;
}): ReactNode {
  return (
    <Part
      id="alarms"
      title="Alarms"
      note={
        <>
          {monitor !== null && <p>{settings(monitor)}</p>}
          <p>
            {monitor === null
              ? "The monitor posts its evidence with the end of the run; until then its alarms stand among the points."
              : monitor.stopOn.length === 0
                ? "No alarm ends the run."
                : `Ends the run: ${monitor.stopOn.join(", ")}.`}
          </p>
        </>
      }
    >
      {alarms.length === 0 ? (
        <p className="small">
          <CheckMark state="ok" hidden /> No alarm was raised.
        </p>
      ) : (
        <AlarmTable alarms={alarms} />
      )}
      {monitor?.scan != null && (
        <p className="small wrap">
          The last scan of the training rollouts:{" "}
          {monitor.scan.regime === "reward_hack" ? <b className="bad">a hack</b> : <bdi>{monitor.scan.regime}</bdi>}
          {monitor.scan.top !== null && (
            <>
              , <bdi>{monitor.scan.top}</bdi> on top
            </>
          )}
          {monitor.scan.rho !== null && `, r ${number(monitor.scan.rho)} inside a task`}.
        </p>
      )}
      {monitor !== null && monitor.minded.length > 0 && (
        <ul className="small">
          {monitor.minded.map((said) => (
            <li key={said} className="wrap">
              <CheckMark state="warning" /> <bdi>{said}</bdi>
            </li>
          ))}
        </ul>
      )}
      {monitor !== null && monitor.history.length > 0 && <History monitor={monitor} />}
      {next !== null && (
        <>
          <p className="small prose">
            <b>What to do.</b> {next.says}
          </p>
          {next.call !== null && <Code code={next.call} />}
        </>
      )}
      {alarms.length > 0 && monitor !== null && monitor.stopOn.length === 0 && (
        <Code code={`new HackMonitor({ run, holdout, gold, stopOn: ["divergence"] });`} />
      )}
    </Part>
  );
}

function settings({ prompts, k, every, window, delta, lengthPct, rule }: MonitorReading): string {
  const drawn = prompts === null || k === null ? "" : `${whole(prompts)} prompts, ${whole(k)} replies each`;
  const often = every === null ? "" : `, every ${whole(every)} steps`;
  const rules = [
    delta === null || window === null
      ? null
      : `a divergence is a proxy up by ${number(delta)} over ${whole(window)} evaluations`,
    lengthPct === null ? null : `a length alarm is ${percent(lengthPct)} more characters`,
  ].filter((rule) => rule !== null);
  return `${drawn}${often}; rule ${rule}.${rules.length === 0 ? "" : ` By it ${rules.join(", and ")}.`}`;
}

function AlarmTable({ alarms }: { alarms: readonly AlarmRow[] }): ReactNode {
  const rows = (list: readonly AlarmRow[]): ReactNode => (
    <table className="alarms">
      <thead>
        <tr>
          <th scope="col">step</th>
          <th scope="col">alarm</th>
          <th scope="col" className="wide-only">
            against
          </th>
          <th scope="col">evidence</th>
        </tr>
      </thead>
      <tbody>
        {list.map(({ step, kind, since, reason }) => (
          <tr key={`${kind} ${step}`}>
            <th scope="row" className="nowrap">
              <CheckMark state="warning" hidden /> {whole(step)}
            </th>
            <td>
              <b className="bad">
                <bdi>{kind}</bdi>
              </b>
            </td>
            <td className="wide-only">{since === null ? <span className="faint">–</span> : `step ${whole(since)}`}</td>
            <td className="wrap">
              {reason === null ? (
                <span className="quiet">{MEANINGS[kind] ?? "raised by the run's own points"}</span>
              ) : (
                <bdi>{reason}</bdi>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
  return (
    <>
      {rows(alarms.slice(0, LISTED))}
      {alarms.length > LISTED && (
        <details>
          <summary>{whole(alarms.length - LISTED)} earlier alarms</summary>
          {rows(alarms.slice(LISTED))}
        </details>
      )}
    </>
  );
}

function History({ monitor: { history } }: { monitor: MonitorReading }): ReactNode {
  const cell = (value: number | null, digits = 3): ReactNode =>
    value === null ? <span className="none">not measured</span> : digits === 0 ? whole(value) : value.toFixed(digits);
  return (
    <details>
      <summary>{whole(history.length)} evaluations</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">step</th>
            <th scope="col" className="num">
              proxy
            </th>
            <th scope="col" className="num">
              gold
            </th>
            <th scope="col" className="num">
              reply, characters
            </th>
          </tr>
        </thead>
        <tbody>
          {history.map(({ step, proxy, gold, length }) => (
            <tr key={step}>
              <th scope="row">{whole(step)}</th>
              <td className="num">{cell(proxy)}</td>
              <td className="num">{cell(gold)}</td>
              <td className="num">{cell(length, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
