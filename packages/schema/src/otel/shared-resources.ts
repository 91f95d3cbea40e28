import type { SourceObject } from "../json/record-reader.ts";
import { Attributes } from "./attributes.ts";

/**
 * The resources of one conversation. Exporters write the same one in front of every batch of spans; what is asked of it
 * once is read, wherever it stands.
 */
export class SharedResources {
  readonly #byText = new Map<string, Attributes>();

  /** The one that says the same. */
  of(resource: SourceObject | undefined): Attributes {
    const text = JSON.stringify(resource?.attributes ?? null);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const attributes = new Attributes(resource?.attributes);
    this.#byText.set(text, attributes);
    return attributes;
  }
}
