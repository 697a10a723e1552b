import { inTurns } from '../platform/in-turns.ts';
import { TimeLimitError, withinTime } from '../platform/time-limit.ts';

/** From this many records, a batch counts as large and its work is limited. */
const MASS = 20;

export type MassLimits = {
  /** The most large batches that are stored at once, across tenants. The other connections are left to lone changes. */
  readonly massesStored: number;
  /** The most large batches that are signalled at once, because Temporal accepts signals one after the other. */
  readonly massesWoken: number;
  /** How long, in ms, large batches to be woken wait at most while other large batches are stored. */
  readonly storesFirstMs: number;
};

/** Limits concurrent work on large batches across tenants. Work on small batches runs at once. */
export interface BulkLimit {
  /** Runs `work`, which stores a batch of `records` records. */
  store<T>(records: number, work: () => Promise<T>): Promise<T>;
  wake<T>(records: number, work: () => Promise<T>): Promise<T>;
}

/** Makes the limit on large batches. Storing goes before waking, for at most `storesFirstMs`, because senders wait for it. */
export function limitBulk({ massesStored, massesWoken, storesFirstMs }: MassLimits): BulkLimit {
  const [storing, waking] = [inTurns(massesStored), inTurns(massesWoken)];
  let stores = 0;
  let quiet = Promise.withResolvers<void>();
  const stored = async <T>(work: () => Promise<T>): Promise<T> => {
    stores += 1;
    try {
      return await storing(work);
    } finally {
      stores -= 1;
      if (stores === 0) {
        quiet.resolve();
        quiet = Promise.withResolvers();
      }
    }
  };
  const whenStored = async (): Promise<void> => {
    if (stores === 0) return;
    await withinTime(quiet.promise, storesFirstMs).catch((error: unknown) => {
      if (!(error instanceof TimeLimitError)) throw error;
    });
  };
  return {
    store: (records, work) => (records < MASS ? work() : stored(work)),
    wake: async (records, work) => {
      if (records < MASS) return work();
      await whenStored();
      return waking(work);
    },
  };
}
