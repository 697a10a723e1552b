import { setTimeout as pause } from 'node:timers/promises';
import type { ShardLedger, ShardReader } from '../ledger/streams/shard-ledger.ts';
import type { Logger } from '../platform/logger.ts';
import type { ShardRuns } from './shard-runs.ts';

/**
 * How often, in ms, a process reports that it still reads its shards (groups of tenants), and after how many ms without a report a reader
 * counts as dead.
 */
const [BEAT_MS, DEAD_MS] = [3_000, 12_000];

/** Reports to other workers which shards (groups of tenants) this process reads, and restarts the shards of dead workers. */
export interface ShardBeats {
  /**
   * Makes an activity attempt the reader of its shard (group of tenants) while `run` lasts. The signal aborts when Temporal or the ledger
   * (Lockstep's PostgreSQL database) no longer accepts this attempt as the reader.
   */
  read<T>(reader: ShardReader, of: number, run: (lost: AbortSignal) => Promise<T>): Promise<T>;
  /** Sends one report for all shards that this process reads. Rejects if the ledger or Temporal does not answer. */
  beat(): Promise<void>;
  /** Reports at intervals until the signal aborts. Never rejects. */
  keep(signal: AbortSignal): Promise<void>;
}

export type ShardBeatsOptions = {
  readonly ledger: ShardLedger;
  readonly runs: ShardRuns;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs?: () => number;
};

export function createShardBeats(options: ShardBeatsOptions): ShardBeats {
  return new Beats(options);
}

/**
 * Reports through the ledger (Lockstep's PostgreSQL database) which shards (groups of tenants) this process reads. For each report, the
 * process first asks Temporal which of its activity attempts are still running, neither cancelled nor paused. The process then stores these
 * attempts in the ledger. A worker that can reach only Temporal or only the ledger thus sends no reports, like a dead worker. Heartbeats to
 * Temporal would have the same effect, but Temporal Cloud bills them.
 */
class Beats implements ShardBeats {
  readonly #options: ShardBeatsOptions;
  /** The activity attempts of this process, each with the controller that aborts it. */
  readonly #own = new Map<string, AbortController>();
  #lastMs: number | null = null;

  constructor(options: ShardBeatsOptions) {
    this.#options = options;
  }

  async read<T>(reader: ShardReader, of: number, run: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const lost = new AbortController();
    await this.#options.ledger.takeShard(reader, of);
    this.#own.set(reader.attempt, lost);
    try {
      return await run(lost.signal);
    } finally {
      this.#own.delete(reader.attempt);
    }
  }

  async beat(): Promise<void> {
    const { ledger, runs, nowMs = () => performance.now() } = this.#options;
    const readers = await Promise.all(
      [...this.#own.keys()].map(async (attempt) => ({ attempt, isWanted: await runs.isWanted(attempt) })),
    );
    const wanted = readers.filter(({ isWanted }) => isWanted).map(({ attempt }) => attempt);
    const atMs = nowMs();
    // A process that was cut off itself must not judge others, who may have been cut off with it.
    const mayJudge = this.#lastMs !== null && atMs - this.#lastMs < DEAD_MS;
    const { current, silent } = await ledger.beatShards(wanted, mayJudge ? DEAD_MS : null);
    this.#lastMs = atMs;
    const held = new Set(current);
    for (const { attempt } of readers) if (!held.has(attempt)) this.#own.get(attempt)?.abort();
    await Promise.all(silent.map((reader) => this.#restart(reader)));
  }

  async keep(signal: AbortSignal): Promise<void> {
    for (let isFailing = false; !signal.aborted; ) {
      const err = await this.beat().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      // An outage fails many beats; the first one is logged.
      if (err !== null && !isFailing) this.#options.log.warn('the beats of shards fail', { err });
      isFailing = err !== null;
      await pause(BEAT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #restart({ shard, attempt }: ShardReader): Promise<void> {
    const { ledger, runs, log } = this.#options;
    if (await runs.isWanted(attempt)) {
      log.warn('a shard whose worker is gone goes to another worker', { shard });
      return runs.fail(attempt);
    }
    const running = await runs.running(shard);
    // An attempt that has never sent a report may not have reached its worker yet. It gets as much time for its first report as others get
    // for their next one.
    if (running !== null && !running.isWatched)
      await ledger.replaceReader({ shard, attempt: running.attempt }, attempt);
  }
}
