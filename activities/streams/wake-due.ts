import type { ActivityDeps } from '../support/deps.ts';
import type { TenantArgs } from './vendor-changes.ts';

/** A link that is due for this long has lost its poke, or its workflow: it gets another. */
const OVERDUE_MS = 120_000;
const OVERDUE_BATCH = 200;
/** Salesforce redelivers for a day; an hour more tells a late redelivery from a new message. */
const DELIVERY_MEMORY_MS = 25 * 3_600_000;
/** Records woken a second when a tenant comes back from an outage. */
const DRAIN_BATCH = 20;

/** Pokes what has been due for long, whoever noticed it: the net under every lost signal. Forgets old deliveries. */
export function createPokeOverdue(deps: ActivityDeps) {
  return async function pokeOverdue({ tenant }: TenantArgs): Promise<{ poked: number }> {
    const now = Date.parse(deps.now());
    await deps.ledger.forgetDeliveries(tenant, new Date(now - DELIVERY_MEMORY_MS).toISOString());
    const before = new Date(now - OVERDUE_MS).toISOString();
    return { poked: await pokeDue(deps, tenant, OVERDUE_BATCH, before) };
  };
}

/**
 * Wakes what was marked due by a run that died before it had woken them: nobody else would before they are overdue.
 * Records that work already is under way for look once more, which does no harm.
 */
export async function pokeForgotten(deps: ActivityDeps, tenant: string): Promise<void> {
  await pokeDue(deps, tenant, OVERDUE_BATCH, deps.now());
}

/** Wakes a bounded number of the records that waited for an outage to end. */
export function createDrainDue(deps: ActivityDeps) {
  return async function drainDue({
    tenant,
    before,
  }: TenantArgs & { readonly before: string }): Promise<{ poked: number; more: boolean }> {
    const poked = await pokeDue(deps, tenant, DRAIN_BATCH, before);
    return { poked, more: poked === DRAIN_BATCH };
  };
}

async function pokeDue(deps: ActivityDeps, tenant: string, limit: number, before: string): Promise<number> {
  if ((await deps.ledger.pauses(tenant)).length > 0) return 0;
  const keys = await deps.ledger.dueKeys(tenant, limit, before);
  if (keys.length === 0) return 0;
  await deps.poke(tenant, keys, 'any');
  await deps.ledger.markPoked(tenant, keys, deps.now());
  return keys.length;
}
