import { inTurns } from '../platform/in-turns.ts';
import { TimeLimitError, withinTime } from '../platform/time-limit.ts';

/** So many records that go together have others wait for them: a full Outbound Message, or many small ones. */
const MASS = 20;

export type MassLimits = {
  /** Batches of many records that are stored at once, of all tenants together; the connections that are left are for lone changes. */
  readonly massesStored: number;
  /** The same of what is woken: Temporal takes signals one after the other too. */
  readonly massesWoken: number;
  /** While batches of many records are stored, none is woken, for so long at most. */
  readonly storesFirstMs: number;
};

/** Work on many records runs in its turn, of all tenants together; work on few runs at once. */
export interface BulkLimit {
  /** Stores a batch of so many records. */
  store<T>(records: number, work: () => Promise<T>): Promise<T>;
  /** Wakes so many records. */
  wake<T>(records: number, work: () => Promise<T>): Promise<T>;
}

/**
 * Where many tenants replay, all is stored before it is woken, for so long at most: senders wait for the store, and what is woken takes
 * the machine from it.
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
