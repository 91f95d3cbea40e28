import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type Dataset, getDataset, getLineage, listDatasets, previewDataset } from "@while/platform-client/contract";
import { type ReactNode, useEffect, useRef } from "react";
import { call } from "../../api/call.ts";
import { answerKey, askAgain, queryClient, useAnswer } from "../../api/use-answer.ts";
import { bytes, counted, date } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { BreakableName } from "../../parts/BreakableName.tsx";
import { CopyButton, copy } from "../../parts/CopyButton.tsx";
import { Foot } from "../../parts/Foot.tsx";
import { Part } from "../../parts/Part.tsx";
import { EXACTLY } from "../../search.ts";
import { useKeys } from "../../shell/keys.tsx";
import { useTitle } from "../../shell/title.ts";
import { useNeighbours } from "../../shell/use-neighbours.ts";
import { ActionsPart } from "./ActionsPart.tsx";
import { isBeingRead, setLead } from "./dataset-words.ts";
import { FamilyTable } from "./FamilyTable.tsx";
import { familyLines } from "./family.ts";
import { GatePart } from "./GatePart.tsx";
import { gateFacts } from "./gate-facts.ts";
import { type GateReading, readGate } from "./gate-reading.ts";
import { OverlapPart } from "./OverlapPart.tsx";
import { ProfilePart } from "./ProfilePart.tsx";
import { RowsPart } from "./RowsPart.tsx";
import { ScanPart } from "./ScanPart.tsx";
import { readScan, type ScanReading } from "./scan-reading.ts";
import { useTrainingOf } from "./use-training-of.ts";
import { warningsForAgent } from "./warnings-for-agent.ts";

/** How often a set that is being read is looked at, milliseconds. */
const LOOK_MS = 3000;

/** One set: may it be trained on, what would be learned from it, and what is in it. */
export function DatasetPage(): ReactNode {
  const { dataset: id } = useParams({ strict: false }) as { dataset: string };
  const set = useAnswer(getDataset, {
    params: { id },
    every: (set) => (set !== undefined && isBeingRead(set) ? LOOK_MS : false),
  });
  useTitle(set.data?.name, "Datasets");
  const navigate = useNavigate();
  useNeighbours({
    ...{ what: "set", id, list: listedSets },
    open: (next) => void navigate({ to: "/platform/datasets/$dataset", params: { dataset: next } as never }),
  });
  return (
    <Answered key={id} of={set} what="the dataset" head="Dataset">
      {(set) => <SetReport set={set} />}
    </Answered>
  );
}

/** Sets that the keys walk through. */
const WALKED = 200;

/** Sets in the order of their list, which are asked for when one walks through them. */
async function listedSets(): Promise<readonly string[]> {
  const query = { limit: WALKED };
  const { datasets } = await queryClient.fetchQuery({
    queryKey: answerKey(listDatasets, { query }),
    queryFn: () => call(listDatasets, { query }),
    staleTime: 60_000,
  });
  return familyLines(datasets).map(({ set }) => set.datasetId);
}

function SetReport({ set }: { set: Dataset }): ReactNode {
  const ready = set.status === "ready";
  const params = { id: set.datasetId };
  const preview = useAnswer(previewDataset, { params, when: ready });
  const family = useAnswer(getLineage, { params });
  const training = useTrainingOf();
  const gateState = set.gateState ?? null;
  const seen = useRef(gateState);
  useEffect(() => {
    if (seen.current === gateState) return;
    seen.current = gateState;
    // The gate is through: what it says is there now, and lists count its warnings.
    void askAgain(previewDataset, getLineage, listDatasets);
  }, [gateState]);
  const gate = preview.data === undefined ? null : readGate(preview.data.report, set);
  const scan = preview.data === undefined ? null : readScan(preview.data.report);
  const kin = family.data?.nodes ?? [set];
  return (
    <>
      <SetHead
        set={set}
        gate={gate}
        scan={scan}
        reading={ready && !preview.isError && (preview.data === undefined || gateState === "pending")}
      />
      <Part id="family" title="Family" full note="What it was made from, and what was made from it.">
        <FamilyTable lines={familyLines(kin)} training={training} here={set.datasetId} />
      </Part>
      {ready && (
        <>
          <ProfilePart set={set} />
          <Answered of={preview} what="the gate report">
            {({ rows, report }) => (
              <>
                <GatePart gate={gate!} facts={report === null ? [] : gateFacts(report)} />
                {scan !== null && <ScanPart scan={scan} set={set} />}
                <RowsPart set={set} sample={rows} />
              </>
            )}
          </Answered>
          <OverlapPart set={set} kin={kin} />
        </>
      )}
      <ActionsPart set={set} />
      <Foot json={`/datasets/${encodeURIComponent(set.datasetId)}`} keys={["[ ] sets", "c copy for agent"]} />
    </>
  );
}

interface SetHeadProps {
  set: Dataset;
  gate: GateReading | null;
  scan: ScanReading | null;
  reading: boolean;
}

function SetHead({ set, gate, scan, reading }: SetHeadProps): ReactNode {
  const text = gate === null ? null : warningsForAgent(set, gate);
  useKeys(
    text === null
      ? []
      : [{ keys: "c", says: "copy for agent", run: () => void copy(text, "the warnings for an agent") }],
  );
  return (
    <div className="title">
      <h1 className="wrap">
        <BreakableName name={set.name} />
      </h1>
      <div className="actions">
        {text !== null && (
          <CopyButton className="button" text={text} what="the warnings for an agent">
            Copy for agent <span className="key">c</span>
          </CopyButton>
        )}
      </div>
      <div className="facts">
        <Link to="/platform/datasets" activeOptions={EXACTLY}>
          all datasets
        </Link>
        <span>{set.datasetId}</span>
        {set.agent !== null && (
          <Link to="/platform/datasets" activeOptions={EXACTLY} search={{ agent: set.agent } as never}>
            <bdi>{set.agent}</bdi>
          </Link>
        )}
        <span>
          {set.purpose}
          {set.sealed && ", sealed"}
          {set.mode !== null && `, mode ${set.mode}`}
        </span>
        <span>
          {set.rows === null ? "rows not read" : counted(set.rows, "row")}
          {set.tasks !== null && `, ${counted(set.tasks, "task")}`}, {bytes(set.sizeBytes)}
        </span>
        <span>
          pushed {date(set.createdAt)}
          {set.createdBy !== null && (
            <>
              {" "}
              by <bdi className="wrap">{set.createdBy}</bdi>
            </>
          )}
        </span>
      </div>
      <p className="lead" role="status">
        {reading ? "The gate is reading it …" : setLead(set, gate, scan)}
      </p>
      {set.description !== null && (
        <p className="prose small wrap described">
          <bdi>{set.description}</bdi>
        </p>
      )}
    </div>
  );
}
