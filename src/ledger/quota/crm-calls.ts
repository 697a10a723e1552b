import { sql } from 'kysely';
import type { CrmUse } from '../../domain/loop/crm-budget.ts';
import { plainly, type Store } from '../core/store.ts';
import type { BudgetLedger, CrmCalls } from './quota-ledger.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function budgetCalls(store: Store): BudgetLedger {
  return {
    noteCrmCalls: async (calls, at) => {
      if (calls.length > 0) await plainly(() => noteCrmCalls(store, calls, at));
    },
    crmUse: async (tenants, at) => (tenants.length === 0 ? new Map() : plainly(() => crmUse(store, tenants, at))),
    forgetCrmCalls: (at) =>
      plainly(async () => {
        await sql`delete from crm_calls where hour < ${aDayBefore(at)}`.execute(store.db);
      }),
  };
}

/** The start of the hour one day before `at`. The ledger counts calls by hour, so the counted period is up to an hour longer than a day. */
function aDayBefore(at: string): string {
  return new Date(Date.parse(hourOf(at)) - DAY_MS).toISOString();
}

function hourOf(at: string): string {
  return new Date(Math.floor(Date.parse(at) / HOUR_MS) * HOUR_MS).toISOString();
}

/**
 * Adds API calls to the counts, in the order of the tenants, so that concurrent processes wait for each other instead of deadlocking. If
 * Salesforce reported several limits in one hour, the newest one counts.
 */
async function noteCrmCalls({ db }: Store, calls: readonly CrmCalls[], at: string): Promise<void> {
  const hour = hourOf(at);
  const rows = calls.toSorted((one, other) => (one.tenant < other.tenant ? -1 : 1));
  await db
    .insertInto('crm_calls')
    .values(
      rows.map(({ tenant, calls: made, orgUse }) => ({
        ...{ tenant, hour, calls: made },
        ...{ used: orgUse?.used ?? null, org_limit: orgUse?.limit ?? null, reported_at: orgUse?.at ?? null },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'hour']).doUpdateSet(() => {
        const isNewer = sql<boolean>`excluded.reported_at is not null and (crm_calls.reported_at is null or excluded.reported_at >= crm_calls.reported_at)`;
        return {
          calls: sql<number>`crm_calls.calls + excluded.calls`,
          used: sql<number>`case when ${isNewer} then excluded.used else crm_calls.used end`,
          org_limit: sql<number>`case when ${isNewer} then excluded.org_limit else crm_calls.org_limit end`,
          reported_at: sql<string>`case when ${isNewer} then excluded.reported_at else crm_calls.reported_at end`,
        };
      }),
    )
    .execute();
}

type UseRow = {
  readonly tenant: string;
  readonly own: string;
  readonly used: string | null;
  readonly org_limit: string | null;
};

/** Reads the counts of API calls of the last day. Uses the primary key, and reads at most 25 rows of a tenant. */
async function crmUse({ db }: Store, tenants: readonly string[], at: string): Promise<ReadonlyMap<string, CrmUse>> {
  const { rows } = await sql<UseRow>`
    select tenant, sum(calls) as own,
      (array_agg(used order by reported_at desc) filter (where reported_at is not null))[1] as used,
      (array_agg(org_limit order by reported_at desc) filter (where reported_at is not null))[1] as org_limit
    from crm_calls where tenant = any(${tenants}) and hour >= ${aDayBefore(at)}
    group by tenant`.execute(db);
  return new Map(
    rows.map(({ tenant, own, used, org_limit: limit }) => [
      tenant,
      {
        own: Number(own),
        orgUse: used === null || limit === null ? null : { used: Number(used), limit: Number(limit) },
      },
    ]),
  );
}
