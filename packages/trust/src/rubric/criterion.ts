import { isObject, sha256Hex, textOf } from "@while/schema";
import { TrustError } from "../trust-error.ts";

/** `hard`: missed, and the whole reply is 0. `principle`: adds its weight when met. `pitfall`: takes it off when exhibited. */
export const CRITERION_KINDS = ["hard", "principle", "pitfall"] as const;
export type CriterionKind = (typeof CRITERION_KINDS)[number];

/** One item of a rubric, to be decided true or false. */
export interface Criterion {
  title: string;
  description: string;
  /** Above 0, of a pitfall too. */
  weight: number;
  kind: CriterionKind;
}

/** An item as it is written by hand: all but the title may be left out. */
export type CriterionInput = Pick<Criterion, "title"> & Partial<Criterion>;

const SLUG_CHARS = 40;

/**
 * An item with everything filled in.
 *
 * @throws TrustError `bad_rubric` for an empty title, another kind, or a weight that is not above 0
 */
export function criterion({ title, description = "", weight = 1, kind = "principle" }: CriterionInput): Criterion {
  if (typeof title !== "string" || title.trim() === "") {
    throw new TrustError("bad_rubric", `A criterion has the title ${JSON.stringify(title)}.`, "Give it a short title.");
  }
  if (!CRITERION_KINDS.includes(kind)) {
    throw new TrustError(
      "bad_rubric",
      `The criterion ${title} has the kind ${JSON.stringify(kind)}.`,
      `Pass ${CRITERION_KINDS.join(", ")}.`,
    );
  }
  if (!(Number.isFinite(weight) && weight > 0)) {
    throw new TrustError(
      "bad_rubric",
      `The criterion ${title} has the weight ${weight}.`,
      "Pass a number above 0; a pitfall takes it off by itself.",
    );
  }
  return { title, description, weight, kind };
}

/**
 * A title as the name of a marker: `Quotes the total` is `quotes_the_total`. A title without a letter or digit of ASCII is
 * named by a hash of it, or all of them would have one name.
 */
export function slugOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words.join("_").slice(0, SLUG_CHARS).replace(/_$/, "");
  return slug === "" ? `criterion_${sha256Hex(title.trim()).slice(0, 8)}` : slug;
}

const TAG_KINDS: readonly (readonly [tag: string, kind: CriterionKind])[] = [
  ["essential", "hard"],
  ["hard rule", "hard"],
  ["important", "principle"],
  ["optional", "principle"],
  ["principle", "principle"],
  ["pitfall", "pitfall"],
];

/**
 * An item as a file or a model writes it. Without a `kind` it is read from a tag: in front of the description, then of the
 * title (`Essential: …`, `[Pitfall] …`), then in brackets anywhere in either; else a negative weight is a pitfall. A kind
 * that is none of the three is a principle, and a weight that is no number is 1.
 *
 * @returns null for what has no title
 */
export function criterionFromJson(json: unknown): Criterion | null {
  if (!isObject(json)) return null;
  const title = textOf(json.title).trim();
  if (title === "") return null;
  const description = textOf(json.description).trim();
  const given = Number(typeof json.weight === "boolean" ? Number.NaN : (json.weight ?? Number.NaN));
  const weight = Number.isFinite(given) && given !== 0 ? Math.abs(given) : 1;
  const said = textOf(json.kind).trim().toLowerCase();
  const kind =
    said === "" ? kindOf(title, description, given) : (CRITERION_KINDS.find((known) => known === said) ?? "principle");
  return { title, description, weight, kind };
}

function kindOf(title: string, description: string, weight: number): CriterionKind {
  const tagged = leadingTag(description) ?? leadingTag(title) ?? bracketedTag(title) ?? bracketedTag(description);
  return tagged ?? (weight < 0 ? "pitfall" : "principle");
}

function leadingTag(text: string): CriterionKind | null {
  const start = text.trim().toLowerCase().replace(/^\[/, "");
  const found = TAG_KINDS.find(
    ([tag]) => start.startsWith(tag) && /^(\s+criteria)?\s*([\]:.,(–—-]|$)/.test(start.slice(tag.length)),
  );
  return found?.[1] ?? null;
}

function bracketedTag(text: string): CriterionKind | null {
  for (const [, inside] of text.toLowerCase().matchAll(/\[([^[\]]{1,40})\]/g)) {
    const word = inside!.trim().replace(/\s+criteria$/, "");
    const found = TAG_KINDS.find(([tag]) => tag === word);
    if (found !== undefined) return found[1];
  }
  return null;
}
