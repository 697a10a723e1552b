import { sql } from 'kysely';
import { openOrNull, type Place, place } from '../core/sealer.ts';
import type { Statement } from '../core/store.ts';
import type { KeyLedger } from './key-ledger.ts';

type Data = {
  in_use: Buffer | null;
  in_use_hash: string | null;
  previous: Buffer | null;
  waiting: Buffer | null;
  waiting_hash: string | null;
  asked_at: Date | null;
  waiting_since: Date | null;
  switched_at: Date | null;
  proven_at: Date | null;
};

export const vendorKeys: Statement<KeyLedger, 'vendorKeys'> = async (store, tenant) => {
  const { rows } =
    await sql<Data>`select in_use, in_use_hash, previous, waiting, waiting_hash, asked_at, waiting_since,
      switched_at, proven_at
    from vendor_keys where tenant = ${tenant}`.execute(store.db);
  const [row] = rows;
  if (row === undefined) return null;
  const open = (sealed: Buffer | null): string | null => openOrNull(store.sealer, sealed, placeOf(tenant));
  const waiting = open(row.waiting);
  return {
    inUse: open(row.in_use),
    inUseHash: row.in_use_hash,
    previous: open(row.previous),
    waiting: waiting === null ? null : { apiKey: waiting, hashedKey: row.waiting_hash ?? '' },
    askedAt: row.asked_at?.toISOString() ?? null,
    waitingSince: row.waiting_since?.toISOString() ?? null,
    switchedAt: row.switched_at?.toISOString() ?? null,
    provenAt: row.proven_at?.toISOString() ?? null,
  };
};

export const askForKey: Statement<KeyLedger, 'askForKey'> = async (store, tenant, at) => {
  const { numAffectedRows = 0n } =
    await sql`insert into vendor_keys (tenant, asked_at) values (${tenant}, ${at})
    on conflict (tenant) do update set asked_at = excluded.asked_at where vendor_keys.waiting is null`.execute(
      store.db,
    );
  return numAffectedRows > 0n;
};

export const keepKey: Statement<KeyLedger, 'keepKey'> = async (store, tenant, { apiKey, hashedKey }, at) => {
  const sealed = store.sealer.seal(apiKey, placeOf(tenant));
  const { numAffectedRows = 0n } = await sql`
    insert into vendor_keys (tenant, waiting, waiting_hash, waiting_since)
    values (${tenant}, ${sealed}, ${hashedKey}, ${at})
    on conflict (tenant) do update
    set waiting = excluded.waiting, waiting_hash = excluded.waiting_hash, waiting_since = excluded.waiting_since
    where vendor_keys.waiting is null`.execute(store.db);
  return numAffectedRows > 0n;
};

export const switchKey: Statement<KeyLedger, 'switchKey'> = async (store, tenant, hashedKey, at) => {
  const { numAffectedRows = 0n } = await sql`update vendor_keys
    set previous = in_use, in_use = waiting, in_use_hash = waiting_hash, waiting = null, waiting_hash = null, waiting_since = null,
      switched_at = ${at}, proven_at = null
    where tenant = ${tenant} and waiting is not null and waiting_hash = ${hashedKey}`.execute(store.db);
  return numAffectedRows > 0n;
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

export const setKey: Statement<KeyLedger, 'setKey'> = async (store, tenant, apiKey, at) => {
  const sealed = store.sealer.seal(apiKey, placeOf(tenant));
  await sql`insert into vendor_keys (tenant, in_use, switched_at) values (${tenant}, ${sealed}, ${at})
    on conflict (tenant) do update
    set previous = vendor_keys.in_use, in_use = excluded.in_use, in_use_hash = null, waiting = null, waiting_hash = null,
      waiting_since = null, switched_at = excluded.switched_at, proven_at = null`.execute(store.db);
};

/** All of a tenant's vendor keys share one place, because a sealed key moves from one column to another. */
function placeOf(tenant: string): Place {
  return place(tenant, 'vendor_keys', 'key');
}
