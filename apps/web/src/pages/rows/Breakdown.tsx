import type { RowsSummary } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { Strip } from "../../marks/Strip.tsx";
import { percent, points, whole } from "../../numbers.ts";
import { BreakableName } from "../../parts/BreakableName.tsx";
import { Part } from "../../parts/Part.tsx";
import { ViewLink } from "../../parts/ViewLink.tsx";
import { type Search, textsOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { FEW, scaleFrom, type ValueShare, valuesOf } from "./breakdown.ts";
import { kindTags } from "./gold-table.ts";
import { isMeasure, numberBins } from "./numeric-bins.ts";
import { isFiltered, OTHER_ROWS, okOf, type Range, readFilters, withRange, withTag } from "./row-filters.ts";
import { tagTables } from "./tag-tables.ts";
import { useTagCounts } from "./use-tag-counts.ts";

/** A table shows that many values before the rest is asked for. */
const SHOWN = 12;

export interface BreakdownProps {
  run: string;
  behavior: string;
  all: RowsSummary;
  left: RowsSummary;
}

/** Where the failures are: a table for each tag, each value with its interval against the whole run. */
export function Breakdown({ run, behavior, all, left }: BreakdownProps): ReactNode {
  const [search] = useChoices();
  const overall = all.passed / all.n;
  const from = scaleFrom(
    [...tagTables(kindTags(all.byTag), overall), ...tagTables(kindTags(left.byTag), overall)],
    overall,
  );
  const filtered = isFiltered({ ...readFilters(search), graded: "all" });
  const over = filtered ? "the rows that the other filters leave" : `all ${whole(all.n)} rows`;
  const tags = Object.keys(kindTags(all.byTag)).sort();
  if (tags.length === 0 && !left.byWhy?.length) {
    return (
      <Part id="breakdown" title="Breakdown" full>
        <p className="small quiet">
          No row carries a tag. Post rows with <code>tags: {"{ reason, difficulty, language }"}</code> and the failures
          are counted by each of them here.
        </p>
      </Part>
    );
  }
  return (
    <Part
      id="breakdown"
      title="Breakdown"
      full
      note={`Share passed over ${over} with its 95% Wilson interval; the line is the whole run, ${percent(overall)}. Solid: the interval misses it. Most failures first; a click filters. Rollouts of one task are not independent, so read these as leads.`}
    >
      <div className="bds">
        {tags.map((tag) => (
          <TagShares key={tag} run={run} behavior={behavior} tag={tag} overall={overall} from={from} />
        ))}
        {left.byWhy != null && left.byWhy.length > 0 && <WhyTable counted={left} />}
      </div>
    </Part>
  );
}

interface TagSharesProps {
  run: string;
  behavior: string;
  tag: string;
  overall: number;
  from: number;
}

function TagShares({ run, behavior, tag, overall, from }: TagSharesProps): ReactNode {
  const [search, choose] = useChoices();
  const counts = useTagCounts(run, behavior, tag) ?? {};
  const filters = readFilters(search);
  const lines = isMeasure(counts)
    ? measureLines(tag, counts, filters.ranges.get(tag), overall)
    : valueLines(tag, counts, filters.tags.get(tag) ?? [], overall);
  const more = textsOf(search, "more");
  const open = more.includes(tag);
  const shown = open ? lines : lines.slice(0, SHOWN);
  return (
    <div className="bdbox">
      <table className="bd">
        <caption className="sr">Rows by {tag}</caption>
        <thead>
          <tr>
            <th scope="col">
              <b>
                <bdi>{tag}</bdi>
              </b>
            </th>
            <th scope="col" className="num">
              rows
            </th>
            <th scope="col" className="num">
              failed
            </th>
            <th scope="col" className="plot">
              <span className="sr">interval</span>
              <Scale from={from} />
            </th>
            <th scope="col" className="num">
              passed
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.length === 0 && (
            <tr>
              <td colSpan={5} className="none">
                no row is left
              </td>
            </tr>
          )}
          {shown.map(({ share, choose: search, current }) => (
            <tr key={share.value}>
              <th scope="row">
                <ViewLink search={search} current={current}>
                  <BreakableName name={share.value} />
                </ViewLink>
              </th>
              <td className="num">
                {whole(share.n)}
                {share.few && (
                  <span className="none" title={`under ${FEW} rows`}>
                    {" "}
                    few
                  </span>
                )}
              </td>
              <td className="num">{whole(share.failed)}</td>
              <td className="plot">
                <ShareStrip share={share} overall={overall} from={from} />
              </td>
              <td className="num">{percent(share.share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > SHOWN && (
        <button
          type="button"
          className="plain"
          onClick={() =>
            choose(
              { more: open ? more.filter((one) => one !== tag) : [...more, tag] },
              { replace: true, keepPage: true },
            )
          }
        >
          {open ? `The first ${SHOWN} values of ${tag}` : `All ${whole(lines.length)} values of ${tag}`}
        </button>
      )}
    </div>
  );
}

/** One line of a table: a share, and the rows that a click on it leaves. */
interface ShareLine {
  share: ValueShare;
  choose: (before: Search) => Search;
  current: boolean;
}

type TagCounts = RowsSummary["byTag"][string];

/** Most failures first: a word stands for itself. */
function valueLines(tag: string, counts: TagCounts, chosen: readonly string[], overall: number): ShareLine[] {
  return valuesOf(counts, overall).map((share) => ({
    share,
    choose: (before) => withTag(before, tag, share.value),
    current: chosen.includes(share.value),
  }));
}

/** From the least to the most: a measure is read along its numbers. */
function measureLines(tag: string, counts: TagCounts, chosen: Range | undefined, overall: number): ShareLine[] {
  const { bins, without } = numberBins(counts, overall);
  const lines = bins.map((bin): ShareLine => {
    const current = chosen?.min === bin.range.min && chosen.max === bin.range.max;
    return { share: bin, current, choose: (before) => withRange(before, tag, current ? null : bin.range) };
  });
  return without === null
    ? lines
    : [...lines, ...valueLines(tag, { [without.value]: counts[without.value]! }, [], overall)];
}

/** Heads of the scale that all tables share, in percent. */
function Scale({ from }: { from: number }): ReactNode {
  const middle = whole((100 * (from + 1)) / 2);
  return (
    <svg className="strip" aria-hidden="true">
      <svg y="50%" overflow="visible" aria-hidden="true">
        <text x="0%" y="5">
          {whole(100 * from)}%
        </text>
        <text className="mid" x="50%" y="5">
          {middle}
        </text>
        <text className="end" x="100%" y="5">
          100
        </text>
      </svg>
    </svg>
  );
}

function ShareStrip({ share, overall, from }: { share: ValueShare; overall: number; from: number }): ReactNode {
  const { value, low, high, claim, few } = share;
  const within = (x: number): number => Math.max(from, Math.min(1, x));
  const ends = low === null || high === null ? "" : `, ${points(100 * low)} to ${points(100 * high)}`;
  const says = few
    ? `under ${FEW} rows`
    : claim === null
      ? "not apart from the whole run"
      : `clearly ${claim} the whole run`;
  return (
    <Strip
      label={`${value}: ${percent(share.share)}${ends}, ${says}`}
      domain={[from, 1]}
      zero={null}
      threshold={overall}
      readings={[
        {
          value: within(share.share),
          low: low === null ? null : within(low),
          high: high === null ? null : within(high),
          role: claim === "below" ? "bad" : "rest",
          open: claim === null,
        },
      ]}
    />
  );
}

/** Failures by the reason that the grader gave; a click looks for its words among the failures. */
function WhyTable({ counted: { byWhy, whyOther, failed } }: { counted: RowsSummary }): ReactNode {
  const most = byWhy![0]!.n;
  return (
    <div className="bdbox">
      <table className="bd why">
        <caption className="sr">Failures by reason</caption>
        <thead>
          <tr>
            <th scope="col">
              <b>why</b>
            </th>
            <th scope="col" className="num">
              failed
            </th>
            <th scope="col" className="plot">
              <span className="sr">share of the failures</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {byWhy!.map(({ why, n }) => (
            <tr key={why}>
              <th scope="row">
                {why === "" ? (
                  <span className="none">no reason posted</span>
                ) : (
                  <ViewLink
                    search={
                      ((before: Search) => ({
                        ...before,
                        ...OTHER_ROWS,
                        ok: okOf("failed"),
                        q: why.slice(0, 400),
                      })) as never
                    }
                  >
                    <bdi>{why}</bdi>
                  </ViewLink>
                )}
              </th>
              <td className="num">{whole(n)}</td>
              <td className="plot">
                <CountBar n={n} most={most} of={failed} />
              </td>
            </tr>
          ))}
          {whyOther != null && whyOther > 0 && (
            <tr>
              <th scope="row" className="quiet">
                other reasons
              </th>
              <td className="num">{whole(whyOther)}</td>
              <td className="plot">
                <CountBar n={whyOther} most={Math.max(most, whyOther)} of={failed} />
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function CountBar({ n, most, of }: { n: number; most: number; of: number }): ReactNode {
  return (
    <svg className="strip" role="img" aria-label={`${n} of ${of}`}>
      <rect className="bars" x="0" y="38%" width={`${(100 * n) / most}%`} height="24%" />
    </svg>
  );
}
