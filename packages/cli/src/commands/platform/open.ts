import { type PlatformClient, PlatformError } from "@while/platform-client";
import { missingOf, repliesDoubt, rowsDoubt } from "@while/platform-client/rules";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { openBrowser } from "../../platform/open-browser.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Call, Verb } from "../../verb.ts";

export const openVerb: Verb = platformVerb({
  name: "open",
  summary: "one run: its scores, what it lacks; without one, the pages",
  names: { usage: "[RUN]", least: 0, most: 1 },
  examples: [
    { line: "wai open run_abcdefghij", about: "what is missing, and the body that mends it" },
    { line: "wai open", about: "the pages in the browser, signed in where the key has the scope admin" },
  ],
  async run(call, client) {
    if (call.names.length === 0) return openPages(call, client);
    const run = await client.getRun(call.names[0] as string);
    const missing = missingOf(run);
    const scores = run.evals.flatMap((posted) => {
      const { behavior, score, ci, n } = posted;
      const doubt = rowsDoubt(posted);
      const line = `  ${behavior} ${score}${ci == null ? "" : ` ± ${ci}`}${n == null ? "" : ` on ${n}`}`;
      return doubt === null ? [line] : [line, `    ${doubt}`];
    });
    const replies = repliesDoubt(run);
    const lacks =
      missing.items.length === 0
        ? ["nothing is missing"]
        : [
            "missing",
            ...missing.items.map(({ say }) => `  ${say}`),
            ...(missing.body === null ? [] : [`PATCH /runs/${run.id} ${JSON.stringify(missing.body)}`]),
            ...(missing.scoreCall === null ? [] : [missing.scoreCall]),
          ];
    const dismissed = missing.dismissed.map(({ key, say, reason, by }) => {
      return `dismissed ${key}: ${say} (${reason}${by === null ? "" : `, ${by}`})`;
    });
    const head = `${run.version} (${run.id}) of ${run.agent ?? "no agent"}: ${run.archived ? "archived" : run.status}`;
    printAnswer(
      call,
      { ...run, missing },
      [head, ...scores, ...(replies === null ? [] : [`  ${replies}`]), ...lacks, ...dismissed].join("\n"),
    );
    return EXIT.holds;
  },
});

/** A link that signs the browser in, from a key that may make one; from any other key the address alone. */
async function openPages(call: Call, client: PlatformClient): Promise<ExitCode> {
  const link = await client.signInLink().catch(async (error: unknown) => {
    if (!(error instanceof PlatformError) || error.code !== "scope_missing") throw error;
    return { url: `${(await client.transport()).baseUrl}/login`, expiresAt: null };
  });
  const about = link.expiresAt === null ? "sign in there" : "signs one browser in, once, for fifteen minutes";
  printAnswer(call, link, `${link.url}\n${about}`);
  if (call.io.stderr.isTty && !call.common.json) openBrowser(link.url);
  return EXIT.holds;
}
