import { inTurns } from '../platform/in-turns.ts';
import { TimeLimitError, withinTime } from '../platform/time-limit.ts';

/** A batch with at least this many records is large. Smaller batches are never limited here. */
const MASS = 20;

export type MassLimits = {
  /**
   * The maximum number of large batches, of all tenants together, that are stored at the same time. Other database connections remain free
   * for changes of single records.
   */
  readonly massesStored: number;
  /**
   * The maximum number of large batches whose records are signalled at the same time. A higher number would not be faster, because Temporal
   * accepts signals one after the other.
   */
  readonly massesWoken: number;
  /**
   * The maximum time, in ms, for which the signals to the records of a large batch wait while other large batches are being stored. Storing
   * has precedence, because senders wait until their deliveries are stored.
   */
  readonly storesFirstMs: number;
};

/** Limits how many large batches of all tenants are processed at the same time. Work on small batches runs at once. */
export interface BulkLimit {
  /** Runs `work`, which stores a batch of `records` records, within the limit for large batches. */
  store<T>(records: number, work: () => Promise<T>): Promise<T>;
  wake<T>(records: number, work: () => Promise<T>): Promise<T>;
}

/**
 * Creates the limit on large batches. Storing has precedence over waking (signalling the records' workflows), because senders wait until
 * their deliveries are stored. A large batch is woken when no large batch is being stored any more, or after `storesFirstMs`.
 */
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
