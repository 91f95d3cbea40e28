import { randomUUID } from "node:crypto";
import type { DatasetTable } from "../db/tables.ts";
import { partsOf } from "../queries/datasets.ts";
import { isoTime, type Services } from "../services.ts";
import { GateThread } from "./gate-thread.ts";
import { textOf } from "./set-text.ts";

/** Sets beyond these sizes are not gated on the server, which answers others meanwhile. `wai gate` reads any file. */
const GATE_ROWS_MAX = 100_000;
const GATE_BYTES_MAX = 250_000_000;

/** Grows when the gate would say another thing of the same rows. */
const GATE_VERSION = 2;

/** A set of up to so many rows is gated before its finalize is answered. */
export const GATED_AT_ONCE = 2000;
/** How long an answer waits for the gate, when nothing else is asked for: sets in front of it may take theirs. */
const WAIT_MS = 10_000;
/** A replica that is gone keeps a set from the others for so long. */
const LEASE_MS = 20_000;
const SWEEP_MS = 10_000;
/** Servers that a set may end before it is left alone. */
const TRIES_MAX = 10;
const SWEPT_AT_ONCE = 50;

interface Waiting {
  id: string;
  large: boolean;
  ended: Promise<void>;
  end: () => void;
}

/**
 * Reads finalized sets with the publish gate, small ones beside a large one. The queue is the database (`gate_state`):
 * what is here is only its head, so that a kill at any moment delays a report and loses none.
 */
export class GateQueue {
  readonly #services: Services;
  readonly #waitMs: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Map<string, { work: Waiting; done: Promise<void> }>();
  readonly #lanes = { large: new GateThread(), small: new GateThread() };
  #sweep: NodeJS.Timeout | null = null;
  #stopped = false;

  /** @param options.waitMs How long an answer waits for the gate */
  constructor(services: Services, { waitMs = WAIT_MS }: { waitMs?: number | undefined } = {}) {
    this.#services = services;
    this.#waitMs = waitMs;
  }

