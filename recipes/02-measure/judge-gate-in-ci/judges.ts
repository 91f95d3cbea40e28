import type { Row } from "@while/schema";
import type { Judge } from "@while/trust";

/** Reads the reply: does it name what the order cost? */
const careful: Judge = ({ final_text: reply, total }: Row) => String(reply).includes(String(total));

/** Pays for length: a reply that explains itself must be right. */
const wordy: Judge = ({ final_text: reply }: Row) => String(reply).length > 60;

export const JUDGES: Readonly<Record<string, Judge>> = { careful, wordy };
