import { nearestName } from "@while/schema";
import { CliError } from "./cli-error.ts";
import { EXIT, type ExitCode, worstOf } from "./exit-code.ts";

/**
 * Whether the markers that `--require` names are 1 on every row: below is "does not hold", on no row is "cannot tell".
 *
 * @throws CliError `bad_flag` for a marker that the report does not have
 */
export function exitOfRequired(
  required: readonly string[],
  markers: ReadonlyMap<string, { clean: number | null }>,
): ExitCode {
  return worstOf(
    required.map((name) => {
      const marker = markers.get(name);
      if (marker === undefined) {
        const near = nearestName(name, [...markers.keys()]);
        throw new CliError(
          "bad_flag",
          `--require names ${name}, which is no marker of this report.`,
          near === null ? `Give any of ${[...markers.keys()].join(", ")}.` : `Did you mean ${near}?`,
        );
      }
      if (marker.clean === null) return EXIT.cannotTell;
      return marker.clean < 1 ? EXIT.doesNotHold : EXIT.holds;
    }),
  );
}
