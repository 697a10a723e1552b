import type { TenantStates } from '../../domain/notices/state.ts';
import type { BudgetLedger } from '../../ledger/quota/quota-ledger.ts';
import type { FleetLedger, StatusLedger } from '../../ledger/stats/stats-ledger.ts';
import type { KeyLedger } from '../../ledger/tenants/key-ledger.ts';
import type { TenantLedger } from '../../ledger/tenants/tenant-ledger.ts';
import { reportedSince } from '../../platform/live-roster.ts';
import type { StatusTenant } from '../status/status.ts';
import { readKept } from '../status/status-facts.ts';
import { statesElsewhere, statesOf } from './states-of.ts';

export type StatesLedger = Pick<
  StatusLedger,
  'streamReadsOf' | 'pausesOf' | 'quotasOf' | 'countByIssueOf' | 'refusedNoticesOf'
> &
  Pick<FleetLedger, 'cursorParts'> &
  Pick<BudgetLedger, 'crmUse'> &
  Pick<KeyLedger, 'waitingKeysOf'> &
  Pick<TenantLedger, 'unavailableTenants'>;

/** A tenant whose states are read. `served`: the tenant's settings in this process; null if this process cannot serve the tenant. */
export type WatchedTenant = { readonly tenant: string; readonly served: StatusTenant | null };

/**
 * Reads the present states (such as a pause) of tenants, and returns them by tenant name. Sends nine SQL statements, one after the other,
 * for any number of tenants. `now`: ISO.
 */
export async function readStates(
  ledger: StatesLedger,
  tenants: readonly WatchedTenant[],
  now: string,
): Promise<ReadonlyMap<string, TenantStates>> {
  const served = tenants.flatMap(({ tenant, served: own }) => (own === null ? [] : [tenant]));
  const unavailable = new Set((await ledger.unavailableTenants(reportedSince(now))).map(({ tenant }) => tenant));
  // One after the other, so that most connections of the process stay free for the sync.
  const reads = await ledger.streamReadsOf(served);
  const pauses = await ledger.pausesOf(served);
  const quotas = await ledger.quotasOf(served);
  const issues = await ledger.countByIssueOf(served);
  const refusedNotices = await ledger.refusedNoticesOf(served);
  const crmUse = await ledger.crmUse(served, now);
  const keys = await ledger.waitingKeysOf(served);
  const kept = await readKept(ledger, served);
  return new Map(
    tenants.map(({ tenant, served: own }) => {
      const isUnavailable = unavailable.has(tenant);
      if (own === null) return [tenant, statesElsewhere({ isUnavailable })];
      const facts = {
        ...{ isUnavailable, keySince: keys.get(tenant) ?? null, kept: kept(tenant) },
        ...{ reads: reads.get(tenant) ?? [], pauses: pauses.get(tenant) ?? [], quotas: quotas.get(tenant) ?? [] },
        ...{ issues: issues.get(tenant) ?? [], refusedNotices: refusedNotices.get(tenant) ?? [] },
        crmUse: crmUse.get(tenant),
      };
      return [tenant, statesOf(own, facts, now)];
    }),
  );
}
