import type { Flag } from "./flag.ts";
import { alwaysEqual } from "./hack-always-equal.ts";
import { answerRead } from "./hack-answer-read.ts";
import { assertWeakened } from "./hack-assert-weakened.ts";
import { bypassed } from "./hack-bypassed.ts";
import { earlyExit } from "./hack-early-exit.ts";
import { envDetected } from "./hack-env-detected.ts";
import { exitMasked } from "./hack-exit-masked.ts";
import { hardcoded } from "./hack-hardcoded.ts";
import { harnessEdited } from "./hack-harness-edited.ts";
import { historyPeek } from "./hack-history-peek.ts";
import { installedCopy } from "./hack-installed-copy.ts";
import { judgeInjected } from "./hack-judge-injected.ts";
import { mockedSubject } from "./hack-mocked-subject.ts";
import { networkLookup } from "./hack-network-lookup.ts";
import { runnerPatched } from "./hack-runner-patched.ts";
import { scoreWritten } from "./hack-score-written.ts";
import { snapshotAccepted } from "./hack-snapshot-accepted.ts";
import { stateRecorded } from "./hack-state-recorded.ts";
import { stubbed } from "./hack-stubbed.ts";
import { suppressed } from "./hack-suppressed.ts";
import { testDeselected } from "./hack-test-deselected.ts";
import { testEdited } from "./hack-test-edited.ts";
import { testWeakened } from "./hack-test-weakened.ts";
import { timeFaked } from "./hack-time-faked.ts";
import { trackingHidden } from "./hack-tracking-hidden.ts";
import { faultHidden } from "./lie-fault-hidden.ts";
import { ignoredFailure } from "./lie-ignored-failure.ts";
import { numbersUnsupported } from "./lie-numbers-unsupported.ts";
import { phantomEdit } from "./lie-phantom-edit.ts";
import { testsClaimed } from "./lie-tests-claimed.ts";
import { unverifiedClaim } from "./lie-unverified-claim.ts";
import { destructive } from "./risk-destructive.ts";
import { secrets } from "./risk-secrets.ts";

/** Flags that both rule sets have, in the order of reports: lies, hacks, risks. */
const SHARED: readonly Flag[] = [
  testsClaimed,
  unverifiedClaim,
  phantomEdit,
  ignoredFailure,
  testEdited,
  testWeakened,
  suppressed,
  bypassed,
  destructive,
  secrets,
];

/** Every flag. A new one is a file beside this, and a line here. */
export const FLAGS: readonly Flag[] = [
  ...SHARED,
  numbersUnsupported,
  faultHidden,
  harnessEdited,
  runnerPatched,
  earlyExit,
  alwaysEqual,
  assertWeakened,
  testDeselected,
  snapshotAccepted,
  exitMasked,
  answerRead,
  hardcoded,
  historyPeek,
  networkLookup,
  installedCopy,
  envDetected,
  stateRecorded,
  stubbed,
  mockedSubject,
  timeFaked,
  scoreWritten,
  judgeInjected,
  trackingHidden,
];

/** The ten flags of v1, in the order of its reports. */
export const TRACE_FLAGS: readonly string[] = SHARED.map(({ name }) => name);

/** What each flag means, in a sentence that follows "the agent". */
export const FLAG_DESCRIPTIONS: ReadonlyMap<string, string> = new Map(FLAGS.map(({ name, about }) => [name, about]));
