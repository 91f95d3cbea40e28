import { isObject, pyJson, type Row, sha256Hex, textOf } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { type Criterion, type CriterionInput, criterion, criterionFromJson, slugOf } from "./criterion.ts";

/** A checklist that a reply is graded by. */
export interface Rubric {
  criteria: readonly Criterion[];
  /** Who wrote it: `hand`, or `model`. */
  source: string;
  domain: string;
  notes: string;
}

const VERSION_CHARS = 12;

/**
 * A rubric of at least one item, whose titles can be told apart by their slugs.
 *
 * @throws TrustError `bad_rubric`
 */
export function rubric(
  criteria: readonly CriterionInput[],
  { source = "hand", domain = "", notes = "" }: Partial<Omit<Rubric, "criteria">> = {},
): Rubric {
  return checked(criteria.map(criterion), { source, domain, notes });
}

/**
 * A rubric as a file, a row or a model writes it: a list of items, or an object with `criteria`.
 *
 * @throws TrustError `bad_rubric` for what holds no item, or two of one slug
 */
export function rubricFromJson(json: unknown): Rubric {
  const list = Array.isArray(json) ? json : isObject(json) ? json.criteria : undefined;
  if (!Array.isArray(list)) {
    throw new TrustError(
      "bad_rubric",
      `A rubric is ${json === null ? "null" : Array.isArray(json) ? "a list" : typeof json}, without criteria.`,
      'Write {"criteria": [{"title": "…", "description": "…", "weight": 1, "kind": "hard"}]}.',
    );
  }
  const criteria = list.map(criterionFromJson);
  const bad = criteria.indexOf(null);
  if (bad >= 0) {
    throw new TrustError("bad_rubric", `Item ${bad + 1} of the rubric has no title.`, "Give every item a title.");
  }
  const { source, domain, notes } = isObject(json) ? json : {};
  return checked(criteria as Criterion[], {
    ...{ source: textOf(source) || "hand", domain: textOf(domain), notes: textOf(notes) },
  });
}

function checked(criteria: Criterion[], about: Omit<Rubric, "criteria">): Rubric {
  if (criteria.length === 0) {
    throw new TrustError("bad_rubric", "A rubric has no criteria.", "Give it at least one.");
  }
  const slugs = new Set<string>();
  for (const { title } of criteria) {
    const slug = slugOf(title);
    if (slugs.has(slug)) {
      throw new TrustError("bad_rubric", `Two criteria read ${slug}.`, "Give them titles that differ in their words.");
    }
    slugs.add(slug);
  }
  return { criteria, ...about };
}

/** 12 hex digits of the criteria's content: two rubrics of one version grade alike. The Python SDK's text is hashed. */
export function rubricVersion({ criteria }: Rubric): string {
  const text = criteria.map(({ title, description, weight, kind }) => {
    const words = pyJson({ description, kind, title }, { sortKeys: true });
    // Weights are floats there: 1 is 1.0.
    return `${words.slice(0, -1)}, "weight": ${pyJson(weight)}${Number.isInteger(weight) ? ".0" : ""}}`;
  });
  return sha256Hex(`[${text.join(", ")}]`).slice(0, VERSION_CHARS);
}

/** The items as numbered lines, as a judge reads them. */
export function rubricChecklist({ criteria }: Rubric): string {
  return criteria
    .map(({ kind, weight, title, description }, i) => {
      const more = description === "" ? "" : `: ${description}`;
      return `${i + 1}. [${kind}, weight ${weight}] ${title}${more}`;
    })
    .join("\n");
}

/** Rows with a rubric of their own under `privileged`, which no export carries; new rows. */
export function attachRubric(
  rows: readonly Row[],
  given: Rubric | ((row: Row) => Rubric | null),
  { overwrite = true }: { overwrite?: boolean } = {},
): Row[] {
  return rows.map((row) => {
    const own = isObject(row.privileged) ? row.privileged : {};
    if (!overwrite && own.rubric !== undefined && own.rubric !== null) return row;
    const attached = typeof given === "function" ? given(row) : given;
    if (attached === null) return row;
    return { ...row, privileged: { ...own, rubric: { ...attached, version: rubricVersion(attached) } } };
  });
}

/** The rubric that a row carries; null where it has none, or one that cannot be read. */
export function rubricOf(row: Row): Rubric | null {
  const own = isObject(row.privileged) ? row.privileged.rubric : undefined;
  if (own === undefined || own === null) return null;
  try {
    return rubricFromJson(own);
  } catch {
    return null; // A row is data: whoever needs its rubric says that there is none to use.
  }
}
