import { activityInfo, log } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import { answersProbes } from '../outage/answers-probes.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { createMatchOne, type MatchVendorRecordArgs, NOTHING } from './match-vendor-record.ts';

/**
 * One activity matches as many vendor records as the tenant's request rate allows in this many seconds, but at least `AT_ONCE` and at most
 * `MOST`.
 */
const SECONDS = 20;
const MOST = 100;
const AT_ONCE = 10;
/**
 * After how many attempts in succession a backfill goes on without a record that the vendor cannot answer. Temporal retries after one
 * second, then after doubled intervals of up to a minute, so these attempts take about a quarter of an hour.
 */
const MOST_ATTEMPTS = 20;

/**
 * Matches one vendor record of a backfill with its opportunity. Rejects with the vendor's failure. If the vendor answers probes (cheap test
 * requests), but has not answered about this record in many attempts, the backfill goes on without it. The record's own workflow then
 * reports the fault.
 */
export function createMatchVendorRecord(deps: ActivityDeps) {
  const matchOne = createMatchOne(deps);
  return async function matchVendorRecord({ tenant, vendorId }: MatchVendorRecordArgs): Promise<void> {
    const failed = await matchOne({ tenant, vendorId });
    if (failed === null) return;
    if (!hasTriedEnough() || !(await answersProbes(deps, tenant, 'vendor-sales'))) throw failed;
    await goOnWithout(deps, tenant, [vendorId]);
  };
}

/**
 * Matches the next vendor records of a backfill with opportunities. A retry continues where the failed attempt stopped. If the vendor
 * answers probes (cheap test requests), but not about single records, these are matched after all others, and the backfill goes on without
 * them after many attempts. Rejects with the vendor's failure if no record was matched, or if the vendor answers no probes.
 */
export function createMatchVendorRecords(deps: ActivityDeps) {
  const matchOne = createMatchOne(deps);
  return async function matchVendorRecords({ tenant }: TenantArgs): Promise<void> {
    const { ratePerSecond } = deps.runtime(tenant).tenant.vendor;
    const most = Math.min(MOST, Math.max(AT_ONCE, Math.ceil(SECONDS * ratePerSecond)));
    const ids = await deps.ledger.toMatch(tenant, most);
    const { matched, failed } = await matchAll(ids, (vendorId) => matchOne({ tenant, vendorId }));
    const [failure] = failed.values();
    if (failure === undefined) return;
    if (!(await answersProbes(deps, tenant, 'vendor-sales'))) throw failure;
    if (matched > 0) return deps.ledger.matchLater(tenant, [...failed.keys()]);
    if (!hasTriedEnough()) throw failure;
    await goOnWithout(deps, tenant, [...failed.keys()]);
  };
}

type Ends = { readonly matched: number; readonly failed: ReadonlyMap<string, ApplicationFailure> };

/** Matches the records `AT_ONCE` at a time. Begins no more once the vendor has not answered about `AT_ONCE` of them. */
async function matchAll(
  ids: readonly string[],
  matchOne: (id: string) => Promise<ApplicationFailure | null>,
): Promise<Ends> {
  const left = [...ids];
  const failed = new Map<string, ApplicationFailure>();
  let matched = 0;
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined && failed.size < AT_ONCE; id = left.shift()) {
      try {
        const failure = await matchOne(id);
        if (failure === null) matched += 1;
        else failed.set(id, failure);
      } catch (error) {
        left.length = 0;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return { matched, failed };
}

function hasTriedEnough(): boolean {
  return activityInfo().attempt >= MOST_ATTEMPTS;
}

async function goOnWithout(deps: ActivityDeps, tenant: string, vendorIds: readonly string[]): Promise<void> {
  log.warn('a backfill goes on without records that the vendor does not answer', { tenant, records: vendorIds.length });
  for (const vendorId of vendorIds) await deps.ledger.noteMatched(tenant, vendorId, NOTHING);
}
