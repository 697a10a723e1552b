import { sql } from 'kysely';
import type { IssueCode } from '../../domain/record/issue.ts';
import { MANUAL_RETRY } from '../../domain/record/link.ts';
import type { Store } from '../core/store.ts';

/**
 * Accepts a sync request that a person made in the CRM at `asked`: forgets refusals and marks both sides due. False if this request, or a
 * later one, was accepted before. `asked` and `at` are ISO.
 */
export async function acceptSyncRequest(
  store: Store,
  tenant: string,
  key: string,
  asked: string,
  at: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update links
    set asked_at = ${asked}::timestamptz, refused_fingerprint = null, crm_refused_fingerprint = null,
      retry_at = ${MANUAL_RETRY}::timestamptz, generation = generation + 1,
      vendor_generation = case when vendor_id is null then vendor_generation else generation + 1 end,
      due_since = coalesce(due_since, ${at}::timestamptz), marked_at = greatest(marked_at, ${at}::timestamptz)
    where tenant = ${tenant} and key = ${key} and (asked_at is null or asked_at < ${asked}::timestamptz)`.execute(
    store.db,
  );
  return numAffectedRows > 0n;
}

/** Retries all records with an issue of this code at `at` (ISO), unless they are retried earlier. */
export async function retryIssue(store: Store, tenant: string, code: IssueCode, at: string): Promise<void> {
  await sql`update links set retry_at = ${at}::timestamptz
    where tenant = ${tenant} and issue_codes <> '{}' and issue_codes @> array[${code}] and state <> 'superseded'
      and (retry_at is null or retry_at > ${at}::timestamptz)`.execute(store.db);
}

export async function forgetRefusals(store: Store, tenant: string, key: string): Promise<void> {
  await store.db
    .updateTable('links')
    .set({ refused_fingerprint: null, crm_refused_fingerprint: null, retry_at: MANUAL_RETRY })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
}
