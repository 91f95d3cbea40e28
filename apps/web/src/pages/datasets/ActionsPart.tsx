import { useNavigate } from "@tanstack/react-router";
import type { Dataset } from "@while/platform-client/contract";
import {
  deleteDataset,
  downloadDataset,
  getCatalog,
  getDataset,
  listDatasets,
  PURPOSES,
  type Purpose,
  publishDataset,
  unpublishDataset,
  updateDataset,
} from "@while/platform-client/contract";
import { type FormEvent, type ReactNode, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { bytes, whole } from "../../numbers.ts";
import { Code } from "../../parts/Code.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { Part } from "../../parts/Part.tsx";
import { Pick } from "../../parts/Pick.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { announce } from "../../shell/announce.tsx";

/** What one can do with a set: say what it is for, train on it, take it along, publish it, delete it. */
export function ActionsPart({ set }: { set: Dataset }): ReactNode {
  const [asking, setAsking] = useState<"publish" | "delete" | null>(null);
  const ready = set.status === "ready";
  return (
    <Part id="do" title="What to do with it" note="A purpose can be changed. A deleted set is gone for good.">
      <PurposeChoice set={set} />
      {ready && (
        <>
          <Parts set={set} />
          <details>
            <summary>Train on it with a trainer of your own</summary>
            <Code code={trainCalls(set)} />
          </details>
        </>
      )}
      <div className="actions">
        {ready && <Published set={set} onPublish={() => setAsking("publish")} />}
        <button type="button" className="button" onClick={() => setAsking("delete")}>
          Delete…
        </button>
      </div>
      <PublishDialog set={set} open={asking === "publish"} onClose={() => setAsking(null)} />
      <DeleteDialog set={set} open={asking === "delete"} onClose={() => setAsking(null)} />
    </Part>
  );
}

function trainCalls({ datasetId }: Dataset): Record<string, string> {
  return {
    TypeScript: `const run = await client.trainingRun("refunds-grpo", { datasetId: "${datasetId}", baseModel, totalSteps });
run.log(step, { reward, kl, loss });
await run.finish();`,
    curl: `wai pull ${datasetId} -o rows.jsonl
curl "$WHILEAI_API_URL/runs" -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "refunds-grpo", "dataset_id": "${datasetId}", "total_steps": 300}'`,
  };
}

function PurposeChoice({ set }: { set: Dataset }): ReactNode {
  const change = useSend(updateDataset, {
    changes: [getDataset, listDatasets],
    done: ({ purpose }) => announce(`Its purpose is ${purpose} now.`),
  });
  // What was chosen stands at once, and falls back if the platform refuses.
  const [sent, setSent] = useState<{ purpose?: Purpose; sealed?: boolean } | null>(null);
  const send = (body: { purpose?: Purpose; sealed?: boolean }): void => {
    setSent(body);
    change.mutate({ params: { id: set.datasetId }, body }, { onSettled: () => setSent(null) });
  };
  const purpose = sent?.purpose ?? set.purpose;
  return (
    <>
      <p className="small">
        It is for{" "}
        <Pick
          label="Purpose"
          value={purpose}
          options={set.purpose === "raw" ? ["raw", ...PURPOSES] : PURPOSES}
          onPick={(purpose) => purpose !== "raw" && send({ purpose: purpose as Purpose })}
        />
        {purpose === "holdout" && (
          <label className="tick">
            {" "}
            <input
              type="checkbox"
              checked={sent?.sealed ?? set.sealed}
              disabled={change.isPending}
              onChange={({ target }) => send({ sealed: target.checked })}
            />{" "}
            sealed: only a key with eval:read reads its rows
          </label>
        )}
      </p>
      <Refused error={change.error} />
    </>
  );
}

/** Links to the stored bytes, asked for when they are wanted: they are good for fifteen minutes. */
function Parts({ set }: { set: Dataset }): ReactNode {
  const [wanted, setWanted] = useState(false);
  const grant = useAnswer(downloadDataset, { params: { id: set.datasetId }, when: wanted, once: true });
  if (!wanted) {
    return (
      <p className="small">
        <button type="button" className="plain" onClick={() => setWanted(true)}>
          Get links to its {bytes(set.sizeBytes)}
        </button>
      </p>
    );
  }
  return (
    <div className="small">
      <Refused error={grant.error} />
      {grant.data !== undefined && (
        <p className="choices" role="status">
          {grant.data.parts.map((part, i) => (
            <a
              key={part}
              href={part}
              download={`${set.datasetId}${grant.data.parts.length === 1 ? "" : `-${i + 1}`}.jsonl`}
            >
              {grant.data.parts.length === 1 ? "Download the rows" : `Download part ${whole(i + 1)}`}
            </a>
          ))}
          <span className="quiet">good for fifteen minutes</span>
        </p>
      )}
    </div>
  );
}

function Published({ set, onPublish }: { set: Dataset; onPublish: () => void }): ReactNode {
  const catalog = useAnswer(getCatalog);
  const withdraw = useSend(unpublishDataset, {
    changes: [getCatalog],
    done: () => announce("It is out of the catalog."),
  });
  const card = catalog.data?.datasets.find(({ datasetId }) => datasetId === set.datasetId);
  if (card === undefined) {
    return (
      <button type="button" className="button" disabled={catalog.isPending} onClick={onPublish}>
        Publish…
      </button>
    );
  }
  return (
    <>
      <span className="small">
        In the public catalog under <bdi className="wrap">{card.agent}</bdi>.
      </span>
      <button
        type="button"
        className="button"
        disabled={withdraw.isPending}
        onClick={() => withdraw.mutate({ params: { id: set.datasetId } })}
      >
        Take it out
      </button>
      <Refused error={withdraw.error} />
    </>
  );
}

interface AskedProps {
  set: Dataset;
  open: boolean;
  onClose: () => void;
}

function PublishDialog({ set, open, onClose }: AskedProps): ReactNode {
  const [agent, setAgent] = useState(set.agent ?? "");
  const [description, setDescription] = useState(set.description ?? "");
  const publish = useSend(publishDataset, {
    changes: [getCatalog],
    done: () => {
      announce("It is in the catalog.");
      onClose();
    },
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const words = description.trim();
    publish.mutate({
      params: { id: set.datasetId },
      body: { agent: agent.trim(), ...(words && { description: words }) },
    });
  };
  return (
    <Dialog open={open} onClose={onClose} title="Publish this set?">
      <form className="prose" onSubmit={onSubmit}>
        <p>
          Anybody who reaches this server may then see <b className="wrap">{set.name}</b> and download its{" "}
          {set.rows === null ? "rows" : `${whole(set.rows)} rows`}, without a key.
        </p>
        <label className="asked">
          <span>Agent that it is listed under</span>
          <input className="field" required value={agent} onChange={(event) => setAgent(event.target.value)} />
        </label>
        <label className="asked">
          <span>What it holds, in a few words</span>
          <textarea className="field" value={description} onChange={(event) => setDescription(event.target.value)} />
        </label>
        <Refused error={publish.error} />
        <div className="actions">
          <button type="submit" className="button main" disabled={publish.isPending}>
            Publish
          </button>
          <button type="button" className="button" onClick={onClose}>
            Keep it private
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteDialog({ set, open, onClose }: AskedProps): ReactNode {
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const remove = useSend(deleteDataset, {
    changes: [listDatasets],
    done: () => {
      announce("The set is deleted.");
      void navigate({ to: "/platform/datasets" });
    },
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed.trim() === set.datasetId) remove.mutate({ params: { id: set.datasetId } });
  };
  return (
    <Dialog open={open} onClose={onClose} title="Delete this set for good?">
      <form className="prose" onSubmit={onSubmit}>
        <p>
          <b className="wrap">{set.name}</b>
          {set.rows !== null && `, ${whole(set.rows)} rows`}. Its bytes are deleted with it.
          {set.children.length > 0 && ` ${whole(set.children.length)} sets were made from it; they stay.`}
        </p>
        <label className="asked">
          <span>
            Type <code>{set.datasetId}</code>
          </span>
          <input
            className="field"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <Refused error={remove.error} />
        <div className="actions">
          <button type="submit" className="button main" disabled={typed.trim() !== set.datasetId || remove.isPending}>
            Delete
          </button>
          <button type="button" className="button" onClick={onClose}>
            Keep it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