  /** Takes up what an earlier process left, and looks again now and then for what another replica left. */
  async start(): Promise<void> {
    const { db, database } = this.#services;
    // Of a file there is one server, and what the one before it held is free.
    if (database.kind === "sqlite") {
      await db.updateTable("datasets").set({ gate_lease: null }).where("gate_lease", "is not", null).execute();
    }
    await this.#takeUp();
    this.#sweep = setInterval(() => {
      void this.#takeUp().catch((error: unknown) => this.#services.log.error("gate", { error: String(error) }));
    }, SWEEP_MS);
    this.#sweep.unref();
  }

  /** Ends the threads: what they were reading stays in the queue of the database. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#sweep !== null) clearInterval(this.#sweep);
    for (const { end } of this.#waiting.values()) end();
    this.#waiting.clear();
    await Promise.all([this.#lanes.large.close(), this.#lanes.small.close()]);
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Puts a set whose state is `pending` in the queue of this process. The promise ends when it was looked at. */
  request({ id, row_count }: Pick<DatasetTable, "id" | "row_count">): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    const known = this.#waiting.get(id) ?? this.#running.get(id)?.work;
    if (known !== undefined) return known.ended;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#waiting.set(id, { id, large: (row_count ?? 0) > GATED_AT_ONCE, ended, end });
    this.#pump();
    return ended;
  }

  /** The same, for an answer that has not all day: it ends after `waitMs` in any case. */
  async requestAndWait(row: Pick<DatasetTable, "id" | "row_count">): Promise<void> {
    let late: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => {
      late = setTimeout(resolve, this.#waitMs);
      late.unref();
    });
    await Promise.race([this.request(row), tooLong]);
    clearTimeout(late);
  }

  async #takeUp(): Promise<void> {
    const { db, now } = this.#services;
    await db
      .updateTable("datasets")
      .set({ gate_state: "pending", gate_tries: 0 })
      .where("gate_state", "=", "done")
      .where("gate_version", "<", GATE_VERSION)
      .execute();
    const rows = await db
      .selectFrom("datasets")
      .select(["id", "row_count"])
      .where("gate_state", "=", "pending")
      .where((e) => e.or([e("gate_lease", "is", null), e("gate_lease", "<", isoTime(now()))]))
      .orderBy("finalized_at")
      .limit(SWEPT_AT_ONCE)
      .execute();
    for (const row of rows) void this.request(row);
  }

  #pump(): void {
    for (const work of this.#waiting.values()) {
      const lane = work.large ? "large" : "small";
      if ([...this.#running.values()].some(({ work: { large } }) => large === work.large)) continue;
      this.#waiting.delete(work.id);
      const done = this.#read(work.id, this.#lanes[lane])
        .catch((error: unknown): boolean => {
          if (!this.#stopped) this.#services.log.error("gate", { dataset: work.id, error: String(error) });
          return false;
        })
        .then((changed) => {
          this.#running.delete(work.id);
          work.end();
          if (this.#stopped) return;
          if (changed) void this.request({ id: work.id, row_count: work.large ? GATED_AT_ONCE + 1 : 0 });
          this.#pump();
        });
      this.#running.set(work.id, { work, done });
    }
  }

  /** @returns Whether the set changed while it was read, so that the report is of what is no more */
  async #read(id: string, thread: GateThread): Promise<boolean> {
    const { db, blobs, log } = this.#services;
    const lease = await this.#claim(id);
    if (lease === null) return false;
    const row = await db.selectFrom("datasets").selectAll().where("id", "=", id).executeTakeFirst();
    if (row === undefined) return false;
    if (row.gate_tries > TRIES_MAX) {
      return lease.end("failed", { not_run: `The server ended ${TRIES_MAX} times over this set. Run wai gate on it.` });
    }
    if ((row.row_count ?? 0) > GATE_ROWS_MAX || row.bytes > GATE_BYTES_MAX) {
      const limit = `${GATE_ROWS_MAX} rows and ${GATE_BYTES_MAX} bytes`;
      const not_run = `The set has ${row.row_count} rows in ${row.bytes} bytes; here the gate reads up to ${limit}. Run wai gate on the file.`;
      return lease.end("too_large", { not_run });
    }
    try {
      const text = await textOf(blobs, await partsOf(db, id));
      const report = await thread.run({ text, mode: row.mode, purpose: row.purpose });
      return await lease.end("done", report);
    } catch (error) {
      // A set that nobody could read stays a set; what is to be read again is left to the next server.
      if (this.#stopped) return lease.release();
      log.error("gate", { dataset: id, error: String(error) });
      return lease.end("failed", { not_run: `The gate could not read this set: ${String(error).slice(0, 400)}` });
    } finally {
      lease.stop();
    }
  }

  /** The right to read a set until it is given back; null where another replica has it, or nobody needs to. */
  async #claim(id: string): Promise<Lease | null> {
    const { db, now } = this.#services;
    const holder = randomUUID();
    const until = () => `${isoTime(now() + LEASE_MS)} ${holder}`;
    let held = until();
    const claimed = await db
      .updateTable("datasets")
      .set((e) => ({ gate_lease: held, gate_tries: e("gate_tries", "+", 1) }))
      .where("id", "=", id)
      .where("gate_state", "=", "pending")
      .where((e) => e.or([e("gate_lease", "is", null), e("gate_lease", "<", isoTime(now()))]))
      .executeTakeFirst();
    if (claimed.numUpdatedRows === 0n) return null;
    // Rows that came meanwhile, and another mode, take the lease away.
    const mine = () => db.updateTable("datasets").where("id", "=", id).where("gate_lease", "=", held);
    let beat: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      const next = until();
      beat = mine()
        .set({ gate_lease: next })
        .execute()
        .then(() => {
          held = next;
        })
        .catch((error: unknown) => this.#services.log.error("gate", { dataset: id, error: String(error) }));
    }, LEASE_MS / 3);
    timer.unref();
    const stop = () => clearInterval(timer);
    const settle = async (set: Partial<DatasetTable>) => {
      stop();
      await beat;
      const settled = await mine()
        .set({ gate_lease: null, gate_tries: 0, ...set })
        .executeTakeFirst();
      return settled.numUpdatedRows === 0n;
    };
    return {
      stop,
      release: () => settle({}),
      end: (state, report) =>
        settle({
          gate_state: state,
          gate_version: GATE_VERSION,
          gate: JSON.stringify(report),
          gate_warnings: Array.isArray(report.warnings) ? report.warnings.length : null,
        }),
    };
  }
}

interface Lease {
  stop(): void;
  /** Each says whether the lease was gone. */
  release(): Promise<boolean>;
  end(state: "done" | "too_large" | "failed", report: Record<string, unknown>): Promise<boolean>;
}
