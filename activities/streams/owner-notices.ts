import { cancellationSignal, log } from '@temporalio/activity';
import { DEAL_NEWS, type DealNews, noticeOfDeal } from '../../src/domain/record/deal-news.ts';
import type { Notice, NoticeWay, OwnerNotice } from '../../src/domain/record/owner-notices.ts';
import type { DueNotice, NoticeOutcome } from '../../src/ledger/mirror/news-ledger.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import { noticeOfOrders, type OrderNews } from '../../src/mirror/orders/order-news.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import type { CrmNotice } from '../../src/salesforce/crm.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { isOfARow, reasonOf } from './crm-rows.ts';
import type { Reading, TakenPages } from './stream.ts';

/** How many opportunities one step handles, with one query, and one request for each opportunity. */
const BATCH = 10;

/**
 * A kind of news for opportunity owners: the object under which the ledger stores it, the function that makes the message, and the setting
 * that says how owners are notified.
 */
type NewsKind = {
  readonly object: string;
  readonly noticeOf: (news: readonly unknown[]) => Notice | null;
  readonly by: (tenant: Tenant) => OwnerNotice;
};

export const ORDER_NEWS: NewsKind = {
  object: ORDER_MIRROR.object,
  noticeOf: (news) => noticeOfOrders(news as readonly OrderNews[]),
  by: ({ orders }) => orders.notifyOwner,
};
/** News of the vendor's answers to deals, such as an acceptance. */
export const ANSWER_NEWS: NewsKind = {
  object: DEAL_NEWS,
  noticeOf: (news) => noticeOfDeal(news as readonly DealNews[]),
  by: ({ notify }) => notify.owner,
};

/**
 * Notifies opportunity owners of news, each once, in one batch. Null if there is no news or owners are not notified. Refused notices are
 * retried for a week.
 */
export async function notifyOwners(stream: Reading, kind: NewsKind): Promise<TakenPages | null> {
  const { deps, runtime } = stream;
  const { tenant } = runtime.tenant;
  const by = kind.by(runtime.tenant);
  if (by === 'none') return null;
  const due = await deps.ledger.dueNotices(tenant, kind.object, deps.now(), BATCH);
  if (due.length === 0) return null;
  const owners = await ownersOf(stream, due);
  let refused = 0;
  for (const notice of due) {
    const text = kind.noticeOf(notice.news);
    const owner = owners.get(notice.opportunityId);
    // A deleted opportunity has no owner to notify.
    const outcome = text === null || owner === undefined ? 'sent' : await send(stream, notice, { by, text, owner });
    if (outcome !== 'sent') refused += 1;
    await deps.ledger.settleNotice(tenant, notice.id, outcome, deps.now());
  }
  return { found: 0, refused, more: true };
}

async function ownersOf({ runtime }: Reading, due: readonly DueNotice[]): Promise<ReadonlyMap<string, string>> {
  const values = due.map(({ opportunityId }) => opportunityId);
  const of = { object: 'Opportunity', key: 'Id', values, fields: ['OwnerId'] };
  const rows = await runtime.crm.rowsWith(of, { signal: cancellationSignal() });
  return new Map(rows.map((row) => [String(row['Id']), String(row['OwnerId'])]));
}

type NoticeRow = Pick<CrmNotice, 'object' | 'fields'>;

/** The longest title and text of a bell notification, in characters (Actions: customNotificationAction). */
const [BELL_TITLE, BELL_BODY] = [250, 750];

const NOTICE_BY: Readonly<Record<NoticeWay, (text: Notice, opportunityId: string, owner: string) => NoticeRow>> = {
  task: ({ subject, body }, opportunityId, owner) => ({
    object: 'Task',
    fields: { WhatId: opportunityId, OwnerId: owner, Subject: subject, Description: body },
  }),
  bell: ({ subject, body }, opportunityId, owner) => ({
    object: null,
    fields: {
      Bell_Recipient__c: owner,
      Bell_Target__c: opportunityId,
      Bell_Title__c: subject.slice(0, BELL_TITLE),
      Bell_Body__c: body.slice(0, BELL_BODY),
    },
  }),
  chatter: ({ subject, body }, opportunityId) => ({
    object: 'FeedItem',
    fields: { ParentId: opportunityId, Body: `${subject}\n${body}` },
  }),
};

async function send(
  { runtime }: Reading,
  { id, opportunityId }: DueNotice,
  { by, text, owner }: { readonly by: NoticeWay; readonly text: Notice; readonly owner: string },
): Promise<NoticeOutcome> {
  const { crm } = runtime;
  try {
    await crm.notifyOnce({ key: id, ...NOTICE_BY[by](text, opportunityId, owner) }, { signal: cancellationSignal() });
    return 'sent';
  } catch (error) {
    if (!(error instanceof CrmError) || !isOfARow(error)) throw error;
    log.warn('an owner cannot be notified', { code: error.code, fields: error.fields });
    return { refused: reasonOf(error) };
  }
}
