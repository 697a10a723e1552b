import { sql } from 'kysely';
import { SealingError } from '../../platform/sealing.ts';
import { DataKeyNeeded } from '../core/data-keys.ts';
import { type VendorKeyFacts, vendorKeyPlace } from '../core/sealed-columns.ts';
import { openOrNull, sealOrNull } from '../core/sealer.ts';
import type { Statement, Store } from '../core/store.ts';
import type { KeyLedger } from './key-ledger.ts';

type Row = VendorKeyFacts & {
  readonly in_use: Buffer | null;
  readonly previous: Buffer | null;
  readonly waiting: Buffer | null;
  readonly asked_at: Date | null;
  readonly proven_at: Date | null;
};
type Column = 'in_use' | 'previous' | 'waiting';

/**
 * Reads a tenant's keys for the vendor's API. Throws SealingError `refused` if an encrypted key was moved to another row, or if the columns
 * to which it is bound were changed.
 */
export const vendorKeys: Statement<KeyLedger, 'vendorKeys'> = async (store, tenant) => {
  const row = await rowOf(store, tenant);
  if (row === undefined) return null;
  const waiting = opened(store, row, 'waiting');
  return {
    inUse: opened(store, row, 'in_use'),
    inUseHash: row.in_use_hash,
    previous: opened(store, row, 'previous'),
    waiting: waiting === null ? null : { apiKey: waiting, hashedKey: row.waiting_hash ?? '' },
    askedAt: row.asked_at?.toISOString() ?? null,
    waitingSince: row.waiting_since?.toISOString() ?? null,
    switchedAt: row.switched_at?.toISOString() ?? null,
    provenAt: row.proven_at?.toISOString() ?? null,
  };
};

export const waitingKeysOf: Statement<KeyLedger, 'waitingKeysOf'> = async ({ db }, tenants) => {
  const { rows } = await sql<{ tenant: string; since: Date }>`
    select tenant, waiting_since as since from vendor_keys
    where tenant = any(${[...tenants]}::text[]) and waiting_hash is not null and waiting_since is not null`.execute(db);
  return new Map(rows.map(({ tenant, since }) => [tenant, since.toISOString()]));
};

async function rowOf(
  { db }: Store,
  tenant: string,
  { locked = false }: { readonly locked?: boolean } = {},
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select tenant, in_use, in_use_hash, previous, waiting, waiting_hash, asked_at, waiting_since, switched_at, proven_at
    from vendor_keys where tenant = ${tenant} ${locked ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}

function opened({ sealer }: Store, row: Row, column: Column): string | null {
  return openOrNull(sealer, row[column], vendorKeyPlace(column, row));
}

/**
 * Decrypts the API key in use, to store it as the previous key. Null if it cannot be decrypted, so that a new key can be put in use even
 * then. The tenant's data keys must be in the cache.
 */
function keyToKeep(store: Store, row: Row | undefined): string | null {
  try {
    return row === undefined ? null : opened(store, row, 'in_use');
  } catch (error) {
    if (error instanceof SealingError || error instanceof DataKeyNeeded) return null;
    throw error;
  }
}

export const askForKey: Statement<KeyLedger, 'askForKey'> = async (store, tenant, at) => {
  const { numAffectedRows = 0n } = await sql`insert into vendor_keys (tenant, asked_at) values (${tenant}, ${at})
    on conflict (tenant) do update set asked_at = excluded.asked_at where vendor_keys.waiting is null`.execute(
    store.db,
  );
  return numAffectedRows > 0n;
};

export const keepKey: Statement<KeyLedger, 'keepKey'> = async (store, tenant, { apiKey, hashedKey }, at) => {
  const facts = { ...NO_FACTS, tenant, waiting_hash: hashedKey, waiting_since: new Date(at) };
  const sealed = store.sealer.seal(apiKey, vendorKeyPlace('waiting', facts));
  const { numAffectedRows = 0n } = await sql`
    insert into vendor_keys (tenant, waiting, waiting_hash, waiting_since)
    values (${tenant}, ${sealed}, ${hashedKey}, ${at})
    on conflict (tenant) do update
    set waiting = excluded.waiting, waiting_hash = excluded.waiting_hash, waiting_since = excluded.waiting_since
    where vendor_keys.waiting is null`.execute(store.db);
  return numAffectedRows > 0n;
};

export const switchKey: Statement<KeyLedger, 'switchKey'> = async (store, tenant, hashedKey, at) => {
  const row = await rowOf(store, tenant, { locked: true });
  if (row === undefined || row.waiting_hash !== hashedKey) return false;
  const waiting = opened(store, row, 'waiting');
  if (waiting === null) return false;
  await use(store, row, { tenant, apiKey: waiting, hashedKey }, at);
  return true;
};

export const proveKey: Statement<KeyLedger, 'proveKey'> = async (store, tenant, hashedKey, at) => {
  await sql`update vendor_keys set proven_at = ${at}, previous = null
    where tenant = ${tenant} and in_use_hash = ${hashedKey}`.execute(store.db);
};

export const dropKey: Statement<KeyLedger, 'dropKey'> = async (store, tenant, hashedKey) => {
  const { numAffectedRows = 0n } = await sql`update vendor_keys
    set waiting = null, waiting_hash = null, waiting_since = null
    where tenant = ${tenant} and waiting is not null and waiting_hash = ${hashedKey}`.execute(store.db);
  return numAffectedRows > 0n;
};

/** Puts an API key in use that an operator entered. Runs inside a transaction, after the tenant's data keys were read into the cache. */
export const setKey: Statement<KeyLedger, 'setKey'> = async (store, tenant, apiKey, at) => {
  await sql`insert into vendor_keys (tenant) values (${tenant}) on conflict do nothing`.execute(store.db);
  const row = await rowOf(store, tenant, { locked: true });
  await use(store, row, { tenant, apiKey, hashedKey: null }, at);
};

const NO_FACTS = { in_use_hash: null, waiting_hash: null, waiting_since: null, switched_at: null } as const;

type KeyToUse = { readonly tenant: string; readonly apiKey: string; readonly hashedKey: string | null };

/** Puts an API key in use, stores the key that was in use until now as the previous key, and deletes the new key that waited. */
async function use(
  store: Store,
  before: Row | undefined,
  { tenant, apiKey, hashedKey }: KeyToUse,
  at: string,
): Promise<void> {
  const facts = { ...NO_FACTS, tenant, in_use_hash: hashedKey, switched_at: new Date(at) };
  const previous = sealOrNull(store.sealer, keyToKeep(store, before), vendorKeyPlace('previous', facts));
  await sql`update vendor_keys
    set in_use = ${store.sealer.seal(apiKey, vendorKeyPlace('in_use', facts))}, in_use_hash = ${hashedKey}, previous = ${previous},
      waiting = null, waiting_hash = null, waiting_since = null, switched_at = ${at}, proven_at = null
    where tenant = ${tenant}`.execute(store.db);
}
