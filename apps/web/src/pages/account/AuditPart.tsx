import { type AuditEntry, type AuditPage, listAudit, listKeys, listSessions } from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { time, whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { download } from "../../parts/csv.ts";
import { Part } from "../../parts/Part.tsx";
import { textOf } from "../../search.ts";
import { announce } from "../../shell/announce.tsx";
import { useChoices } from "../../use-search.ts";
import { actionWords, whoDid } from "./audit-words.ts";

/** Entries on one page. */
const PAGE = 30;

/** Who did what, when, with which key. */
export function AuditPart(): ReactNode {
  const [search, choose] = useChoices();
  const before = textOf(search, "before");
  const log = useAnswer(listAudit, { query: { limit: PAGE, cursor: before ?? null } });
  return (
    <Part
      id="log"
      title="What happened"
      full
      note="Every call that changed something, newest first. Each entry holds the hash of the one before it, so that none can be taken out unseen."
    >
      <Answered of={log} what="the log">
        {({ entries, nextCursor }) => (
          <>
            <AuditTable entries={entries} />
            <nav className="pager small" aria-label="Pages of the log">
              {entries.length > 0 && <SaveLog />}
              {before !== undefined && (
                <button type="button" className="plain" onClick={() => choose({ before: undefined })}>
                  Newest
                </button>
              )}
              {nextCursor != null && (
                <button type="button" className="plain" onClick={() => choose({ before: nextCursor })}>
                  Older
                </button>
              )}
            </nav>
          </>
        )}
      </Answered>
    </Part>
  );
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }): ReactNode {
  const keys = useAnswer(listKeys).data?.keys ?? [];
  const sessions = useAnswer(listSessions).data?.sessions ?? [];
  return (
    <table className="auditlog">
      <thead>
        <tr>
          <th scope="col">when</th>
          <th scope="col">who</th>
          <th scope="col">what</th>
          <th scope="col" className="wide-only">
            on
          </th>
          <th scope="col" className="wide-only roomy">
            from
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.seq}>
            <td className="quiet">{time(entry.at)}</td>
            <td className="wrap">
              <bdi>{whoDid(entry, keys, sessions)}</bdi>
            </td>
            <td>{actionWords(entry.action)}</td>
            <td className="wide-only wrap">
              <code>{entry.resource}</code>
            </td>
            <td className="wide-only roomy quiet">{entry.address}</td>
          </tr>
        ))}
        {entries.length === 0 && (
          <tr>
            <td colSpan={5} className="none">
              Nothing was changed yet.
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** Entries of one page of the file. */
const SAVED_AT_ONCE = 200;

/** The whole log as a file, an entry a line, as it is stored: with the hashes that hold it together. */
function SaveLog(): ReactNode {
  const [saving, setSaving] = useState(false);
  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      const lines: string[] = [];
      let cursor: string | null = null;
      do {
        const page: AuditPage = await call(listAudit, { query: { limit: SAVED_AT_ONCE, cursor } });
        lines.push(...page.entries.map((entry) => `${JSON.stringify(entry)}\n`));
        cursor = page.nextCursor ?? null;
      } while (cursor !== null);
      download("audit.jsonl", new Blob(lines, { type: "application/x-ndjson" }));
      announce(`Saved ${whole(lines.length)} entries as JSONL.`);
    } catch (error) {
      announce((error as Error).message);
    } finally {
      setSaving(false);
    }
  };
  return (
    <button type="button" className="plain" disabled={saving} onClick={() => void save()}>
      {saving ? "Reading the log …" : "Export JSONL"}
    </button>
  );
}
