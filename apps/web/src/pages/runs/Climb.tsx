import type { VersionScore } from "@while/platform-client/contract";
import { halfInterval } from "@while/platform-client/rules";
import type { ReactNode } from "react";
import { roleOf } from "../../marks/role.ts";
import { domainOf, scaleOf } from "../../marks/scale.ts";
import { points } from "../../numbers.ts";
import styles from "./Climb.module.css";

const WIDTH = 120;
const HEIGHT = 32;
/** Versions that a drawing of this size can hold apart. */
const MOST = 12;

export interface ClimbProps {
  behavior: string;
  /** By time. */
  versions: readonly VersionScore[];
  serving: string | null;
  candidate: string | null;
}

/** The scores of one behavior by version, small: where it began and where it is. */
export function Climb({ behavior, versions, serving, candidate }: ClimbProps): ReactNode {
  const test = versions.at(-1)?.testVersion;
  const shown = versions.filter(({ testVersion }) => testVersion === test).slice(-MOST);
  const reach = shown.flatMap((score) => {
    const half = halfInterval(score) ?? 0;
    return [score.score - half, score.score + half];
  });
  const y = scaleOf(domainOf(reach), [HEIGHT - 3, 3]);
  const x = scaleOf([0, Math.max(1, shown.length - 1)], [5, WIDTH - 6]);
  const said = shown.map(({ v, score }) => `${v} ${points(score)}`).join(", ");
  return (
    <svg className={styles.climb} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${behavior}: ${said}`}>
      <path className="link" d={shown.map(({ score }, at) => `${at === 0 ? "M" : "L"}${x(at)} ${y(score)}`).join("")} />
      {shown.map(({ v, score }, at) => {
        const role = roleOf(v, serving, candidate);
        return (
          <g key={v} className={`c-${role}`}>
            <circle className="pt" cx={x(at)} cy={y(score)} r={role === "rest" ? 2 : 3.2} />
          </g>
        );
      })}
    </svg>
  );
}
