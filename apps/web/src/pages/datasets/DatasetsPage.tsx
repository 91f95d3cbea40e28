import { useNavigate } from "@tanstack/react-router";
import { listDatasets } from "@while/platform-client/contract";
import { type ReactNode, useRef } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { bytes, counted } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Foot } from "../../parts/Foot.tsx";
import { Part } from "../../parts/Part.tsx";
import { choiceOf, textOf } from "../../search.ts";
import { useTitle } from "../../shell/title.ts";
import { useRowKeys } from "../../shell/use-row-keys.ts";
import { useChoices } from "../../use-search.ts";
import { listLead } from "./dataset-words.ts";
import { FamilyTable } from "./FamilyTable.tsx";
import { familyLines } from "./family.ts";
import { NoDataset } from "./NoDataset.tsx";
import { PURPOSE_CHOICES, SetFilters } from "./SetFilters.tsx";
import { useTrainingOf } from "./use-training-of.ts";

/** Sets that one page lists: families are drawn whole, so that it is much. */
const PAGE = 200;

/** The sets of the account, as the families that they are. */
export function DatasetsPage(): ReactNode {
  useTitle("Datasets");
  const [search, choose] = useChoices();
  const purpose = choiceOf(search, "purpose", PURPOSE_CHOICES);
  const agent = textOf(search, "agent");
  const q = textOf(search, "q");
  const after = textOf(search, "after");
  const sets = useAnswer(listDatasets, {
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
            <div className="facts">
              <span>
                {bytes(storage.usedBytes)}
                {storage.limitBytes === null ? " stored" : ` of ${bytes(storage.limitBytes)}`}
              </span>
              <span>{counted(datasets.length, "set")} here</span>
            </div>
            {datasets.length > 0 && <p className="lead">{listLead(datasets)}</p>}
          </div>
          {datasets.length === 0 && !filtered ? (
            <NoDataset />
          ) : (
            <Part
              id="family"
              title="Families"
              full
              note="A child was made from the set above it. Passed is the share of graded rows; mixed tasks have both a pass and a fail."
            >
              <SetFilters purpose={purpose} agent={agent} q={q} />
              <div ref={body}>
                {datasets.length === 0 ? (
                  <NoMatch onClear={() => choose({ purpose: undefined, q: undefined, agent: undefined })} />
                ) : (
                  <FamilyTable lines={familyLines(datasets)} training={training} />
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
          <Foot json="/datasets" keys={["j k sets", "Enter open", "/ find"]} />
        </>
      )}
    </Answered>
  );
}

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
