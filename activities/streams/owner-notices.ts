import { cancellationSignal, log } from '@temporalio/activity';
import { DEAL_NEWS, type DealNews, noticeOfDeal } from '../../src/domain/record/deal-news.ts';
import type { Notice, NoticeWay, OwnerNotice } from '../../src/domain/record/owner-notices.ts';
import { isLeadId } from '../../src/domain/record/salesforce-id.ts';
import { beginning } from '../../src/domain/record/shown-text.ts';
import type { DueNotice, NoticeOutcome } from '../../src/ledger/mirror/news-ledger.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import { noticeOfOrders, type OrderNews } from '../../src/mirror/orders/order-news.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import type { CrmNotice } from '../../src/salesforce/crm.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { isOfARow, reasonOf } from './crm-rows.ts';
import type { Reading, StreamSource, TakenPages } from './stream.ts';

/** How many deals one step handles. A step sends at most one query for opportunities, one for leads, and one request for each deal. */
const BATCH = 10;

/**
 * A kind of news for the owners of opportunities: the object under which the ledger (Lockstep's database) stores the news, the function
 * that makes the message, and the tenant's setting for how owners are notified.
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
/** News of the vendor's answers to deals, such as an acceptance, for the owners of the deals. */
export const ANSWER_NEWS: NewsKind = {
  object: DEAL_NEWS,
  noticeOf: (news) => noticeOfDeal(news as readonly DealNews[]),
  by: ({ notify }) => notify.owner,
};

/** Notifies the owners of deals of the vendor's answers. This stream is started by the step that stores such an answer. */
export const ownerNotices: StreamSource<'notifyOwners'> = (stream) => ({
  cursors: [],
  read: async () => {
    const { deps, runtime } = stream;
    // Deletes news from before the tenant file switched these notices off.
    if (ANSWER_NEWS.by(runtime.tenant) === 'none') await deps.ledger.dropDealNews(runtime.tenant.tenant);
    return (await notifyOwners(stream, ANSWER_NEWS)) ?? { found: 0, more: false };
  },
});

/**
 * Notifies owners of news about their opportunities, one batch of opportunities in each call, and each news once. Null if there is no news,
 * or if the tenant's owners are not notified. A notice that the CRM refuses is retried for a week.
 */
export async function notifyOwners(stream: Reading, kind: NewsKind): Promise<TakenPages | null> {
  const { deps, runtime } = stream;
  const { tenant } = runtime.tenant;
  const by = kind.by(runtime.tenant);
  if (by === 'none') return null;
  const due = await deps.ledger.dueNotices(tenant, kind.object, deps.now(), BATCH);
  if (due.length === 0) return null;
  const owned = await ownersOf(stream, due);
  let refused = 0;
  for (const notice of due) {
    const text = kind.noticeOf(notice.news);
    const deal = owned.get(notice.opportunityId);
    // A deleted deal has no owner to notify, and a queue gets no task.
    const hasNobody = deal === undefined || (by === 'task' && deal.owner.startsWith(QUEUE));
    const outcome = text === null || hasNobody ? 'sent' : await send(stream, notice.id, { by, text, deal });
    if (outcome !== 'sent') refused += 1;
    await deps.ledger.settleNotice(tenant, notice.id, outcome, deps.now());
  }
  return { found: 0, refused, more: true };
}

/**
 * A deal in the CRM and its owner, which is a user or a queue. `id`: the id of the opportunity, even if the deal was a lead before; the id
 * of the lead if there is no opportunity.
 */
type OwnedDeal = { readonly id: string; readonly owner: string };

/** The first three characters of the ids of queues in Salesforce. */
const QUEUE = '00G';

/** Reads from the CRM who owns the deals about which notices are due. Returns the owned deals, by the deal id in the notice. */
async function ownersOf(reading: Reading, due: readonly DueNotice[]): Promise<ReadonlyMap<string, OwnedDeal>> {
  const ids = [...new Set(due.map(({ opportunityId }) => opportunityId))];
  const opportunities = await rowsOf(
    reading,
    'Opportunity',
    ids.filter((id) => !isLeadId(id)),
    ['OwnerId'],
  );
  const leads = await rowsOf(reading, 'Lead', ids.filter(isLeadId), ['OwnerId', 'ConvertedOpportunityId']);
  return new Map(
    [...opportunities, ...leads].map((row) => {
      const id = String(row['Id']);
      return [id, { id: String(row['ConvertedOpportunityId'] ?? id), owner: String(row['OwnerId']) }];
    }),
  );
}

async function rowsOf({ runtime }: Reading, object: string, values: readonly string[], fields: readonly string[]) {
  if (values.length === 0) return [];
  return runtime.crm.rowsWith({ object, key: 'Id', values, fields }, { signal: cancellationSignal() });
}

type NoticeRow = Pick<CrmNotice, 'object' | 'fields'>;

/** The maximum lengths of the texts in messages, in characters (Object Reference: Task, FeedItem; Actions: customNotificationAction). */
const [TASK_SUBJECT, TASK_BODY, POST, BELL_TITLE, BELL_BODY] = [255, 32_000, 10_000, 250, 750];

const NOTICE_BY: Readonly<Record<NoticeWay, (text: Notice, deal: OwnedDeal) => NoticeRow>> = {
  task: ({ subject, body }, { id, owner }) => ({
    object: 'Task',
    fields: {
      [isLeadId(id) ? 'WhoId' : 'WhatId']: id,
      OwnerId: owner,
      Subject: beginning(subject, TASK_SUBJECT),
      Description: beginning(body, TASK_BODY),
    },
  }),
  bell: ({ subject, body }, { id, owner }) => ({
    object: null,
    fields: {
      Bell_Recipient__c: owner,
      Bell_Target__c: id,
      Bell_Title__c: beginning(subject, BELL_TITLE),
      Bell_Body__c: beginning(body, BELL_BODY),
    },
  }),
  chatter: ({ subject, body }, { id }) => ({
    object: 'FeedItem',
    fields: { ParentId: id, Body: beginning(`${subject}\n${body}`, POST) },
  }),
};

/** The CRM row that notifies the owner of a deal: a task, a post, or the values of a bell notification. */
export function noticeRow(by: NoticeWay, text: Notice, deal: OwnedDeal): NoticeRow {
  return NOTICE_BY[by](text, deal);
}

async function send(
  { runtime }: Reading,
  key: string,
  { by, text, deal }: { readonly by: NoticeWay; readonly text: Notice; readonly deal: OwnedDeal },
): Promise<NoticeOutcome> {
  const { crm } = runtime;
  try {
    await crm.notifyOnce({ key, ...noticeRow(by, text, deal) }, { signal: cancellationSignal() });
    return 'sent';
  } catch (error) {
    if (!(error instanceof CrmError) || !isOfARow(error)) throw error;
    log.warn('an owner cannot be notified', { code: error.code, fields: error.fields });
    return { refused: reasonOf(error) };
  }
}
