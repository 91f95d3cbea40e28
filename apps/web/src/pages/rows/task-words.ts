import type { TaskAgreement } from "@while/platform-client/rules";
import { counted, percent, whole } from "../../numbers.ts";

/** How far the rollouts of one task agree, in words. */
export function agreementSentence({ tasks, repeated, unanimous, agreement }: TaskAgreement): string {
  if (agreement === null) {
    return `${counted(tasks, "task")}, each with one rollout: how far repeats agree cannot be told.`;
  }
  const of =
    repeated === tasks ? counted(tasks, "task") : `${whole(repeated)} of ${counted(tasks, "task")} with repeats`;
  const alike = unanimous === repeated ? "all" : whole(unanimous);
  return `${of}. In ${alike} of them all rollouts were graded alike; two rollouts of one task agree in ${percent(agreement)} of pairs.`;
}
