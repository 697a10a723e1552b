import { sql } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../../domain/record/asked.ts';
import { MANUAL_RETRY } from '../../domain/record/link.ts';
import type { Statement } from '../core/store.ts';
import type { LinkLedger } from './link-ledger.ts';

export const acceptSyncRequest: Statement<LinkLedger, 'acceptSyncRequest'> = async (store, tenant, key, asked, at) => {
  const { numAffectedRows = 0n } = await sql`update links
    set asked_at = ${asked}::timestamptz, retry_at = ${MANUAL_RETRY}::timestamptz, generation = generation + 1,
      vendor_generation = case when vendor_id is null then vendor_generation else generation + 1 end,
      due_since = coalesce(due_since, ${at}::timestamptz), marked_at = greatest(marked_at, ${at}::timestamptz)
    where tenant = ${tenant} and key = ${key} and (asked_at is null or asked_at < ${asked}::timestamptz
      or asked_at > ${at}::timestamptz + ${CLOCKS_DIFFER_MS} * interval '1 millisecond')`.execute(store.db);
  return numAffectedRows > 0n;
};

export const retryIssue: Statement<LinkLedger, 'retryIssue'> = async (store, tenant, code, at) => {
  await sql`update links set retry_at = ${at}::timestamptz
    where tenant = ${tenant} and issue_codes <> '{}' and issue_codes @> array[${code}] and state <> 'superseded'
      and (retry_at is null or retry_at > ${at}::timestamptz)`.execute(store.db);
};

export const forgetRefusals: Statement<LinkLedger, 'forgetRefusals'> = async (store, tenant, key) => {
  await store.db
    .updateTable('links')
    .set({ retry_at: MANUAL_RETRY })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
};
