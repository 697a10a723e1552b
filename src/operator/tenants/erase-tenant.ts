import type { TenantWorkflows } from '../../intake/tenant-workflows.ts';
import type { DestroyedKey } from '../../ledger/tenants/erase.ts';
import type { TenantLedger } from '../../ledger/tenants/tenant-ledger.ts';
import { UnknownTenant } from './tenant-state.ts';

export type ErasePorts = {
  readonly ledger: Pick<TenantLedger, 'tenantRows' | 'eraseTenant' | 'tenantsSince' | 'destroyedKeys'>;
  readonly workflows: TenantWorkflows;
  readonly pause: (ms: number) => Promise<void>;
  readonly now: () => string;
};

/** What there is of a tenant, or was and is erased. */
export type TenantErased = {
  readonly shape: 'tenant-erased/1';
  readonly tenant: string;
  /** False where it was only told what there is. */
  readonly applied: boolean;
  /** Rows of the ledger, by table: those that there are, or that were erased. */
  readonly rows: Readonly<Record<string, number>>;
  /** Its data keys that were destroyed: what they had sealed, in backups too, nobody can open without them. */
  readonly destroyedKeys: readonly DestroyedKey[];
  /** Rows and workflows that were found after all was erased: zero is the proof. */
  readonly remaining: { readonly rows: number; readonly workflows: number };
  /** When that was counted, ISO. */
  readonly at: string;
};

/** So long after it was removed nothing comes in of a tenant: workers and receivers have left it, and what was under way has ended. */
const QUIET_MS = 20_000;
const POLL_MS = 2_000;
const MOST_POLLS = 150;

/**
 * Erases all that ledger and Temporal have of a tenant that was removed, again until nothing comes in any more; or tells, unless it is
 * `yes`, what there is. Its name stays, with that it was removed. Throws `UnknownTenant` where it is not in the registry, or is to be
 * erased in service.
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
  for (let look = 0; look < MOST_POLLS; look += 1) {
    // Temporal does one such thing at a time: what it does not take now is told to it again.
    if (remaining.workflows > 0) await workflows.forget(tenant).catch(() => undefined);
    for (const [table, n] of Object.entries((await ledger.eraseTenant(tenant)) ?? {}))
      erased[table] = (erased[table] ?? 0) + n;
    await pause(POLL_MS);
    remaining = await left();
    const isQuiet = Date.parse(now()) - Date.parse(row.changedAt) >= QUIET_MS;
    if (isQuiet && remaining.rows + remaining.workflows === 0) break;
  }
  return { shape, tenant, applied: true, rows: erased, ...(await proof()), remaining, at: now() };
}

function total(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((sum, n) => sum + n, 0);
}
