import {
  getBrief,
  getDashboard,
  getVerdict,
  listAgents,
  listPromotions,
  rollback,
} from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useSend } from "../../api/use-send.ts";
import { Refused } from "../../parts/Refused.tsx";
import { announce } from "../../shell/announce.tsx";

export interface RollBackProps {
  agent: string;
  /** The version that serves again. */
  to: string;
  onDone?: () => void;
}

/** One click, and what served before serves again: a promotion that turns out badly must not wait for a form. */
export function RollBack({ agent, to, onDone }: RollBackProps): ReactNode {
  const send = useSend(rollback, {
    changes: [getDashboard, getVerdict, getBrief, listPromotions, listAgents],
    done: ({ serving }) => {
      announce(`${serving} serves again.`);
      onDone?.();
    },
  });
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={send.isPending}
        onClick={() => send.mutate({ params: { id: agent }, body: {} })}
      >
        Roll back to {to}
      </button>
      <Refused error={send.error} />
    </>
  );
}
