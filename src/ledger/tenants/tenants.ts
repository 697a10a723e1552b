import { sql } from 'kysely';
import type { DeclaredState, TenantDeclaration } from '../../platform/tenant-declaration.ts';
import { AT_HAND_MS } from '../core/data-keys.ts';
import { type Place, place } from '../core/sealer.ts';
import { plainCalls, type Statement, type Store, transactionCalls } from '../core/store.ts';
import { LedgerError } from '../ledger-error.ts';
import { boundSecrets, unboundSecrets } from './bound-declaration.ts';
import { countRows, destroyedKeys, eraseRows } from './erase.ts';
import type { TenantLedger, UnavailableTenant } from './tenant-ledger.ts';

type Row = {
  tenant: string;
  declaration: Record<string, unknown>;
  mapping: string | null;
  secrets: Buffer | null;
  state: DeclaredState;
  version: number;
  change: string;
  changed_at: Date;
};

export function tenantCalls(store: Store): Omit<TenantLedger, 'exportTenant'> {
  return {
    ...plainCalls(store, {
      tenantsSince,
      tenantRows: countRows,
      destroyedKeys,
      eraseTenant: eraseRows,
      unavailableTenants,
    }),
    ...transactionCalls(store, { declareTenant, removeTenant, reportUnavailable }),
  };
}

const tenantsSince: Statement<TenantLedger, 'tenantsSince'> = async (store, change) => {
  const { rows } = await sql<Row>`
    select tenant, declaration, mapping, secrets, state, version, change, changed_at
    from tenants where change > ${change} order by change`.execute(store.db);
  await store.sealer.load(rows.flatMap(({ tenant, secrets }) => (secrets === null ? [] : [tenant])));
  return rows.map((row) => ({
    tenant: row.tenant,
    declaration: declarationOf(store, row),
    state: row.state,
    version: row.version,
    change: Number(row.change),
    changedAt: row.changed_at.toISOString(),
  }));
};

/**
 * A tenant's declaration with its secrets, which are empty for a removed tenant. Null if the secrets cannot be decrypted, or were encrypted
 * for another declaration.
 */
function declarationOf(
  { sealer }: Store,
  { tenant, declaration: content, mapping, secrets, state, version }: Row,
): TenantDeclaration | null {
  if (secrets === null) return state === 'removed' ? { content, mapping, secrets: {} } : null;
  try {
    const opened = sealer.open(secrets, placeOf(tenant)) as Record<string, string>;
    const own = unboundSecrets(opened, { content, mapping }, version);
    return own === null ? null : { content, mapping, secrets: own };
  } catch {
    return null;
  }
}

const declareTenant: Statement<TenantLedger, 'declareTenant'> = async (store, tenant, declaration, basedOn, at) => {
  if ((await lockedVersion(store, tenant)) !== basedOn) return null;
  await refuseJustErased(store, tenant);
  const { content, mapping } = declaration;
  const version = (basedOn ?? 0) + 1;
  const sealed = store.sealer.seal(boundSecrets(declaration, version), placeOf(tenant));
  const { rows } = await sql<{ version: number }>`
    insert into tenants (tenant, declaration, mapping, secrets, state, version, change, changed_at)
    values (${tenant}, ${JSON.stringify(content)}::jsonb, ${mapping}, ${sealed}, 'active', ${version}, ${nextChange}, ${at})
    on conflict (tenant) do update
    set declaration = excluded.declaration, mapping = excluded.mapping, secrets = excluded.secrets, state = 'active',
      version = excluded.version, change = excluded.change, changed_at = excluded.changed_at
    returning version`.execute(store.db);
  return rows[0]?.version ?? null;
};

/**
 * Refuses to declare a tenant again within two minutes of its erasure, by an error. Until then, another process may still have the
 * destroyed data key in its cache, and would encrypt values that could never be read.
 */
async function refuseJustErased({ db }: Store, tenant: string): Promise<void> {
  const { rows } = await sql`
    select from data_keys
    where tenant = ${tenant} and destroyed_at > now() - ${`${2 * AT_HAND_MS} milliseconds`}::interval`.execute(db);
  if (rows.length > 0)
    throw new LedgerError('JUST_ERASED', 'The tenant was erased a moment ago: declare it in two minutes.', true);
}

const removeTenant: Statement<TenantLedger, 'removeTenant'> = async (store, tenant, basedOn, at) => {
  if ((await lockedVersion(store, tenant)) !== basedOn) return false;
  await sql`update tenants
    set state = 'removed', secrets = null, version = version + 1, change = ${nextChange}, changed_at = ${at}
    where tenant = ${tenant}`.execute(store.db);
  return true;
};

const nextChange = sql`(select coalesce(max(change), 0) + 1 from tenants)`;

/**
 * Locks the registry (the table of tenants), and returns the version of the tenant's declaration; null if the tenant is unknown. Because of
 * the lock, other processes see changes in the order of their numbers.
 */
async function lockedVersion({ db }: Store, tenant: string): Promise<number | null> {
  await sql`lock table tenants in share row exclusive mode`.execute(db);
  const { rows } = await sql<{
    version: number;
  }>`select version from tenants where tenant = ${tenant}`.execute(db);
  return rows[0]?.version ?? null;
}

const reportUnavailable: Statement<TenantLedger, 'reportUnavailable'> = async ({ db }, process, unavailable, at) => {
  const names = unavailable.map(({ tenant }) => tenant);
  await sql`delete from tenant_reports where process = ${process} and tenant <> all(${names})`.execute(db);
  if (names.length === 0) return;
  await sql`insert into tenant_reports (tenant, process, reason, at)
    select tenant, ${process}, reason, ${at}::timestamptz
    from unnest(${names}::text[], ${unavailable.map(({ reason }) => reason)}::text[]) as reported (tenant, reason)
    on conflict (process, tenant) do update set reason = excluded.reason, at = excluded.at`.execute(db);
};

const unavailableTenants: Statement<TenantLedger, 'unavailableTenants'> = async ({ db }, since) => {
  const { rows } = await sql<UnavailableTenant & { process: string; at: Date }>`
    select tenant, reason, process, at from tenant_reports where at >= ${since}
    order by tenant, process`.execute(db);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
};

function placeOf(tenant: string): Place {
  return place(tenant, 'tenants', 'secrets');
}
