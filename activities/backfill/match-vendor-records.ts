import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { createMatchVendorRecord } from './match-vendor-record.ts';

/** Seconds of the tenant's requests that one activity takes, and records at most. */
const SECONDS = 20;
const MOST = 100;
/** Requests that are under way together. */
const AT_ONCE = 10;

/**
 * Matches the next records of a backfill, many in one activity. What was matched is in the ledger, so that a second try goes on where
 * the first one failed. Fails where the vendor does, once what is under way has come to its end.
 */
export function createMatchVendorRecords(deps: ActivityDeps) {
  const matchOne = createMatchVendorRecord(deps);
  return async function matchVendorRecords({ tenant }: TenantArgs): Promise<void> {
    const { ratePerSecond } = deps.runtime(tenant).tenant.vendor;
    const most = Math.min(MOST, Math.max(AT_ONCE, Math.ceil(SECONDS * ratePerSecond)));
    const left = [...(await deps.ledger.toMatch(tenant, most))];
    const work = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        try {
          await matchOne({ tenant, vendorId: id });
        } catch (error) {
          left.length = 0;
          throw error;
        }
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
}
