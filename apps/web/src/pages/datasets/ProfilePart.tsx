import { Link } from "@tanstack/react-router";
import type { Dataset } from "@while/platform-client/contract";
import { getDataset, type Profile, profileDataset } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { counted, number, percent, whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Part } from "../../parts/Part.tsx";
import { PassHistogram } from "./PassHistogram.tsx";
import { passBins } from "./pass-bins.ts";

/** What a trainer would learn from the set: how hard its tasks are for who made it, and what its rows hold. */
export function ProfilePart({ set }: { set: Dataset }): ReactNode {
  const profile = useAnswer(profileDataset, { params: { id: set.datasetId } });
  return (
    <Part
      id="profile"
      title="Profile"
      note={
        <>
          <p>A grouped update learns from tasks that sometimes pass. Where all rollouts agree its advantage is zero.</p>
          {set.siblings.holdout != null && <HeldOut id={set.siblings.holdout} />}
          {set.duplicateOf !== null && (
            <p>
              The same bytes as{" "}
              <Link to="/platform/datasets/$dataset" params={{ dataset: set.duplicateOf } as never}>
                {set.duplicateOf}
              </Link>
              .
            </p>
          )}
        </>
      }
    >
      <Answered of={profile} what="the profile">
        {({ profile }) => (
          <div className="profile">
            <Difficulty profile={profile} />
            <ProfileFacts profile={profile} />
          </div>
        )}
      </Answered>
    </Part>
  );
}

function HeldOut({ id }: { id: string }): ReactNode {
  const held = useAnswer(getDataset, { params: { id } });
  return (
    <p>
      Held out from it:{" "}
      <Link to="/platform/datasets/$dataset" params={{ dataset: id } as never}>
        <bdi className="wrap">{held.data?.name ?? id}</bdi>
      </Link>
      {held.data?.tasks != null && `, ${counted(held.data.tasks, "task")}`}.
    </p>
  );
}

function Difficulty({ profile }: { profile: Profile }): ReactNode {
  const bins = passBins(profile);
  if (bins !== null) return <PassHistogram bins={bins} />;
  const why =
    profile.graded === 0
      ? "No row is graded, so no task has a pass rate."
      : !profile.per_task_complete
        ? `The profile lists ${whole(profile.per_task.length)} of ${whole(profile.tasks)} tasks, and a drawing of some of them would mislead.`
        : "Every task has one graded rollout: a pass rate inside a task takes two.";
  return <p className="none">{why}</p>;
}

function ProfileFacts({ profile }: { profile: Profile }): ReactNode {
  const { rows, graded, tasks, rows_per_task, mixed_tasks, support, tool_use, tokens, truncated, duplicates } = profile;
  const temperatures = Object.keys(profile.temperatures);
  const none = <span className="none">not measured</span>;
  return (
    <dl className="defs">
      <dt>rows</dt>
      <dd>
        {whole(rows)}, {graded === rows ? "all graded" : graded === 0 ? "none graded" : `${whole(graded)} graded`}
      </dd>
      <dt>tasks</dt>
      <dd>
        {whole(tasks)}
        {rows_per_task !== null && `, ${number(rows_per_task)} rollouts each`}
      </dd>
      <dt>passed</dt>
      <dd>{profile.pass_rate === null ? <span className="none">ungraded</span> : percent(profile.pass_rate)}</dd>
      <dt>mixed</dt>
      <dd>
        {graded === 0 ? none : counted(mixed_tasks, "task")}
        {graded > 0 && profile.mixed_fraction !== null && `, ${percent(profile.mixed_fraction)}`}
      </dd>
      <dt>support</dt>
      <dd>{support === null ? none : `${number(support)} of 1`}</dd>
      <dt>with a tool call</dt>
      <dd>
        {tool_use.share === null ? none : `${percent(tool_use.share)} of rows`}
        <Tools byTool={tool_use.by_tool} />
      </dd>
      <dt>tokens</dt>
      <dd>{tokens === null ? none : `half under ${whole(tokens.p50)}, 95% under ${whole(tokens.p95)}`}</dd>
      <dt>cut replies</dt>
      <dd>{whole(truncated)}</dd>
      <dt>duplicates</dt>
      <dd>{whole(duplicates)}</dd>
      <dt>temperature</dt>
      <dd>{temperatures.length === 0 ? <span className="none">not recorded</span> : temperatures.join(", ")}</dd>
    </dl>
  );
}

/** Tools that are named before the rest is counted. */
const NAMED_TOOLS = 4;

function Tools({ byTool }: { byTool: Readonly<Record<string, number>> }): ReactNode {
  const tools = Object.entries(byTool).toSorted(([, a], [, b]) => b - a);
  if (tools.length === 0) return null;
  return (
    <span className="sub wrap">
      {tools.slice(0, NAMED_TOOLS).map(([name, rows], i) => (
        <span key={name}>
          {i > 0 && ", "}
          <bdi>{name}</bdi> {whole(rows)}
        </span>
      ))}
      {tools.length > NAMED_TOOLS && ` and ${whole(tools.length - NAMED_TOOLS)} more`}
    </span>
  );
}
