import type { ModelUse } from "../agent/model.ts";
import type { Assignment } from "../grid/region-id.ts";
import type { SimTool } from "../world/tool-schemas.ts";

/** A situation that wants words. */
export interface Card {
  id: string;
  assignment: Assignment;
  /** Which wording of this situation is asked for, from 0. */
  phrasing: number;
}

/** Words for a card. */
export interface Written {
  card: Card;
  prompt: string;
  /** How the person writes and feels, where the writer says so. */
  tags?: Readonly<Record<string, string>>;
}

export interface WriterContext {
  tools: readonly SimTool[];
  /** The agent's rules. A model writer is shown a hint of the one rule of a card, and never this. */
  policy: string;
  seed: number;
  /** Texts that there are already: a second task of the same words would be the same task. */
  taken: ReadonlySet<string>;
  /** Names one call of a writer among those of a search. */
  round?: string;
  /** Asks that went wrong: more like them is wanted. */
  failing?: readonly string[];
  /** The newest asks: more like them is not. */
  recent?: readonly string[];
  signal?: AbortSignal;
  meter?: (use: ModelUse) => void;
}

/** Cards that got no words, and why. */
export interface WrittenCards {
  written: Written[];
  warnings: string[];
}

/** Puts situations into words. The order of its answer is the order of the cards. */
export interface Writer {
  /** Becomes `writer_model` of the rows. */
  name: string;
  write(cards: readonly Card[], context: WriterContext): Promise<WrittenCards>;
}
