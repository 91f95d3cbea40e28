import type { Promoted, Route } from "@while/platform-client/contract";

export const rollBack = {
  id: "rollBack",
  method: "POST",
  path: "/agents/{id}/rollback",
  answerType: "application/json",
} as unknown as Route<{ reason?: string }, Promoted, null>;
