import type { IssueCode } from '../../domain/record/issue.ts';
import type { Intake } from '../../intake/intake.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';

export type RetryOrder = {
  readonly code: IssueCode;
  /** Records at most; those that changed last come first. */
  readonly limit: number;
  /** False: nothing is woken, and the answer tells what would be. */
  readonly isOrdered: boolean;
};

export type RecordsRetried = {
  readonly shape: 'inbox-retry/1';
  readonly tenant: string;
  readonly code: IssueCode;
  /** How many wait for this cause. */
  readonly waiting: number;
  /** Those that are sent again, or would be. */
  readonly records: readonly {
    readonly key: string;
    readonly crmId: string | null;
    readonly vendorId: string | null;
    /** The workflow that sends it; null in a preview. */
    readonly workflowId: string | null;
  }[];
};

export type RetryPorts = {
  /** Opened only where something is sent. */
  readonly intake: () => Promise<Pick<Intake, 'requestSync'>>;
  readonly ledger: Pick<LinkLedger, 'countByIssue' | 'listLinks'>;
};

/**
 * Has all records that wait for one cause sent again, as a person's word on each: what was refused is asked again, whatever
 * was answered before. At most `limit`, and none before it is ordered. `at` is an ISO instant.
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
