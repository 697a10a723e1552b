import { cancellationSignal, log } from '@temporalio/activity';
import type { DueNotice, NoticeOutcome } from '../../src/ledger/mirror/news-ledger.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import { noticeOf, type OrderNews, type OrderNotice } from '../../src/mirror/orders/order-news.ts';
import type { CrmNotice } from '../../src/salesforce/crm.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { isOfARow, reasonOf } from './crm-rows.ts';
import type { Reading, TakenPages } from './stream.ts';

/** Opportunities in one step: one query, and one request each. */
const BATCH = 10;

/** Notifies opportunity owners of changes of their orders, each once; null if there are none. Refused notices are retried for a week. */
export async function notifyOwners(stream: Reading): Promise<TakenPages | null> {
  const { deps, runtime } = stream;
  const { tenant, orders } = runtime.tenant;
  if (orders.notifyOwner === 'none') return null;
  const due = await deps.ledger.dueNotices(tenant, ORDER_MIRROR.object, deps.now(), BATCH);
  if (due.length === 0) return null;
  const owners = await ownersOf(stream, due);
  let refused = 0;
  for (const notice of due) {
    const text = noticeOf(notice.news as readonly OrderNews[]);
    const owner = owners.get(notice.opportunityId);
    // A deleted opportunity has no owner to notify.
    const outcome =
      text === null || owner === undefined ? 'sent' : await send(stream, notice, { text, owner });
    if (outcome !== 'sent') refused += 1;
    await deps.ledger.settleNotice(tenant, notice.id, outcome, deps.now());
  }
  return { found: 0, refused, more: true };
}

async function ownersOf(
  { runtime }: Reading,
  due: readonly DueNotice[],
): Promise<ReadonlyMap<string, string>> {
  const values = due.map(({ opportunityId }) => opportunityId);
  const of = { object: 'Opportunity', key: 'Id', values, fields: ['OwnerId'] };
  const rows = await runtime.crm.rowsWith(of, { signal: cancellationSignal() });
  return new Map(rows.map((row) => [String(row['Id']), String(row['OwnerId'])]));
}

async function send(
  { runtime }: Reading,
  { id, opportunityId }: DueNotice,
  { text, owner }: { readonly text: OrderNotice; readonly owner: string },
): Promise<NoticeOutcome> {
  const { crm, tenant } = runtime;
  const noticeFields: Pick<CrmNotice, 'object' | 'fields'> =
    tenant.orders.notifyOwner === 'chatter'
      ? { object: 'FeedItem', fields: { ParentId: opportunityId, Body: `${text.subject}\n${text.body}` } }
      : {
          object: 'Task',
          fields: { WhatId: opportunityId, OwnerId: owner, Subject: text.subject, Description: text.body },
        };
  try {
    await crm.notifyOnce({ key: id, ...noticeFields }, { signal: cancellationSignal() });
    return 'sent';
  } catch (error) {
    if (!(error instanceof CrmError) || !isOfARow(error)) throw error;
    log.warn('an owner cannot be notified of orders', { code: error.code, fields: error.fields });
    return { refused: reasonOf(error) };
  }
}
