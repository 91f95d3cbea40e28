import { decideDevice, showDevice } from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { Waiting } from "../../parts/Answered.tsx";
import { Part } from "../../parts/Part.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { textOf } from "../../search.ts";
import { useTitle } from "../../shell/title.ts";
import { useChoices } from "../../use-search.ts";
import { CodeEntry } from "./CodeEntry.tsx";
import { DeviceQuestion } from "./DeviceQuestion.tsx";

const WORDS = {
  expired_token:
    "This code is not known here, was decided already, or is over: it is good for fifteen minutes. Run wai login again, and compare the code that it shows.",
};

const LEADS = {
  ask: "A terminal is waiting for you.",
  enter: "Type the code that your terminal shows.",
  approved: "Approved. Go back to your terminal: it has its key within five seconds.",
  denied: "Denied. The terminal gets no key, and says so.",
  over: "There is nothing to decide about this code.",
};

/** The page that `wai login` opens: who asks for a key, and whether it shall have one. */
export function ApproveDevice(): ReactNode {
  const [search, choose] = useChoices();
  const code = textOf(search, "code")?.trim() ?? "";
  const [decided, setDecided] = useState<{ code: string; approved: boolean } | null>(null);
  const asked = useAnswer(showDevice, { query: { code }, when: code !== "" && decided?.code !== code, once: true });
  const decide = useSend(decideDevice, { done: ({ approved }) => setDecided({ code, approved }) });
  const answer = decided?.code === code ? decided : null;
  const request = asked.isPlaceholderData || asked.isError ? undefined : asked.data;
  const enter = (typed: string): void => {
    decide.reset();
    choose({ code: typed });
  };
  const state =
    answer !== null
      ? answer.approved
        ? "approved"
        : "denied"
      : code === ""
        ? "enter"
        : request !== undefined
          ? "ask"
          : asked.isError
            ? "over"
            : null;
  useTitle(state === "ask" ? "A device asks" : "Approve a device");
  return (
    <>
      <div className="title">
        <h1>Approve a device</h1>
        <p className="lead" role="status">
          {state === null ? "Reading the code …" : LEADS[state]}
        </p>
      </div>
      {answer === null && code !== "" && (
        <Part
          id="device"
          title="A device asks"
          note={
            <p>
              Someone ran <code>wai login</code>. Nothing is granted until you answer, and nothing is ever approved by
              itself.
            </p>
          }
        >
          {request !== undefined ? (
            <DeviceQuestion
              request={request}
              sending={decide.isPending}
              onDecide={(approve) => decide.mutate({ body: { user_code: code, approve } })}
            />
          ) : asked.isError ? (
            <Refused error={asked.error} words={WORDS} />
          ) : (
            <Waiting what="the code" />
          )}
          <Refused error={decide.error} words={WORDS} />
        </Part>
      )}
      <Part
        id="enter"
        title={code === "" ? "The code" : "Another code"}
        note="Eight letters, as the terminal shows them. Case and dash do not matter."
      >
        <CodeEntry onEnter={enter} />
      </Part>
    </>
  );
}
