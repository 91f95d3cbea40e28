import { HttpError } from "../http/http-error.ts";
import { newEmailCode } from "../secrets/new-secret.ts";
import { isoTime, type Services } from "../services.ts";

const CODE_LIFE_MS = 600_000;
const CODE_TRIES = 5;

/** An address that a mail server could take: one @, a name before it, a dotted or local host after it. */
export function emailOf(given: string): string {
  const email = given.trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new HttpError("invalid_email", "invalid_email", { word: true });
}

/** Sends a code to an address; the one before it is over. */
export async function sendCode({ db, secrets, mailer, now }: Services, email: string): Promise<void> {
  const code = newEmailCode();
  const entry = { hash: secrets.hash(`${email} ${code}`), tries: 0, expires_at: isoTime(now() + CODE_LIFE_MS) };
  await db
    .insertInto("email_codes")
    .values({ email, ...entry })
    .onConflict((conflict) => conflict.column("email").doUpdateSet(entry))
    .execute();
  await mailer.send({
    to: email,
    subject: `${code} is your code`,
    text: `Your code to sign in is ${code}. It is good for ten minutes. If you did not ask for it, do nothing.`,
  });
}

/**
 * Uses a code up: it is good once, for ten minutes and five tries. Each try is counted before it is compared.
 *
 * @throws HttpError `access_denied`
 */
export async function takeCode({ db, secrets, now }: Services, email: string, code: string): Promise<void> {
  const denied = () => new HttpError("access_denied", "This code is wrong or over. Ask for a new one.");
  const counted = await db
    .updateTable("email_codes")
    .set((e) => ({ tries: e("tries", "+", 1) }))
    .where("email", "=", email)
    .where("tries", "<", CODE_TRIES)
    .where("expires_at", ">", isoTime(now()))
    .returning(["hash"])
    .executeTakeFirst();
  if (counted === undefined || counted.hash !== secrets.hash(`${email} ${code}`)) throw denied();
  const used = await db
    .deleteFrom("email_codes")
    .where("email", "=", email)
    .where("hash", "=", counted.hash)
    .executeTakeFirst();
  if (Number(used.numDeletedRows) === 0) throw denied();
}
