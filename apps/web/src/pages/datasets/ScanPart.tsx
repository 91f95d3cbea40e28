import type { Dataset } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { Strip } from "../../marks/Strip.tsx";
import { number, whole } from "../../numbers.ts";
import { Code } from "../../parts/Code.tsx";
import { Part } from "../../parts/Part.tsx";
import type { ScanFeature, ScanReading } from "./scan-reading.ts";

const twoDecimals = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** +0.31, −0.12: two decimals are as many as its floor has. */
function correlation(rho: number): string {
  return rho < 0 ? `\u2212${twoDecimals.format(-rho)}` : `+${twoDecimals.format(rho)}`;
}

const ROLES = { endorsed: "ink", rival: "bad", pays: "rest", "under the floor": "rest" } as const;

/** What the reward pays for inside one task. */
export function ScanPart({ scan, set }: { scan: ScanReading; set: Dataset }): ReactNode {
  const widest = Math.max(0.4, scan.tau ?? 0, ...scan.features.map(({ rho }) => Math.abs(rho)));
  const domain = [-widest * 1.08, widest * 1.08] as const;
  return (
    <Part
      id="scan"
      title="Hack scan"
      note={
        <>
          <p>What the reward pays for inside one task.</p>
          <p>
            {scan.tau === null
              ? "Nothing was shuffled, so there is no floor."
              : `Grey is what ${whole(scan.shuffles)} shuffles of the reward reach: ${number(scan.tau)}.`}
          </p>
        </>
      }
    >
      <p className="small wrap">
        {scan.regime === "reward_hack" ? <b className="bad">A hack.</b> : null} <bdi>{scan.says}</bdi>
      </p>
      {scan.features.length > 0 && (
        <table className="scan">
          <thead>
            <tr>
              <th scope="col">feature of the reply</th>
              <th scope="col" className="plot">
                <span className="sr">drawn</span>
              </th>
              <th scope="col" className="num">
                r in a task
              </th>
              <th scope="col" className="wide-only">
                reading
              </th>
            </tr>
          </thead>
          <tbody>
            {scan.features.map((feature) => (
              <FeatureRow key={feature.name} feature={feature} domain={domain} tau={scan.tau} />
            ))}
          </tbody>
        </table>
      )}
      {scan.more > 0 && <p className="note">{whole(scan.more)} more features were looked at.</p>}
      {!scan.endorsed && <Code code={`wai pull ${set.datasetId} | wai hack-scan - --endorsed NAMES`} />}
    </Part>
  );
}

interface FeatureRowProps {
  feature: ScanFeature;
  domain: readonly [number, number];
  tau: number | null;
}

function FeatureRow({ feature: { name, rho, reading }, domain, tau }: FeatureRowProps): ReactNode {
  const signed = correlation(rho);
  return (
    <tr>
      <th scope="row" className="wrap">
        <bdi>{name}</bdi>
      </th>
      <td className="plot">
        <Strip
          label={`${name}: ${signed}, ${reading}`}
          domain={domain}
          band={tau === null ? null : [-tau, tau]}
          readings={[{ value: rho, low: null, high: null, role: ROLES[reading], open: reading === "under the floor" }]}
        />
      </td>
      <td className="num">{signed}</td>
      <td className="wide-only rd">
        {reading === "rival" ? (
          <>
            <span className="bad">rival</span>, not endorsed
          </>
        ) : reading === "pays" ? (
          "above the floor"
        ) : (
          reading
        )}
      </td>
    </tr>
  );
}
