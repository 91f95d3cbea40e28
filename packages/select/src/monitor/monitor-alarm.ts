import type { Interval } from "@while/stats";

export const ALARM_KINDS = ["divergence", "length", "drift", "feature"] as const;
/**
 * `divergence`: the proxy gained and gold did not keep up. `length`: replies grew and gold did not. `drift`: too far
 * from the reference policy. `feature`: the reward of the training rollouts pays for what is not endorsed.
 */
export type AlarmKind = (typeof ALARM_KINDS)[number];

interface AlarmOf<Kind extends AlarmKind> {
  step: number;
  kind: Kind;
  reason: string;
}

export interface DivergenceAlarm extends AlarmOf<"divergence"> {
  /** The step it is compared with. */
  since: number;
  proxyGain: number;
  goldGain: number;
  goldCi95: Interval | null;
  /** Gain of the proxy less gain of gold, prompt by prompt; null where no prompt has both on both sides. */
  gap: number | null;
  gapCi95: Interval | null;
}

export interface LengthAlarm extends AlarmOf<"length"> {
  since: number;
  /** As a share. */
  growth: number;
}

export interface DriftAlarm extends AlarmOf<"drift"> {
  kl: number;
  klBudget: number;
}

export interface FeatureAlarm extends AlarmOf<"feature"> {
  topFeature: string | null;
  rhoMax: number | null;
  tau: number | null;
  integrity: number | null;
}

export type Alarm = DivergenceAlarm | LengthAlarm | DriftAlarm | FeatureAlarm;
