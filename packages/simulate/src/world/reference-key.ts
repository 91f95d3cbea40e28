/** Keys under which a tool is told which entity is meant. */
const REFERENCE_KEY = /^(?:id|.*_id|path|.*_path|file|name|key|ref|reference|.*_ref|number|repo|asin|sku)$/;

/** Whether a parameter of this name refers to an entity; `orderId` does as `order_id` does. */
export function isReferenceKey(key: string): boolean {
  return REFERENCE_KEY.test(key.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase());
}

/** Ids in a text: 1 to 4 capitals, a dash or underscore or nothing, 3 to 6 digits; each once, in order. */
export function knownIds(text: string): string[] {
  return [...new Set(text.match(/\b[A-Z]{1,4}[-_]?\d{3,6}\b/g) ?? [])];
}
