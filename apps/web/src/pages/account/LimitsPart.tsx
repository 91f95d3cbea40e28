import type { Account } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { percent } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Part } from "../../parts/Part.tsx";
import { type LimitRow, limitRows, NEAR } from "./limit-rows.ts";

/** What is used of what is allowed. */
export function LimitsPart({ account }: { account: Account }): ReactNode {
  const rows = limitRows(account);
  const limited = rows.some(({ share }) => share !== null);
  return (
    <Part id="use" title="Use and limits" note={`What stops first stands first, and in colour from ${100 * NEAR}%.`}>
      {account.notices.map((notice) => (
        <p key={notice} className="small">
          <CheckMark state="warning" /> {notice}
        </p>
      ))}
      <table className="use">
        <caption className="sr">Used of allowed</caption>
        <thead className="sr">
          <tr>
            <th scope="col">what</th>
            <th scope="col">used</th>
            {limited && <th scope="col">drawn</th>}
            <th scope="col">share</th>
            <th scope="col">resets</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td className="num">{row.amount}</td>
              {limited && <td className="plot">{row.share !== null && <Meter row={row} share={row.share} />}</td>}
              <td className="num">
                {row.share === null ? (
                  <span className="quiet">no limit</span>
                ) : (
                  <span className={row.near ? "bad" : undefined}>{percent(row.share)}</span>
                )}
              </td>
              <td className="wide-only quiet">{row.resets}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}

function Meter({ row, share }: { row: LimitRow; share: number }): ReactNode {
  return (
    <svg className={row.near ? "meter near" : "meter"} role="img" aria-label={`${row.name}: ${percent(share)}`}>
      <rect className="track" width="100%" height="4" />
      <rect className="fill" width={`${100 * Math.min(1, share)}%`} height="4" />
    </svg>
  );
}
