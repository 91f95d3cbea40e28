import { deleteSession, listSessions, type SessionInfo } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { age, date, time } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Part } from "../../parts/Part.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { announce } from "../../shell/announce.tsx";

/** The browsers that are signed in, and how to sign one out from here. */
export function SessionsPart(): ReactNode {
  const sessions = useAnswer(listSessions);
  const end = useSend(deleteSession, { changes: [listSessions], done: () => announce("That browser is signed out.") });
  return (
    <Part
      id="sessions"
      title="Browsers"
      note="Signed in now. One that you do not know: sign it out, and look below what it did."
    >
      <Answered of={sessions} what="the sessions">
        {({ sessions }) => (
          <SessionTable
            sessions={sessions}
            sending={end.isPending}
            onEnd={({ id }) => end.mutate({ params: { id } })}
          />
        )}
      </Answered>
      <Refused error={end.error} />
    </Part>
  );
}

interface SessionTableProps {
  sessions: readonly SessionInfo[];
  sending: boolean;
  onEnd: (session: SessionInfo) => void;
}

function SessionTable({ sessions, sending, onEnd }: SessionTableProps): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">signed in</th>
          <th scope="col" className="num">
            last used
          </th>
          <th scope="col" className="num wide-only">
            until
          </th>
          <th scope="col">
            <span className="sr">end it</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <th scope="row">{time(session.createdAt)}</th>
            <td className="num">{session.lastUsedAt === null ? "never" : age(session.lastUsedAt)}</td>
            <td className="num wide-only">
              {session.expiresAt === null ? <span className="quiet">no end</span> : date(session.expiresAt)}
            </td>
            <td className="num">
              {session.current ? (
                <span className="quiet">this one</span>
              ) : (
                <button
                  type="button"
                  className="plain"
                  disabled={sending}
                  aria-label={`Sign out the browser of ${time(session.createdAt)}`}
                  onClick={() => onEnd(session)}
                >
                  Sign out
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
