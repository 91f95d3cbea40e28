import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../settings.ts";

/** What the server knows and its database does not: without it, a stolen database opens no door. */
export interface Secrets {
  /** HMAC-SHA-256 in hex, for keys and codes at rest. Keys have 192 random bits, so a fast hash is enough. */
  hash(text: string): string;
  /** Signature of an upload or download, apart from the hashes at rest. */
  sign(text: string): string;
  signed(text: string, signature: string): boolean;
}

/** Secrets from one pepper. */
export function secretsOf(pepper: string): Secrets {
  const mac = (key: string, text: string) => createHmac("sha256", key).update(text).digest("hex");
  const signing = mac(pepper, "while: signed links");
  return {
    hash: (text) => mac(pepper, text),
    sign: (text) => mac(signing, text),
    signed(text, signature) {
      const good = Buffer.from(mac(signing, text));
      const given = Buffer.from(signature);
      return given.length === good.length && timingSafeEqual(given, good);
    },
  };
}

/**
 * The pepper of this installation: `WHILE_PEPPER` where several replicas share one, else a file in the data folder that
 * is made at the first start. Who loses it signs everybody out.
 */
export function loadSecrets({ data }: Pick<Settings, "data">, pepper = process.env.WHILE_PEPPER ?? ""): Secrets {
  if (pepper !== "") return secretsOf(pepper);
  const file = join(data, "pepper");
  if (!existsSync(file)) {
    mkdirSync(data, { recursive: true });
    writeFileSync(`${file}.tmp`, randomBytes(32).toString("hex"), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  }
  return secretsOf(readFileSync(file, "utf8").trim());
}
