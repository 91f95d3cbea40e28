import { type Html, type HtmlContent, htmlTable } from "@while/stats";

/** Names and values that are no comparison. */
export function factsTable(facts: readonly (readonly [name: string, value: HtmlContent])[]): Html {
  return htmlTable({ columns: [{ head: "what" }, { head: "value" }], rows: facts });
}
