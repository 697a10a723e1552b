import { readStatus, type Status, type StatusLedger, type TenantStatus } from '../../operator/status/status.ts';
import type { Tenant } from '../../platform/tenant.ts';

/** The status of all tenants, read at one instant. */
export type Snapshot = {
  readonly at: string;
  readonly tenants: ReadonlyMap<string, TenantStatus>;
  readonly unavailable: Status['unavailable'];
};

/** Called with the tenants whose status differs from their status in the previous snapshot. */
export type OnChange = (tenants: readonly string[]) => void;

/** A running read. `isExpired`: whether a command changed something after the read began. */
type Reading = { isExpired: boolean; readonly snapshot: Promise<Snapshot> };

export type SnapshotOptions = {
  readonly ledger: StatusLedger;
  readonly tenants: () => readonly Tenant[];
  readonly nowMs: () => number;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
};

const EVERY_MS = 2_000;
/**
 * The pause between two reads of the status, as a multiple of the time that a read takes. The status of many tenants takes long to read,
 * and is therefore read more rarely.
 */
const PAUSE_FACTOR = 10;
const LEAST_WAIT_MS = 50;

/** Reads the status of all tenants for all pages together, and only while a page needs it or a browser follows it. */
export class Snapshots {
  readonly #options: SnapshotOptions;
  readonly #followers = new Set<OnChange>();
  #last: Snapshot | null = null;
  #marks: ReadonlyMap<string, string> = new Map();
  #goodUntilMs = 0;
  /** The running read; null if none runs. Two reads never run at the same time. */
  #reading: Reading | null = null;
  /** The read that begins when the running one ends; null if none is wanted. */
  #next: Promise<Snapshot> | null = null;
  /** The earliest time of the next read for the browsers that follow the status. */
  #watchFromMs = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  /**
   * A snapshot that is at most two seconds old, or older if reading the status takes long (`PAUSE_FACTOR`). It was never read before the
   * last call of `expire`.
   */
  latest(): Promise<Snapshot> {
    if (this.#last !== null && this.#goodUntilMs > this.#options.nowMs()) return Promise.resolve(this.#last);
    if (this.#reading === null) return this.#begin();
    if (!this.#reading.isExpired) return this.#reading.snapshot;
    this.#next ??= this.#reading.snapshot
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return this.latest();
      });
    return this.#next;
  }

  /** Calls `onChange` whenever the status of tenants has changed, until the returned function is called. */
  follow(onChange: OnChange): () => void {
    this.#followers.add(onChange);
    this.#watch();
    return () => void this.#followers.delete(onChange);
  }

  /**
   * Called after a command changed something: makes the next call of `latest` read the status again, even if a read is running, because
   * that read may have missed the change.
   */
  expire(): void {
    this.#goodUntilMs = 0;
    if (this.#reading !== null) this.#reading.isExpired = true;
  }

  close(): void {
    this.#followers.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #begin(): Promise<Snapshot> {
    const read = this.#read().finally(() => {
      this.#reading = null;
    });
    this.#reading = { isExpired: false, snapshot: read };
    return read;
  }

  async #read(): Promise<Snapshot> {
    const { ledger, tenants, nowMs, everyMs = EVERY_MS } = this.#options;
    const startMs = nowMs();
    const at = new Date(startMs).toISOString();
    const status = await readStatus(ledger, tenants(), at);
    const marks = new Map(status.tenants.map((one) => [one.tenant, markOf(one)]));
    const changed = this.#last === null ? [] : changedBetween(this.#marks, marks);
    const found = new Map(status.tenants.map((one) => [one.tenant, one]));
    this.#last = { at, tenants: found, unavailable: status.unavailable };
    this.#marks = marks;
    const isExpired = this.#reading?.isExpired === true;
    if (!isExpired) this.#goodUntilMs = nowMs() + Math.max(everyMs, PAUSE_FACTOR * (nowMs() - startMs));
    if (changed.length > 0) for (const follower of this.#followers) follower(changed);
    return this.#last;
  }

  /** Reads the status at intervals while at least one browser waits for changes. */
  #watch(): void {
    if (this.#timer !== null || this.#followers.size === 0) return;
    const { nowMs, onError, everyMs = EVERY_MS } = this.#options;
    const waitMs = Math.max(LEAST_WAIT_MS, Math.max(this.#goodUntilMs, this.#watchFromMs) - nowMs());
    this.#timer = setTimeout(() => {
      const read = this.latest().catch((error: unknown) => {
        onError(error);
        this.#watchFromMs = nowMs() + everyMs;
      });
      void read.finally(() => {
        this.#timer = null;
        this.#watch();
      });
    }, waitMs);
    this.#timer.unref();
  }
}

/**
 * A text that changes whenever people would see a difference in a tenant's status. Ages and the times of reads are left out, because they
 * always change.
 */
function markOf({ flow, failing, ...status }: TenantStatus): string {
  return JSON.stringify([status, flow.causes, flow.backlog?.records ?? 0, failing.map(({ stream }) => stream)]);
}

function changedBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}
