import type { IssueCode } from '../../domain/record/issue.ts';
import type { Intake } from '../../intake/intake.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';

export type RetryOrder = {
  readonly code: IssueCode;
  /** The maximum number of records to retry. If more wait, the most recently changed ones are retried. */
  readonly limit: number;
  /** Whether to retry the records. If false, they are only listed. */
  readonly isOrdered: boolean;
};

export type RecordsRetried = {
  readonly shape: 'inbox-retry/1';
  readonly tenant: string;
  readonly code: IssueCode;
  /** The number of all records that wait because of the issue `code`. */
  readonly waiting: number;
  /** The records that are retried or, if `isOrdered` is false, that would be retried. */
  readonly records: readonly {
    readonly key: string;
    readonly crmId: string | null;
    readonly vendorId: string | null;
    /** The Temporal id of the record's workflow; null if nothing was retried. */
    readonly workflowId: string | null;
  }[];
};

export type RetryPorts = {
  /** Connects to Temporal. Called only if a record is retried. */
  readonly intake: () => Promise<Pick<Intake, 'requestSync'>>;
  readonly ledger: Pick<LinkLedger, 'countByIssue' | 'listLinks'>;
};

/**
 * Retries up to `limit` records that wait because of one issue: reads them again, and sends again the values that were refused. Returns the
 * records. Without `isOrdered`, only lists them.
 */
export async function retryRecords(
  { intake, ledger }: RetryPorts,
  tenant: string,
  { code, limit, isOrdered }: RetryOrder,
  at: string,
): Promise<RecordsRetried> {
  const counted = (await ledger.countByIssue(tenant)).find((cause) => cause.code === code);
  const rows = await ledger.listLinks(tenant, { code, limit });
  const led = isOrdered && rows.length > 0 ? await intake() : null;
  const records: RecordsRetried['records'][number][] = [];
  for (const { key, crmId, vendorId } of rows) {
    const ids = crmId !== null ? { crmId } : vendorId !== null ? { vendorId } : null;
    if (ids === null) continue;
    const woken = led === null ? null : await led.requestSync(tenant, ids, at);
    records.push({ key, crmId, vendorId, workflowId: woken?.workflowId ?? null });
  }
  return { shape: 'inbox-retry/1', tenant, code, waiting: counted?.records ?? 0, records };
}
