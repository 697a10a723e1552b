import { inTurns } from '../platform/in-turns.ts';
import { TimeLimitError, withinTime } from '../platform/time-limit.ts';
import type { Intake } from './intake.ts';

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

/**
 * The same intake, in which what is about many records waits for its turn, and nothing else does. Where many tenants replay, all is stored
 * before it is woken, for so long at most: senders wait for the one, and what is woken takes the machine from the other.
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
