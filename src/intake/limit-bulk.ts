import { inTurns } from '../platform/in-turns.ts';
import { TimeLimitError, withinTime } from '../platform/time-limit.ts';
import type { Intake } from './intake.ts';

/** From this many records, a batch counts as large and takes turns. */
const MASS = 20;

export type MassLimits = {
  /** The most large batches that are stored at once, across tenants; the other connections are left to lone changes. */
  readonly massesStored: number;
  /** The most large batches that are signalled at once, because Temporal accepts signals one after the other. */
  readonly massesWoken: number;
  /** The longest time that waking large batches waits for large batches to be stored. */
  readonly storesFirstMs: number;
};

/**
 * The intake with a limit on large batches; small ones pass. Storing precedes waking, for `storesFirstMs` at most, because senders wait for
 * the storing while woken workflows slow the machine.
 */
export function limitBulk<T extends Pick<Intake, 'recordDeliveries' | 'wake'>>(
  intake: T,
  { massesStored, massesWoken, storesFirstMs }: MassLimits,
): T {
  const [storing, waking] = [inTurns(massesStored), inTurns(massesWoken)];
  let stores = 0;
  let quiet = Promise.withResolvers<void>();
  const stored = async <Stored>(store: () => Promise<Stored>): Promise<Stored> => {
    stores += 1;
    try {
      return await storing(store);
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
    ...intake,
    recordDeliveries: (tenant, deliveries, at) => {
      const store = () => intake.recordDeliveries(tenant, deliveries, at);
      const records = deliveries.reduce((sum, { crmIds }) => sum + crmIds.length, 0);
      return records < MASS ? store() : stored(store);
    },
    wake: async (tenant, keys, cause, how) => {
      const wake = () => intake.wake(tenant, keys, cause, how);
      if (keys.length < MASS) return wake();
      await whenStored();
      return waking(wake);
    },
  };
}
