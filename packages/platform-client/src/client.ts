import type { Row, RowSource } from "@while/schema";
import type { DeltaOptions } from "@while/stats";
import { type Account, getAccount, type SignedUp } from "./contract/account.ts";
import { type Deleted, listAgents, type RegisterAgent, type TrackedInfo, upsertAgent } from "./contract/agents.ts";
import { type Card, type Catalog, getCatalog, publishDataset, unpublishDataset } from "./contract/catalog.ts";
import {
  type Dataset,
  type DatasetList,
  type DatasetMeta,
  type DatasetQuery,
  deleteDataset,
  getDataset,
  listDatasets,
  type Preview,
  type Profile,
  previewDataset,
  profileDataset,
  updateDataset,
} from "./contract/datasets.ts";
import type { Dismissible } from "./contract/dismissals.ts";
import {
  createKey,
  type Delegated,
  deleteKey,
  issueCredential,
  type KeyInfo,
  type KeyList,
  listKeys,
  type NewKey,
  refreshCredential,
  revokeCredential,
} from "./contract/keys.ts";
import { checkValue } from "./contract/parse-body.ts";
import { getRun, patchRun, type RunDetail, type RunRow, runPatchSchema } from "./contract/runs.ts";
import { getVersion, type Version } from "./contract/service.ts";
import { createSignInLink, type SignInLink } from "./contract/sessions.ts";
import type { TracesStored } from "./contract/traces.ts";
import { emptyDatasets } from "./datasets/empty-datasets.ts";
import { pullBytes, pullRows } from "./datasets/pull.ts";
import { type Pushed, type PushOptions, type PushRowsOptions, type PushWork, push, pushRows } from "./datasets/push.ts";
import { PlatformError } from "./platform-error.ts";
import { type PurgeReport, purgeAgent } from "./purge-agent.ts";
import { attachDelta, attachHoldout, withCost } from "./runs/attach.ts";
import type { Spool } from "./runs/outbox.ts";
import { type Resent, resend } from "./runs/resend.ts";
import { openTrainingRun, type TrainingRun, type TrainingRunOptions } from "./runs/training-run.ts";
import { type RunEvent, type WatchOptions, watchRun } from "./runs/watch-run.ts";
import { type SendRunsOptions, sendRuns } from "./send-runs.ts";
import { DEFAULT_API_URL, type Environment, readSettings } from "./settings.ts";
import type { Credential, CredentialStore, SavedLogin } from "./sign-in/credentials.ts";
import { type LoginOptions, login } from "./sign-in/login.ts";
import { rememberTier, signup } from "./sign-in/signup.ts";
import { type Status, statusOf } from "./sign-in/status.ts";
import { type TrackOptions, track } from "./tracked/track.ts";
import type { Tracked } from "./tracked/tracked.ts";
import { given } from "./transport/given.ts";
import { type Exchange, Transport } from "./transport/transport.ts";
import { standardOut, type Warn, warnOnStderr } from "./transport/warning.ts";

export interface ClientOptions {
  /** Goes before every other key. */
  apiKey?: string | undefined;
  /** `WHILEAI_API_URL`, else the platform of the saved login, else `https://api.while.ai`. */
  apiUrl?: string | undefined;
  /** Address for tracked agents where that is another: `WHILEAI_PLATFORM_URL`, else `apiUrl`. */
  platformUrl?: string | undefined;
  /** Saved logins; `openClient` of `./files` reads those of `wai login`. */
  credentials?: CredentialStore | undefined;
  /** Where calls of runs wait while the platform is away; `openClient` of `./files` keeps them on disk. */
  spool?: Spool | undefined;
  env?: Environment | undefined;
  fetch?: typeof fetch | undefined;
  /** Replaces the network. */
  transport?: Exchange | undefined;
  /** Seconds that a call may take, with its retries. */
  timeoutS?: number | undefined;
  /** False sends each call once. */
  retry?: boolean | undefined;
  warn?: Warn | undefined;
  /** Where `finish` tells the brief; null tells nobody. */
  out?: ((text: string) => void) | null | undefined;
  /** Seconds since 1970. */
  now?: (() => number) | undefined;
}

/**
 * Everything that a platform can be asked. A client keeps no state but its settings; what it says to a platform goes
 * through one transport, and a key is never shown to a platform other than the one that issued it.
 */
export class PlatformClient {
  readonly #options: ClientOptions;
  readonly #warn: Warn;
  readonly #now: () => number;
  readonly #runs = new Set<{ close(timeoutMs?: number): Promise<{ unsent: number }> }>();
  #transport: Promise<Transport> | null = null;
  #platformTransport: Promise<Transport> | null = null;

