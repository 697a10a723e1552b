import type { TenantWorkflows } from '../../intake/tenant-workflows.ts';
import type { DestroyedKey, TenantLedger } from '../../ledger/tenants/tenant-ledger.ts';
import { UnknownTenant } from './tenant-state.ts';

export type ErasePorts = {
  readonly ledger: Pick<TenantLedger, 'tenantRows' | 'eraseTenant' | 'tenantsSince' | 'destroyedKeys'>;
  readonly workflows: Pick<TenantWorkflows, 'forget' | 'count'>;
  readonly pause: (ms: number) => Promise<void>;
  readonly now: () => string;
};

/** The numbers of a tenant's rows and workflows that were counted or erased. */
export type TenantErased = {
  readonly shape: 'tenant-erased/1';
  readonly tenant: string;
  /** Whether the tenant was erased; false for a preview. */
  readonly applied: boolean;
  /** Rows of the ledger by table: existing rows in a preview, else the erased rows. */
  readonly rows: Readonly<Record<string, number>>;
  /** The tenant's destroyed data keys. Data that they encrypted, also in backups, can never be decrypted again. */
  readonly destroyedKeys: readonly DestroyedKey[];
  /** How many rows and workflows of the tenant were left at the last count. After an erasure, zero proves that it is complete. */
  readonly remaining: { readonly rows: number; readonly workflows: number };
  /**
   * When the tenant's remaining rows and workflows were last counted, ISO. A preview counts once. An erasure counts again after each round,
   * because running work may still add data.
   */
  readonly at: string;
};

/**
 * For how long after a tenant's removal new rows may still appear, in ms. After this time, no worker or receiver serves the tenant any
 * more, and work that was running at the removal has ended.
 */
const QUIET_MS = 20_000;
const POLL_MS = 2_000;
const MOST_POLLS = 150;

/**
 * Erases a removed tenant's data from the ledger (Lockstep's database) and from Temporal, repeatedly until no new data appears, but for
 * about five minutes at most. Without `yes`, only counts the data. Throws `UnknownTenant` if there is no such tenant or, with `yes`, if the
 * tenant was not removed, or is added again meanwhile.
 */
export async function eraseTenant(
  { ledger, workflows, pause, now }: ErasePorts,
  tenant: string,
  { yes }: { readonly yes: boolean },
): Promise<TenantErased> {
  const row = (await ledger.tenantsSince(0)).find((one) => one.tenant === tenant);
  if (row === undefined) throw new UnknownTenant(`There is no tenant ${tenant} in the registry.`);
  if (yes && row.state !== 'removed')
    throw new UnknownTenant(`${tenant} is in service: lockstep tenants remove ${tenant} first.`);
  const shape = 'tenant-erased/1';
  const left = async () => ({
    rows: total(await ledger.tenantRows(tenant)),
    workflows: await workflows.count(tenant),
  });
  const proof = async () => ({ destroyedKeys: await ledger.destroyedKeys(tenant) });
  if (!yes) {
    const rows = await ledger.tenantRows(tenant);
    return { shape, tenant, applied: false, rows, ...(await proof()), remaining: await left(), at: now() };
  }
  const erased: Record<string, number> = {};
  let remaining = await left();
  for (let poll = 0; poll < MOST_POLLS; poll += 1) {
    const counts = await ledger.eraseTenant(tenant);
    if (counts === null)
      throw new UnknownTenant(`${tenant} was added again while its data was erased: no more of it is erased.`);
    for (const [table, n] of Object.entries(counts)) erased[table] = (erased[table] ?? 0) + n;
    // Temporal runs only one batch deletion at a time. If it refuses this deletion, the next round requests it again.
    if (remaining.workflows > 0) await workflows.forget(tenant).catch(() => undefined);
    await pause(POLL_MS);
    remaining = await left();
    if (quietInMs(row, now()) === 0 && remaining.rows + remaining.workflows === 0) break;
  }
  return { shape, tenant, applied: true, rows: erased, ...(await proof()), remaining, at: now() };
}

/** Waits until no new rows of a removed tenant appear any more. Does not wait if the tenant is not in the registry. */
export async function untilQuiet(
  { ledger, pause, now }: Pick<ErasePorts, 'pause' | 'now'> & { readonly ledger: Pick<TenantLedger, 'tenantsSince'> },
  tenant: string,
): Promise<void> {
  const row = (await ledger.tenantsSince(0)).find((one) => one.tenant === tenant);
  const ms = row === undefined ? 0 : quietInMs(row, now());
  if (ms > 0) await pause(ms);
}

/** In how many ms no new rows of a removed tenant appear any more; 0 if none appear now. */
function quietInMs({ changedAt }: { readonly changedAt: string }, now: string): number {
  return Math.max(0, QUIET_MS - (Date.parse(now) - Date.parse(changedAt)));
}

function total(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((sum, n) => sum + n, 0);
}
