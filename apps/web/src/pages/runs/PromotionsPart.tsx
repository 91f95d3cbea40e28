import { listPromotions } from "@while/platform-client/contract";
import { memo, type ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { time } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Part } from "../../parts/Part.tsx";
import styles from "./PromotionsPart.module.css";
import { RollBack } from "./RollBack.tsx";
import type { Report } from "./report.ts";

/** Promotions that are listed. */
const MOST = 20;

/** Who promoted what, when and why, and the way back. */
export const PromotionsPart = memo(function PromotionsPart({
  report: { agent, serving },
}: {
  report: Report;
}): ReactNode {
  const promotions = useAnswer(listPromotions, { params: { id: agent.id } });
  return (
    <Part id="promotions" title="Promotions" note="A person’s decision, kept with its reason.">
      <Answered of={promotions} what="promotions">
        {({ promotions: entries }) => {
          const [last] = entries;
          if (last === undefined) {
            return <p className="small none">No version was promoted yet, so none serves.</p>;
          }
          return (
            <>
              <table className={styles.promotions}>
                <caption className="sr">Promotions, newest first</caption>
                <thead>
                  <tr>
                    <th scope="col">serves</th>
                    <th scope="col">before</th>
                    <th scope="col">when, by whom</th>
                    <th scope="col">why</th>
                  </tr>
                </thead>
                <tbody>
                  {entries.slice(0, MOST).map(({ version, previous, at, by, reason, verdict }) => (
                    <tr key={`${at} ${version}`}>
                      <th scope="row">
                        <bdi>{version}</bdi>
                      </th>
                      <td>{previous === null ? <span className="none">none</span> : <bdi>{previous}</bdi>}</td>
                      <td>
                        {time(at)}
                        <span className="sub">
                          {by === null ? <span className="none">nobody knows who</span> : <bdi>{by}</bdi>}
                        </span>
                      </td>
                      <td>
                        {reason === null ? <span className="none">no reason given</span> : <bdi>{reason}</bdi>}
                        {verdict !== null && (
                          <span className="sub">
                            The verdict then: <bdi>{verdict}</bdi>
                          </span>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {entries.length > MOST && <p className="note">{entries.length - MOST} earlier ones.</p>}
              {last.previous !== null && last.version === serving && (
                <p className="actions">
                  <RollBack agent={agent.id} to={last.previous} />
                </p>
              )}
            </>
          );
        }}
      </Answered>
    </Part>
  );
});
