import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

interface Answered {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

export interface ServerMetrics {
  answered(answered: Answered): void;
  /** A browser stopped something on a page. */
  violated(directive: string): void;
  /** Text in the format of Prometheus. */
  text(): Promise<string>;
}

/** Counts and times of requests by route and status, and what the process uses. One registry an app, none global. */
export function serverMetrics(): ServerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "while_requests_total",
    help: "Requests answered.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "while_request_seconds",
    help: "Seconds from request to answer.",
    labelNames: ["method", "route"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const violations = new Counter({
    name: "while_csp_violations_total",
    help: "What browsers stopped on the pages, by the directive of the policy.",
    labelNames: ["directive"],
    registers: [registry],
  });
  return {
    violated: (directive) => violations.inc({ directive }),
    answered({ method, route, status, seconds: took }) {
      requests.inc({ method, route, status: String(status) });
      seconds.observe({ method, route }, took);
    },
    text: () => registry.metrics(),
  };
}
