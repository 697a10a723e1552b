import type { OperationGroup } from '../domain/loop/operation-groups.ts';
import type { Store } from './store.ts';

/** True when the group was running before; a second pause keeps the first one's reason and time. */
export async function pause(
  store: Store,
  tenant: string,
  group: OperationGroup,
  reason: string,
  at: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await store.db
    .insertInto('pauses')
    .values({ tenant, domain: group, reason, since: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function resume(store: Store, tenant: string, group: OperationGroup): Promise<void> {
  await store.db.deleteFrom('pauses').where('tenant', '=', tenant).where('domain', '=', group).execute();
}

export async function pauses(
  store: Store,
  tenant: string,
): Promise<readonly { group: OperationGroup; reason: string; since: string }[]> {
  const rows = await store.db
    .selectFrom('pauses')
    .select(['domain', 'reason', 'since'])
    .where('tenant', '=', tenant)
    .orderBy('domain')
    .execute();
  return rows.map((row) => ({ group: row.domain, reason: row.reason, since: row.since.toISOString() }));
}

/** One statement however many tenants there are. `since`: ISO. */
export async function pausedTenants(
  store: Store,
  group: OperationGroup,
): Promise<readonly { tenant: string; since: string }[]> {
  const rows = await store.db
    .selectFrom('pauses')
    .select(['tenant', 'since'])
    .where('domain', '=', group)
    .orderBy('tenant')
    .execute();
  return rows.map(({ tenant, since }) => ({ tenant, since: since.toISOString() }));
}
