import { nearestName } from "./nearest-name.ts";

/**
 * Refuses option names that a function does not have. A mistyped name would otherwise be ignored, and the report
 * would rest on a default that the caller believes to have changed.
 *
 * @param given The options object as the caller gave it
 * @param known Every option of the function
 * @param makeError The package's own error, from what is wrong and what to do
 * @throws What `makeError` returns, for the first unknown name
 */
export function checkOptions(
  given: object,
  known: readonly string[],
  makeError: (what: string, fix: string) => Error,
): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    const list = known.length === 0 ? "There are no options here." : `The options are ${known.join(", ")}.`;
    throw makeError(`There is no option ${name}.`, near === null ? list : `Did you mean ${near}? ${list}`);
  }
}
