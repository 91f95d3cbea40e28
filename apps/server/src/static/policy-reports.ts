import { isObject } from "@while/schema";
import { HttpError } from "../http/http-error.ts";
import { addressOf, type Mounting, take } from "../http/mount.ts";
import { parseJson, readText } from "../http/read-body.ts";
import type { ServerMetrics } from "../server-metrics.ts";
import { CSP_REPORTS_PATH } from "./page-headers.ts";

const REPORT_MAX_BYTES = 16_384;
const FIELD_MAX = 200;
/** The directives there are; a sender's own word is no label of a metric. */
const DIRECTIVE =
  /^(default|script|style|img|font|connect|manifest|object|frame|media|worker|child)-src(-elem|-attr)?$/;
const OTHER_DIRECTIVES = new Set(["base-uri", "form-action", "frame-ancestors"]);

/** Without what stands behind `?` and `#`: addresses may carry what is nobody's business. */
function plainAddress(value: unknown): string {
  const text = typeof value === "string" ? value : "";
  return (URL.canParse(text) ? new URL(text).origin + new URL(text).pathname : text).slice(0, FIELD_MAX);
}

/** Browsers tell here what the policy of a page stopped: it is counted and logged, and shown to nobody else. */
export function policyReports({ app, services, limiter }: Mounting, metrics: ServerMetrics): void {
  app.post(CSP_REPORTS_PATH, async (context) => {
    take(limiter, addressOf(context, services.settings.trustProxy), "open", services.now(), context);
    const body = parseJson(await readText(context.req.raw, REPORT_MAX_BYTES));
    const report = isObject(body) ? body["csp-report"] : undefined;
    if (!isObject(report)) {
      throw new HttpError("invalid_request", "No csp-report is in the body. Browsers send one by themselves.");
    }
    const word = String(report["effective-directive"] ?? report["violated-directive"] ?? "").split(" ")[0] ?? "";
    const directive = DIRECTIVE.test(word) || OTHER_DIRECTIVES.has(word) ? word : "other";
    metrics.violated(directive);
    services.log.error("csp", {
      directive,
      blocked: plainAddress(report["blocked-uri"]),
      page: plainAddress(report["document-uri"]),
      source: plainAddress(report["source-file"]),
      line: typeof report["line-number"] === "number" ? report["line-number"] : null,
    });
    return context.body(null, 204);
  });
}
