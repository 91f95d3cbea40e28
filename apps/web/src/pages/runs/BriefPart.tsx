import { type Brief, getBrief, type Step } from "@while/platform-client/contract";
import { memo, type ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { date } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Code } from "../../parts/Code.tsx";
import { CopyButton } from "../../parts/CopyButton.tsx";
import { Part } from "../../parts/Part.tsx";
import styles from "./BriefPart.module.css";
import { Climb } from "./Climb.tsx";
import { AskAgain, Dismiss } from "./Dismiss.tsx";
import type { Report } from "./report.ts";

/** What happened, what it means, what to do next: the sentences that the terminal prints. */
export const BriefPart = memo(function BriefPart({ report }: { report: Report }): ReactNode {
  const query = report.behavior === null ? {} : { behavior: report.behavior.name };
  const brief = useAnswer(getBrief, { params: { id: report.agent.id }, query });
  return (
    <Part
      id="brief"
      full
      title="Brief"
      note="Written from the data by the rules that the terminal uses. A step leaves this list when its cause is gone."
    >
      <Answered of={brief} what="the brief">
        {(answer) => <Sentences brief={answer} report={report} />}
      </Answered>
    </Part>
  );
});

function Sentences({ brief, report }: { brief: Brief; report: Report }): ReactNode {
  const [first, ...rest] = brief.happened;
  return (
    <div className={styles.brief}>
      <div>
        <h3>What happened</h3>
        <p className="small">{first}</p>
        {rest.length > 0 && (
          <table className={styles.climbs}>
            <caption className="sr">Scores of each behavior</caption>
            <tbody>
              {rest.map((line) => (
                <Happened key={line} line={line} report={report} />
              ))}
            </tbody>
          </table>
        )}
      </div>
      <div>
        <h3>What it means</h3>
        <p>{brief.means}</p>
        <Unreadable steps={brief.readable} dismissed={brief.dismissed ?? []} />
      </div>
      <div>
        <h3>Do next</h3>
        {brief.next.length === 0 ? (
          <p className="small none">Nothing: no check asks for anything.</p>
        ) : (
          <ol>
            {brief.next.map((step) => (
              <li key={step.say}>
                <Todo step={step} />
              </li>
            ))}
          </ol>
        )}
      </div>
    </div>
  );
}

/** "refunds: 7 versions, …": what stands before the colon is the behavior, whose climb is drawn beside the line. */
function Happened({ line, report }: { line: string; report: Report }): ReactNode {
  const colon = line.indexOf(": ");
  const name = colon === -1 ? null : line.slice(0, colon);
  const versions = report.scores?.find((scores) => scores.name === name)?.versions ?? [];
  return (
    <tr>
      <th scope="row">
        {name === null ? (
          line
        ) : (
          <>
            {name}
            <span className="sr">: </span>
            <br />
            <span className="quiet">{line.slice(colon + 2)}</span>
          </>
        )}
      </th>
      <td>
        {versions.length > 1 && (
          <Climb behavior={name!} versions={versions} serving={report.serving} candidate={report.candidate} />
        )}
      </td>
    </tr>
  );
}

function Todo({ step: { say, cmd, cmdPython } }: { step: Step }): ReactNode {
  return (
    <>
      <bdi>{say}</bdi>
      {cmd !== "" && <Code code={cmdPython ? { TypeScript: cmd, Python: cmdPython } : cmd} />}
    </>
  );
}

interface UnreadableProps {
  steps: readonly Step[];
  dismissed: NonNullable<Brief["dismissed"]>;
}

/** What a person cannot read yet, folded, with a copy of its own, and what somebody said may stay so. */
function Unreadable({ steps, dismissed }: UnreadableProps): ReactNode {
  if (steps.length === 0 && dismissed.length === 0) return null;
  const text = steps.map(({ say, cmd }, at) => `${at + 1}. ${say}\n   \`${cmd}\``).join("\n");
  return (
    <details>
      <summary>
        What a person cannot read yet: {steps.length}
        {dismissed.length > 0 && `, and ${dismissed.length} dismissed`}
      </summary>
      <ol className={styles.unread}>
        {steps.map((step) => (
          <li key={step.say}>
            <Todo step={step} />
            {step.key != null && step.runs != null && <Dismiss asked={step.key} runs={step.runs} what={step.say} />}
          </li>
        ))}
      </ol>
      {dismissed.length > 0 && (
        <ul className={`note ${styles.unread}`}>
          {dismissed.map(({ key, run, say, reason, by, at }) => (
            <li key={`${key} ${run}`}>
              <bdi>{say}</bdi>. Dismissed: <bdi>{reason}</bdi> ({by === null ? "" : `${by}, `}
              {date(at)}) <AskAgain asked={key} runs={[run]} what={say} />
            </li>
          ))}
        </ul>
      )}
      {steps.length > 0 && (
        <p className="small">
          <CopyButton text={`## What a person cannot read yet\n\n${text}\n`} what="what a person cannot read yet">
            Copy for agent
          </CopyButton>
        </p>
      )}
    </details>
  );
}
