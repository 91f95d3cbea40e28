import { deleteKey, type KeyInfo, listKeys } from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { age, date } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { Part } from "../../parts/Part.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { announce } from "../../shell/announce.tsx";
import { NewKeyForm } from "./NewKeyForm.tsx";
import { scopeWords } from "./scope-words.ts";

/** The keys of the account, how to end one, and how to make one. */
export function KeysPart(): ReactNode {
  const keys = useAnswer(listKeys);
  const [leaving, setLeaving] = useState<KeyInfo | null>(null);
  return (
    <Part
      id="keys"
      title="Keys"
      full
      note="Shown by their first and last characters. A key names who posted a run, so give each machine its own."
    >
      <Answered of={keys} what="the keys">
        {({ keys, limit }) => (
          <>
            <KeyTable keys={keys} limit={limit} onRevoke={setLeaving} />
            <NewKeyForm full={keys.length >= limit} limit={limit} />
          </>
        )}
      </Answered>
      <RevokeKey of={leaving} onClose={() => setLeaving(null)} />
    </Part>
  );
}

interface KeyTableProps {
  keys: readonly KeyInfo[];
  limit: number;
  onRevoke: (key: KeyInfo) => void;
}

function KeyTable({ keys, limit, onRevoke }: KeyTableProps): ReactNode {
  return (
    <table className="keylist">
      <caption>
        {keys.length} of {limit} keys are in use.
      </caption>
      <thead>
        <tr>
          <th scope="col">name</th>
          <th scope="col">key</th>
          <th scope="col" className="wide-only">
            may do
          </th>
          <th scope="col" className="wide-only">
            agents
          </th>
          <th scope="col" className="num slim-off">
            last used
          </th>
          <th scope="col" className="num wide-only">
            expires
          </th>
          <th scope="col" className="num wide-only roomy">
            created
          </th>
          <th scope="col">
            <span className="sr">end it</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row" className="wrap">
              <bdi>{key.name}</bdi>
            </th>
            <td className="nowrap">
              <code>{key.key}</code>
            </td>
            <td className="wide-only">{scopeWords(key.scopes)}</td>
            <td className="wide-only wrap">{key.agents === null ? "all agents" : key.agents.join(", ")}</td>
            <td className="num slim-off">
              {key.lastUsedAt === null ? <span className="none">never</span> : age(key.lastUsedAt)}
            </td>
            <td className="num wide-only">
              <Expiry at={key.expiresAt} />
            </td>
            <td className="num wide-only roomy">{date(key.createdAt)}</td>
            <td className="num">
              <button
                type="button"
                className="plain"
                aria-label={`Revoke the key ${key.name}`}
                onClick={() => onRevoke(key)}
              >
                Revoke
              </button>
            </td>
          </tr>
        ))}
        {keys.length === 0 && (
          <tr>
            <td colSpan={8} className="none">
              No key. A terminal gets one by wai login, a machine by the form below.
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function Expiry({ at }: { at: string | null }): ReactNode {
  if (at === null) return <span className="quiet">never</span>;
  return Date.parse(at) < Date.now() ? <span className="bad">over since {date(at)}</span> : date(at);
}

function RevokeKey({ of, onClose }: { of: KeyInfo | null; onClose: () => void }): ReactNode {
  const revoke = useSend(deleteKey, {
    changes: [listKeys],
    done: () => {
      announce("The key is revoked.");
      onClose();
    },
  });
  return (
    <Dialog open={of !== null} onClose={onClose} title="Revoke this key?">
      {of !== null && (
        <div className="prose">
          <p>
            <b className="wrap">
              <bdi>{of.name}</bdi>
            </b>
            , <code>{of.key}</code>. Whoever holds it is refused from the next call on. It cannot be taken back; what
            the key posted stays.
          </p>
          <Refused error={revoke.error} />
          <div className="actions">
            <button
              type="button"
              className="button main"
              disabled={revoke.isPending}
              onClick={() => revoke.mutate({ params: { id: of.id } })}
            >
              Revoke
            </button>
            <button type="button" className="button" onClick={onClose}>
              Keep it
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
