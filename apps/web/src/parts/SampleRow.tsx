import type { Example } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { whole } from "../numbers.ts";
import { CheckMark } from "./CheckMark.tsx";
import { CutText } from "./CutText.tsx";

/** One graded row of a sample: what was asked and answered, how it was graded, why, and what should have come. */
export function SampleRow({ example: { ok, prompt, reply, why, reference, detail } }: { example: Example }): ReactNode {
  return (
    <li className="sample">
      <div className="m">
        <CheckMark state={ok ? "ok" : "failing"} hidden /> {ok ? "passed" : "failed"}
      </div>
      <div className="untrusted">
        <p className="q">{prompt ? <CutText text={prompt} /> : <span className="none">no prompt posted</span>}</p>
        <p className="a">{reply ? <CutText text={reply} /> : <span className="none">no reply posted</span>}</p>
      </div>
      <div className="w untrusted">
        {why ? (
          <p>
            <CutText text={why} />
          </p>
        ) : (
          !ok && <p className="none">no reason posted</p>
        )}
        {reference && (
          <p className="quiet">
            Should: <CutText text={reference} />
          </p>
        )}
        {detail && <SampleDetail text={detail} />}
      </div>
    </li>
  );
}

/** Longer than this a detail is folded. */
const FOLD = 160;

function SampleDetail({ text }: { text: string }): ReactNode {
  return text.length <= FOLD ? (
    <p className="quiet">
      <CutText text={text} />
    </p>
  ) : (
    <details>
      <summary>Detail, {whole(text.length)} characters</summary>
      <p className="quiet as-written">
        <CutText text={text} />
      </p>
    </details>
  );
}
