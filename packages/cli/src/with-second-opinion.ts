import { formatSecondOpinion, type SecondOpinion } from "@while/stats";

/** The printer of a report, and beneath it what the tools that wrote the files say; nothing where none did. */
export function withSecondOpinion<Report>(
  format: (report: Report) => string,
): (report: Report & { secondOpinion: SecondOpinion | null }) => string {
  return (report) => {
    const opinion = formatSecondOpinion(report.secondOpinion);
    return opinion === "" ? format(report) : `${format(report)}\n\n${opinion}`;
  };
}
