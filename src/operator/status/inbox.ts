import type { Issue, IssueCode } from '../../domain/record/issue.ts';
import { ISSUE_CATALOG } from '../../domain/record/issue-catalog.ts';
import type { LinkLedger, LinkRow } from '../../ledger/links/link-ledger.ts';
import type { NewsLedger } from '../../ledger/mirror/news-ledger.ts';
import { type OwnerNotices, withRepair } from './owner-notices.ts';

/** One issue code, with the number of records that wait because of it, its meaning and its repair. */
export type Cause = {
  readonly code: IssueCode;
  readonly records: number;
  readonly meaning: string;
  readonly repair: string;
};

/** A record that waits until a user or operator acts. Its issues contain names of fields, codes and repairs, but no values. */
export type WaitingRecord = Pick<LinkRow, 'key' | 'crmId' | 'vendorId' | 'state' | 'updatedAt'> & {
  readonly issues: readonly Pick<Issue, 'code' | 'field' | 'message'>[];
};

export type Inbox = {
  readonly shape: 'inbox/1';
  readonly tenant: string;
  /** The issue codes, most frequent first. A record with several issues is counted under each of their codes. */
  readonly causes: readonly Cause[];
  /**
   * The waiting records, newest change first within each issue code, at most `limit` for each code. If the caller asks for certain codes,
   * only records with these codes.
   */
  readonly records: readonly WaitingRecord[];
  /**
   * Notices (messages to the owners of deals and orders) that Salesforce refuses, by reason. Empty if the caller asks for certain issue
   * codes, because a notice has no issue code.
   */
  readonly ownerNotices: readonly OwnerNotices[];
};

export type InboxOrder = {
  /** The only issue codes to list; null for all codes. */
  readonly codes: readonly IssueCode[] | null;
  /** The maximum number of records that are listed for each issue code. */
  readonly limit: number;
};

export type InboxLedger = Pick<LinkLedger, 'countByIssue' | 'listLinks'> & Pick<NewsLedger, 'refusedNotices'>;

export const WAITING_CODES = (Object.keys(ISSUE_CATALOG) as readonly IssueCode[]).filter(
  (code) => ISSUE_CATALOG[code].severity === 'waits',
);

/** Lists the issues that wait until a user or operator acts, by issue code, with meaning and repair. */
export async function readInbox(
  ledger: InboxLedger,
  tenant: string,
  { codes: only, limit }: InboxOrder,
): Promise<Inbox> {
  const counted = (await ledger.countByIssue(tenant)).filter(
    ({ code }) => WAITING_CODES.includes(code) && (only === null || only.includes(code)),
  );
  const records = new Map<string, WaitingRecord>();
  for (const { code } of counted)
    for (const row of await ledger.listLinks(tenant, { code, limit })) records.set(row.key, recordOf(row));
  return {
    shape: 'inbox/1',
    tenant,
    causes: counted.map(({ code, records: count }) => ({
      code,
      records: count,
      meaning: ISSUE_CATALOG[code].meaning,
      repair: ISSUE_CATALOG[code].repair,
    })),
    records: [...records.values()],
    ownerNotices: only === null ? (await ledger.refusedNotices(tenant)).map(withRepair) : [],
  };
}

function recordOf({ key, crmId, vendorId, state, updatedAt, issues }: LinkRow): WaitingRecord {
  const waiting = issues.filter(({ code }) => WAITING_CODES.includes(code));
  return {
    key,
    crmId,
    vendorId,
    state,
    updatedAt,
    issues: waiting.map(({ code, field, message }) => ({ code, field, message })),
  };
}
