import { type LiveSeries, listPromotions } from "@while/platform-client/contract";
import { memo, type ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { date, dollars, duration, percent, points, whole } from "../../numbers.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Part } from "../../parts/Part.tsx";
import { LiveChart } from "./LiveChart.tsx";
import styles from "./LivePart.module.css";
import type { Report } from "./report.ts";

/** What users saw, by day. */
export const LivePart = memo(function LivePart({ report }: { report: Report }): ReactNode {
  const { live } = report.dashboard;
  const promotions = useAnswer(listPromotions, { params: { id: report.agent.id } });
  return (
    <Part
      id="live"
      title="Live traffic"
      note="What users saw, by day. Flagged is the share of replies that a rule or a person marked."
    >
      {live.days.length === 0 ? (
        <Empty
          title="No day is posted"
          code={{
            TypeScript: `await tracked.live([{ day: "2026-09-18", version: "${report.serving ?? "v3"}", replies: 2274, flagged: 98, p50s: 0.6, costUsd: 1.64 }])`,
            Python: `tracked.live([LiveDay(day="2026-09-18", version="${report.serving ?? "v3"}", replies=2274, flagged=98, p50_s=0.6, cost_usd=1.64)])`,
            curl: `curl -X POST "$WHILEAI_API_URL/live" -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\\n  -d '[{"agent": "${report.agent.id}", "day": "2026-09-18", "version": "${report.serving ?? "v3"}", "replies": 2274, "flagged": 98}]'`,
          }}
        >
          <p>
            A held-out score says what a version can do. Days of traffic say what it did: replies, flagged, seconds,
            cost.
          </p>
        </Empty>
      ) : (
        <>
          <Totals live={live} />
          <LiveChart
            live={live}
            serving={report.serving}
            candidate={report.candidate}
            promotions={promotions.data?.promotions ?? []}
          />
        </>
      )}
    </Part>
  );
});

function Totals({ live }: { live: LiveSeries }): ReactNode {
  const last = live.p50s.findLastIndex((value) => value !== null);
  return (
    <dl className={styles.totals}>
      <div>
        <dt>Replies, last 7 days</dt>
        <dd>{whole(live.replies7d)}</dd>
      </div>
      <div>
        <dt>Flagged</dt>
        <dd>
          {whole(live.newFailures)}{" "}
          {live.replies7d > 0 && <span className="quiet small">{percent(live.newFailures / live.replies7d)}</span>}
        </dd>
      </div>
      <div>
        <dt>Cost per 1,000 replies</dt>
        <dd>{live.costPer1k === null ? <span className="none">not posted</span> : dollars(live.costPer1k)}</dd>
      </div>
      <div>
        <dt>p50 latency{last === -1 ? "" : `, ${date(live.days[last]!)}`}</dt>
        <dd>{last === -1 ? <span className="none">not posted</span> : secondsOf(live.p50s[last]!)}</dd>
      </div>
    </dl>
  );
}

function secondsOf(seconds: number): string {
  return seconds < 90 ? `${points(seconds)} s` : duration(seconds);
}
