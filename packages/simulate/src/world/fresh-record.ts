import type { Json } from "@while/schema";
import { type Draw, dayOf, personOf } from "./fill-template.ts";

// Words that are no fault: a record that is `failed` would read as a call that failed.
const STATUSES = ["open", "active", "in progress", "confirmed"];
const ITEMS = ["desk lamp", "kettle", "raincoat", "backpack", "tea set", "wool scarf", "bike pump", "toaster"];
/** Things that are paid for. */
const PAID = /^(?:order|invoice|payment|purchase|booking|reservation|refund|subscription|transaction|ticket)$/;

/** What the world knows of an entity that no example describes. */
export function freshRecord(noun: string, id: string, draw: Draw): Record<string, Json> {
  const pick = (label: string, list: readonly string[]) => list[Math.floor(draw(label) * list.length)]!;
  const record: Record<string, Json> = { [`${noun}_id`]: id };
  if (PAID.test(noun)) {
    record.item = pick("item", ITEMS);
    record.amount = 10 + Math.floor(draw("amount") * 190);
    record.currency = "EUR";
  }
  return {
    ...record,
    customer: personOf(draw("customer")),
    status: pick("status", STATUSES),
    created_at: dayOf(draw("created_at")),
  };
}
