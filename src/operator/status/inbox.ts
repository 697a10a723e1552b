import type { Issue, IssueCode } from '../../domain/record/issue.ts';
import { ISSUE_CATALOG } from '../../domain/record/issue-catalog.ts';
import type { LinkLedger, LinkRow } from '../../ledger/links/link-ledger.ts';
import type { NewsLedger } from '../../ledger/mirror/news-ledger.ts';
import { type OwnerNotices, withRepair } from './owner-notices.ts';

/** One reason why records wait. */
export type Cause = {
  readonly code: IssueCode;
  readonly records: number;
  readonly meaning: string;
  readonly repair: string;
};

/** A record that waits; its issues hold names of fields, codes and repairs, no values. */
export type WaitingRecord = Pick<LinkRow, 'key' | 'crmId' | 'vendorId' | 'state' | 'updatedAt'> & {
  readonly issues: readonly Pick<Issue, 'code' | 'field' | 'message'>[];
};

export type Inbox = {
  readonly shape: 'inbox/1';
  readonly tenant: string;
  /** By how many records wait for them, most first. A record with several reasons counts for each. */
  readonly causes: readonly Cause[];
  /** Records of the cause that was asked for, or of the first ones; newest change first. */
  readonly records: readonly WaitingRecord[];
  /** Owners whom Salesforce does not let be told of their orders, by reason; none where some causes alone were asked for. */
  readonly ownerNotices: readonly OwnerNotices[];
};

export type InboxOrder = {
  /** These causes alone; null for all. */
  readonly codes: readonly IssueCode[] | null;
  /** Records of each cause at most. */
  readonly limit: number;
};

export type InboxLedger = Pick<LinkLedger, 'countByIssue' | 'listLinks'> & Pick<NewsLedger, 'refusedNotices'>;

/** Codes of what waits for somebody. */
export const WAITING_CODES = (Object.keys(ISSUE_CATALOG) as readonly IssueCode[]).filter(
  (code) => ISSUE_CATALOG[code].severity === 'waits',
);

/** What waits for somebody, by cause, in plain words with the repair. */
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
