import { TrustError } from "../trust-error.ts";

type Vectors = readonly (readonly number[] | Float32Array | Float64Array)[];

/** Texts to one vector a text, in their order. */
export type Embed = (texts: string[]) => Vectors | Promise<Vectors>;

/** A function, or an object that has one. */
export type Embedder = Embed | { embed: Embed };

/** Texts of one call. */
const BATCH = 128;
/** Calls at a time. */
const CONCURRENCY = 4;

export interface EmbedOptions {
  embedBatch?: number;
  embedConcurrency?: number;
}

/** Vectors of length 1, one behind the other; a zero vector stays zero. */
export interface UnitVectors {
  values: Float32Array;
  dimensions: number;
}

/**
 * Embeds texts in batches, several at a time, in order.
 *
 * @throws TrustError `bad_option` for what is no embedder, `bad_vectors` for what it returns
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  { embedBatch = BATCH, embedConcurrency = CONCURRENCY }: EmbedOptions = {},
): Promise<UnitVectors> {
  const embed = embedOf(embedder);
  for (const [name, value] of Object.entries({ embedBatch, embedConcurrency })) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new TrustError("bad_option", `${name} is ${value}.`, "Pass a whole number, 1 or more.");
  }
  const batches: string[][] = [];
  for (let at = 0; at < texts.length; at += embedBatch) batches.push(texts.slice(at, at + embedBatch));
  const vectors: Vectors[] = new Array(batches.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let mine = next++; mine < batches.length; mine = next++) {
      const batch = batches[mine]!;
      const given = await embed([...batch]);
      const count = Array.isArray(given) ? given.length : null;
      if (count !== batch.length) {
        const what = count === null ? "something that is no list" : `${count} vectors`;
        throw new TrustError("bad_vectors", `The embedder returned ${what} for ${batch.length} texts.`, SHAPE);
      }
      vectors[mine] = given;
    }
  };
  await Promise.all(Array.from({ length: Math.min(embedConcurrency, batches.length) }, work));
  return unitVectors(vectors.flat());
}

/** @throws TrustError `bad_option` */
export function embedOf(embedder: unknown): Embed {
  if (typeof embedder === "function") return embedder as Embed;
  const embed = (embedder as { embed?: unknown } | null)?.embed;
  if (typeof embed === "function") return (texts) => (embedder as { embed: Embed }).embed(texts);
  throw new TrustError("bad_option", `embedder is ${embedder === null ? "null" : `a ${typeof embedder}`}.`, SHAPE);
}

const SHAPE = "Pass a function (or an object with embed) that takes a list of texts and returns one vector a text.";

function unitVectors(vectors: Vectors): UnitVectors {
  const dimensions = vectors[0]?.length ?? 0;
  const values = new Float32Array(vectors.length * dimensions);
  for (const [index, vector] of vectors.entries()) {
    const refuse = (what: string): TrustError => new TrustError("bad_vectors", `Vector ${index} ${what}.`, SHAPE);
    if (typeof vector?.length !== "number" || vector.length === 0) throw refuse("is empty");
    if (vector.length !== dimensions) throw refuse(`has ${vector.length} values where the first has ${dimensions}`);
    let squares = 0;
    for (let i = 0; i < dimensions; i++) {
      const value = vector[i]!;
      if (!Number.isFinite(value)) throw refuse(`holds ${String(value)}`);
      squares += value * value;
    }
    const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
    for (let i = 0; i < dimensions; i++) values[index * dimensions + i] = vector[i]! * scale;
  }
  return { values, dimensions };
}

/** Cosine of a vector of one list and one of another. Four sums at a time: they do not wait for one another. */
export function dot(a: UnitVectors, i: number, b: UnitVectors, j: number): number {
  const { dimensions } = a;
  const x = i * dimensions;
  const y = j * dimensions;
  const [p, q] = [a.values, b.values];
  let [first, second, third, fourth] = [0, 0, 0, 0];
  let k = 0;
  for (; k + 3 < dimensions; k += 4) {
    first += p[x + k]! * q[y + k]!;
    second += p[x + k + 1]! * q[y + k + 1]!;
    third += p[x + k + 2]! * q[y + k + 2]!;
    fourth += p[x + k + 3]! * q[y + k + 3]!;
  }
  for (; k < dimensions; k++) first += p[x + k]! * q[y + k]!;
  return first + second + (third + fourth);
}
