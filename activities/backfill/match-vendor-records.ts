import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { createMatchVendorRecord } from './match-vendor-record.ts';

/**
 * One activity matches as many vendor records as the tenant's request rate allows in this many seconds, but at least `AT_ONCE` and at most
 * `MOST`.
 */
const SECONDS = 20;
const MOST = 100;
const AT_ONCE = 10;

/**
 * Matches the next vendor records of a backfill with opportunities. A retry continues where the failed attempt stopped. Rejects with the
 * vendor's failure.
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
