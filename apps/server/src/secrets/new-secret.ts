import { randomBytes, randomInt } from "node:crypto";

/** Kinds of key by the start of their text. */
const PREFIX = { key: "zp_", delegated: "zp_dc_", session: "zs_" } as const;

/** 192 random bits behind a prefix by which a secret scanner knows a leaked one. */
export function newKey(kind: keyof typeof PREFIX): string {
  return `${PREFIX[kind]}${randomBytes(24).toString("hex")}`;
}

/** 192 random bits for a link. */
export function newLinkToken(): string {
  return randomBytes(24).toString("hex");
}

/** `ds_`, `run_` and the like, with 64 random bits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString("hex")}`;
}

/** No vowels, so that no code spells a word, and nothing that is read as a digit. */
const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** What a person types to approve a login, `BCDF-GHJK`: 34.6 bits, and five tries. */
export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** A typed user code in the form that was given out: case, spaces and the dash do not matter. */
export function userCodeOf(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, "");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Six digits for a mail. */
export function newEmailCode(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}