  constructor(options: ClientOptions = {}) {
    this.#options = options;
    this.#warn = options.warn ?? warnOnStderr;
    this.#now = options.now ?? (() => Date.now() / 1000);
  }

  /** The way to the platform: its address is found on the first call. */
  transport(): Promise<Transport> {
    this.#transport ??= this.#open();
    return this.#transport;
  }

  async #open(): Promise<Transport> {
    const { apiUrl } = readSettings(this.#options.env);
    const saved = await this.#options.credentials?.read(null);
    return this.#transportTo(this.#options.apiUrl ?? apiUrl ?? saved?.api_url ?? DEFAULT_API_URL);
  }

  #transportTo(baseUrl: string): Transport {
    const { fetch, transport: exchange, timeoutS, retry } = this.#options;
    const credential = () => this.credential(baseUrl);
    return new Transport({ baseUrl, credential, fetch, exchange, timeoutS, retry });
  }

  #call: Transport["call"] = async (route, options = {}) => (await this.transport()).call(route, options);

  /** Tracked agents may live at another address than datasets. */
  #platform(): Promise<Transport> {
    this.#platformTransport ??= this.#openPlatform();
    return this.#platformTransport;
  }

  async #openPlatform(): Promise<Transport> {
    const url = this.#options.platformUrl ?? readSettings(this.#options.env).platformUrl;
    const main = await this.transport();
    return url === null || url === main.baseUrl ? main : this.#transportTo(url);
  }

  /** The key that a call goes out with: `apiKey`, a delegated credential, `WHILEAI_API_KEY`, the saved login. */
  async credential(baseUrl?: string): Promise<Credential | null> {
    const { apiKey, credentials } = this.#options;
    if (apiKey) return { key: apiKey, source: "option", origin: null };
    const { apiKey: key, apiKeySource: source } = readSettings(this.#options.env);
    if (key !== null && source !== null) return { key, source, origin: null };
    const saved = (await credentials?.read(baseUrl ?? (await this.transport()).baseUrl)) ?? null;
    return saved === null ? null : { key: saved.api_key, source: "file", origin: saved.api_url };
  }

  // Signing in

  /** Signs in by a link that a person opens; null while nobody approved it. */
  async login(options: LoginOptions = {}): Promise<SavedLogin | null> {
    const store = this.#store();
    const transport = await this.transport();
    const saved = await login({ transport, store }, { now: this.#now, ...options });
    return saved === null ? null : rememberTier(transport, store, saved);
  }

  /** An account and its first key in one call, within the limits of a trial. */
  async signup(email: string, { name }: { name?: string } = {}): Promise<SignedUp> {
    return signup(await this.transport(), this.#options.credentials, email, { name, now: this.#now() });
  }

  /** Forgets the saved logins; true when there was one. */
  logout(): Promise<boolean> {
    return this.#store().clear();
  }

  async status(): Promise<Status> {
    const transport = await this.transport();
    return statusOf(transport, this.#options.credentials ?? null, await this.credential());
  }

  /** Whose key it is: tier, limits and usage. */
  async account(): Promise<Account> {
    return this.#call(getAccount, { timeoutS: 30 });
  }

  /** A link that signs one browser in to the account, once, for fifteen minutes. The key needs the scope `admin`. */
  async signInLink(): Promise<SignInLink> {
    return this.#call(createSignInLink);
  }

  #store(): CredentialStore {
    const { credentials } = this.#options;
    if (credentials !== undefined) return credentials;
    const what = "This client has no place for saved logins.";
    throw new PlatformError("bad_option", what, "Use openClient of @while/platform-client/files, or pass credentials.");
  }

  // Keys

  async keys(): Promise<KeyList> {
    return this.#call(listKeys);
  }

  /** A key, whole in this answer and never again. */
  async createKey(key: NewKey): Promise<KeyInfo & { api_key: string }> {
    return this.#call(createKey, { body: key });
  }

  async deleteKey(id: string): Promise<Deleted> {
    return this.#call(deleteKey, { params: { id } });
  }

  /** A credential of minutes or hours, from the session of a signed-in person. */
  async issueDelegatedCredential(
    sessionToken: string,
    { ttlSeconds = 3600, name = "sdk-default" }: { ttlSeconds?: number; name?: string } = {},
  ): Promise<Delegated> {
    const options = { bearer: secret(sessionToken, "session token"), body: { name, ttlSeconds } };
    return this.#call(issueCredential, options);
  }

  async refreshDelegatedCredential(
    sessionToken: string,
    credential: string,
    { ttlSeconds }: { ttlSeconds?: number } = {},
  ): Promise<Delegated> {
    const body = given({ credential: secret(credential, "credential"), ttlSeconds });
    return this.#call(refreshCredential, { bearer: secret(sessionToken, "session token"), body });
  }

  async revokeDelegatedCredential(sessionToken: string, credential: string): Promise<{ revoked: true }> {
    const body = { credential: secret(credential, "credential") };
    return this.#call(revokeCredential, { bearer: secret(sessionToken, "session token"), body });
  }

  // Datasets

  async #pushWork(): Promise<PushWork> {
    return { transport: await this.transport(), warn: this.#warn };
  }

  /** Uploads a run, scored rows or a selection through the gate that is named, or through none: `gate: false`. */
  async push(source: RowSource, name: string, options: PushOptions): Promise<Pushed> {
    return push(await this.#pushWork(), source, name, options);
  }

  /** Uploads rows that were selected before; without a gate unless one is given. */
  async pushRows(rows: readonly Row[], name: string, options: PushRowsOptions = {}): Promise<Pushed> {
    return pushRows(await this.#pushWork(), rows, name, options);
  }

  /** The rows of a set. For one that does not fit into memory there is `pullRows`. */
  async pull(id: string): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this.pullRows(id)) rows.push(row);
    return rows;
  }

  /** The rows of a set, one at a time. */
  async *pullRows(id: string): AsyncGenerator<Row, void, undefined> {
    yield* pullRows(await this.transport(), id);
  }

  /** The stored bytes of a set, as they were pushed. */
  async *pullBytes(id: string): AsyncGenerator<Uint8Array, void, undefined> {
    yield* pullBytes(await this.transport(), id);
  }

  /** Sets, newest first. */
  async datasets(query: DatasetQuery = {}): Promise<DatasetList> {
    return this.#call(listDatasets, { query });
  }

  async dataset(id: string): Promise<Dataset> {
    return this.#call(getDataset, { params: { id } });
  }

  /** Changes what is given and nothing else. */
  async updateDataset(id: string, meta: DatasetMeta): Promise<Dataset> {
    const body = given(meta);
    if (Object.keys(body).length === 0) {
      throw new PlatformError(
        "bad_option",
        `Nothing of ${id} is to change.`,
        "Give purpose, mode, agent or description.",
      );
    }
    return this.#call(updateDataset, { params: { id }, body });
  }

  /** Three rows of a set, and what the gate says of it. */
  async preview(id: string): Promise<Preview> {
    return this.#call(previewDataset, { params: { id } });
  }

  /** What a trainer would learn from a set; `force` computes it anew. */
  async profile(id: string, { force }: { force?: boolean } = {}): Promise<Profile> {
    const { profile } = await this.#call(profileDataset, {
      params: { id },
      query: given({ force }),
    });
    return profile;
  }

  /** Deletes a set for good. */
  async deleteDataset(id: string): Promise<Deleted> {
    return this.#call(deleteDataset, { params: { id } });
  }

  /** Deletes sets without rows, for good; `dryRun` only names them. Uploads under way stay unless `includePending`. */
  async deleteEmptyDatasets({
    maxRows = 0,
    dryRun = false,
    includePending = false,
  }: {
    maxRows?: number;
    dryRun?: boolean;
    includePending?: boolean;
  } = {}): Promise<{ datasets: string[]; deleted: boolean }> {
    const { datasets } = await this.datasets();
    const empty = emptyDatasets(datasets, { maxRows, includePending, now: this.#now() * 1000 });
    const ids = empty.flatMap(({ datasetId }) => (datasetId === undefined ? [] : [datasetId]));
    if (!dryRun) for (const id of ids) await this.deleteDataset(id);
    return { datasets: ids, deleted: !dryRun };
  }

  /** Puts a set into the public catalog under its agent. */
  async publish(id: string, agent: string, { description }: { description?: string } = {}): Promise<Card> {
    return this.#call(publishDataset, { params: { id }, body: given({ agent, description }) });
  }

  async unpublish(id: string): Promise<{ ok: true; datasetId: string }> {
    return this.#call(unpublishDataset, { params: { id } });
  }

  /** Sets that anybody may download; needs no key. */
  async catalog(): Promise<Catalog> {
    return this.#call(getCatalog);
  }

  // Agents

  async agents(): Promise<TrackedInfo[]> {
    return (await this.#call(listAgents)).agents;
  }

  /** Registers an agent by name; what is not given stays. */
  async registerAgent(
    name: string,
    { description, tools, systemPrompt }: { description?: string; tools?: unknown[]; systemPrompt?: string } = {},
  ): Promise<TrackedInfo> {
    const body: RegisterAgent = given({ name, description, tools, system_prompt: systemPrompt });
    return this.#call(upsertAgent, { body });
  }

  /** Deletes an agent with its traces and datasets, for good; `dryRun` only counts. */
  async purgeAgent(agent: string, options: { dryRun?: boolean } = {}): Promise<PurgeReport> {
    return purgeAgent(await this.transport(), agent, options);
  }

  /** Sends rows as traces of an agent, which the first of them creates. */
  async sendRuns(rows: readonly Row[], options: SendRunsOptions): Promise<TracesStored> {
    const url = readSettings(this.#options.env).traceUrl;
    const transport = url === null ? await this.transport() : this.#transportTo(url);
    return sendRuns(transport, rows, options, Math.round(this.#now() * 1000));
  }

  /** A handle to an agent by its name, or by the object of a framework; registers it. */
  async track(agent: string | object, options: TrackOptions = {}): Promise<Tracked> {
    const work = { transport: await this.#platform(), spool: this.#options.spool ?? null, warn: this.#warn };
    return track(
      {
        ...work,
        out: this.#options.out === undefined ? standardOut() : this.#options.out,
        now: this.#now,
        opened: this.#runs,
      },
      agent,
      options,
    );
  }

  // Runs of any trainer

  /** Opens a run that any trainer reports. */
  async trainingRun(name: string, options: TrainingRunOptions = {}): Promise<TrainingRun> {
    const work = {
      transport: await this.transport(),
      spool: this.#options.spool ?? null,
      warn: this.#warn,
      now: this.#now,
    };
    const run = await openTrainingRun(work, name, options);
    this.#runs.add(run);
    return run;
  }

  /** A run with its points, and with what its GPU time cost where that is known. */
  async getRun(id: string): Promise<RunDetail> {
    return withCost(await this.#call(getRun, { params: { id } }));
  }

  /**
   * Says why something that is asked of a run may stay as it is; null asks for it again.
   *
   * @throws PlatformError `bad_value` for a blank reason, before any call
   */
  async dismiss(id: string, key: Dismissible, reason: string | null): Promise<RunRow> {
    const body = checkValue(runPatchSchema, { dismiss: { [key]: reason } }, `the dismissal of ${key}`);
    return this.#call(patchRun, { params: { id }, body });
  }

  /** What happens to a run, as it happens, until it has ended. */
  async *watchRun(id: string, options: WatchOptions = {}): AsyncGenerator<RunEvent, void, undefined> {
    yield* watchRun(await this.transport(), id, options);
  }

  /** Puts the delta of two evals on a run that is there. */
  async attachDelta(
    id: string,
    before: readonly Row[],
    after: readonly Row[],
    options: DeltaOptions = {},
  ): Promise<RunRow> {
    return attachDelta(await this.transport(), id, before, after, options);
  }

  /** Puts the two numbers of a held-out set on a run that is there. */
  async attachHoldout(
    id: string,
    numbers: { before: number; after: number; metric?: "pass" | "loss" },
  ): Promise<RunRow> {
    return attachHoldout(await this.transport(), id, numbers);
  }

  // Ends

  /** Delivers what an earlier process could not: each call once, oldest first. */
  async resend(): Promise<Resent> {
    const total: Resent = { sent: 0, refused: 0, left: 0 };
    const { spool } = this.#options;
    if (spool === undefined) return total;
    for (const transport of new Set([await this.transport(), await this.#platform()])) {
      const { sent, refused, left } = await resend(transport, spool, this.#warn);
      total.sent += sent;
      total.refused += refused;
      total.left += left;
    }
    return total;
  }

  /** Ends the waiting of every run of this client: tries once more, and leaves the rest to the spool. */
  async close(timeoutMs = 5000): Promise<{ unsent: number }> {
    const ends = await Promise.all([...this.#runs].map((run) => run.close(timeoutMs)));
    return { unsent: ends.reduce((sum, { unsent }) => sum + unsent, 0) };
  }

  /** What the server is and can. */
  async version(): Promise<Version> {
    return this.#call(getVersion);
  }
}

function secret(value: string, what: string): string {
  if (value !== "") return value;
  throw new PlatformError("bad_value", `The ${what} is empty.`, "Sign in first, and pass what the platform gave.");
}
