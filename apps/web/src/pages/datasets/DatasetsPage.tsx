import { useNavigate } from "@tanstack/react-router";
import { type Dataset, listDatasets, type RunRow } from "@while/platform-client/contract";
import { type ReactNode, useRef } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { bytes, counted } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Choice } from "../../parts/Choice.tsx";
import { Foot } from "../../parts/Foot.tsx";
import { Part } from "../../parts/Part.tsx";
import { choiceOf, textOf } from "../../search.ts";
import { useTitle } from "../../shell/title.ts";
import { useRowKeys } from "../../shell/use-row-keys.ts";
import { useChoices } from "../../use-search.ts";
import { isBeingRead, listLead, purposeCounts } from "./dataset-words.ts";
import { FamilyTable } from "./FamilyTable.tsx";
import { familyLines, flatLines } from "./family.ts";
import { NoDataset } from "./NoDataset.tsx";
import { SetActions } from "./SetActions.tsx";
import { PURPOSE_CHOICES, SetFilters } from "./SetFilters.tsx";
import { useTrainingOf } from "./use-training-of.ts";

/** Sets that one page lists: families are drawn whole, so that it is much. */
const PAGE = 200;
/** How often the list is looked at while a set of it is being read, milliseconds. */
const LOOK_MS = 5000;
const LISTED_BY = ["family", "purpose"] as const;

/** The sets of the account, as the families that they are. */
export function DatasetsPage(): ReactNode {
  useTitle("Datasets");
  const [search, choose] = useChoices();
  const purpose = choiceOf(search, "purpose", PURPOSE_CHOICES);
  const agent = textOf(search, "agent");
  const q = textOf(search, "q");
  const after = textOf(search, "after");
  const grouped = choiceOf(search, "by", LISTED_BY);
  const sets = useAnswer(listDatasets, {
    every: (answer) => (answer?.datasets.some(isBeingRead) === true ? LOOK_MS : false),
    query: {
      limit: PAGE,
      agent: agent ?? null,
      purpose: purpose === "all" ? null : purpose,
      q: q ?? null,
      cursor: after ?? null,
    },
  });
  const training = useTrainingOf();
  const body = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useRowKeys(body, {
    what: "sets",
    open: (href) => void navigate({ href }),
  });
  const filtered = purpose !== "all" || q !== undefined || agent !== undefined;
  return (
    <Answered of={sets} what="the datasets" head="Datasets">
      {({ datasets, storage, nextCursor }) => (
        <>
          <div className="title">
            <h1>Datasets</h1>
            {datasets.length > 0 && <SetActions sets={datasets} />}
            <div className="facts">
              <span>
                {bytes(storage.usedBytes)}
                {storage.limitBytes === null ? " stored" : ` of ${bytes(storage.limitBytes)}`}
              </span>
              <span>{counted(datasets.length, "set")} here</span>
              {datasets.length > 0 &&
                purpose === "all" &&
                purposeCounts(datasets).map((words) => <span key={words}>{words}</span>)}
            </div>
            {datasets.length > 0 && <p className="lead">{listLead(datasets)}</p>}
          </div>
          {datasets.length === 0 && !filtered ? (
            <NoDataset />
          ) : (
            <Part
              id="family"
              title={grouped === "family" ? "Families" : "By purpose"}
              full
              note={
                <>
                  <p>
                    {grouped === "family" && "A child was made from the set above it. "}Passed is the share of graded
                    rows; mixed tasks have both a pass and a fail.
                  </p>
                  <Choice
                    name="by"
                    now={grouped}
                    choices={LISTED_BY.map((value) => ({ value, label: `by ${value}` }))}
                  />
                </>
              }
            >
              <SetFilters purpose={purpose} agent={agent} q={q} />
              <div ref={body}>
                {datasets.length === 0 ? (
                  <NoMatch onClear={() => choose({ purpose: undefined, q: undefined, agent: undefined })} />
                ) : (
                  <Sets sets={datasets} grouped={grouped} training={training} />
                )}
              </div>
              <nav className="pager small" aria-label="Pages of sets">
                {after !== undefined && (
                  <button type="button" className="plain" onClick={() => choose({ after: undefined })}>
                    Newest
                  </button>
                )}
                {nextCursor != null && (
                  <button type="button" className="plain" onClick={() => choose({ after: nextCursor })}>
                    Older
                  </button>
                )}
              </nav>
            </Part>
          )}
          <Foot json="/datasets" keys={["j k sets", "Enter open", "/ find", "c copy for agent"]} />
        </>
      )}
    </Answered>
  );
}

interface SetsProps {
  sets: readonly Dataset[];
  grouped: (typeof LISTED_BY)[number];
  training: ReadonlyMap<string, RunRow>;
}

/** Sets as the families that they are, or a section for each purpose. */
function Sets({ sets, grouped, training }: SetsProps): ReactNode {
  if (grouped === "family") return <FamilyTable lines={familyLines(sets)} training={training} />;
  const lines = flatLines(sets);
  const groups = PURPOSE_CHOICES.map((purpose) => ({
    head: HEADS[purpose] ?? purpose,
    lines: lines.filter(({ set }) => set.purpose === purpose),
  }));
  return <FamilyTable lines={groups.filter(({ lines }) => lines.length > 0)} training={training} />;
}

const HEADS: Readonly<Record<string, string>> = { train: "Train", holdout: "Holdout", eval: "Eval", raw: "Raw" };

function NoMatch({ onClear }: { onClear: () => void }): ReactNode {
  return (
    <p className="small">
      No set is like that.{" "}
      <button type="button" className="plain" onClick={onClear}>
        Show all sets
      </button>
    </p>
  );
}
