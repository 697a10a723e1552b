import { cancellationSignal, log } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import {
  changesOfDeal,
  MADE_FIELD,
  needsDeal,
  newDeal,
  type OrgCurrency,
  RENEWAL_FIELDS,
} from '../../src/mirror/orders/renewal-deal.ts';
import { isOfARow, type RowFeed, settleAnswers } from './crm-rows.ts';
import type { ShownNotice } from './renewal-notices.ts';
import type { Reading, TakenPages } from './stream.ts';

const OPPORTUNITY = 'Opportunity';
const { id: KEY } = RENEWAL_FIELDS;

/**
 * Creates opportunities for the renewal notifications that need one, and updates existing ones after their notification changed. Salesforce
 * refuses a second opportunity with the same renewal id, so none is created twice.
 */
export async function followDeals(
  stream: Reading,
  notices: readonly ShownNotice[],
  today: string,
): Promise<Pick<TakenPages, 'found' | 'refused'>> {
  const { tenant } = stream.runtime;
  const rules = tenant.orders.renewalOpportunities ?? null;
  if (rules === null || notices.length === 0) return { found: 0 };
  const org: OrgCurrency = { own: tenant.salesforce.multiCurrency ? null : tenant.mapping.currency };
  const deals = await dealsOf(stream, notices, org);
  const open = await openOpportunities(stream, notices);
  const without = notices.filter(({ order }) => !deals.has(order));
  const due = without.filter((notice) => needsDeal(notice, rules, today, open.has(notice.opportunityId ?? '')));
  await forgetRefusals(
    stream,
    notices.filter((notice) => !due.includes(notice)),
  );
  const owners = await activeOwners(stream, due);
  const rows = due.map((notice) => newDeal(notice, rules, org, owners.get(notice.accountId ?? '') ?? null));
  const refused = await create(stream, rows);
  const made = due.filter(({ order }) => !refused.has(order));
  const ids = await dealsOf(stream, made, org);
  const all = new Map([...deals, ...ids]);
  const moved = await follow(stream, notices, deals, org);
  await noteMade(stream, notices, all);
  return { found: made.length + moved, refused: refused.size };
}

/** The existing opportunities of renewal notifications, by the vendor's renewal id. */
async function dealsOf(
  { runtime }: Reading,
  notices: readonly ShownNotice[],
  org: OrgCurrency,
): Promise<ReadonlyMap<string, CrmFields>> {
  if (notices.length === 0) return new Map();
  const fields = ['Amount', 'CloseDate', 'IsClosed', RENEWAL_FIELDS.state, RENEWAL_FIELDS.followed];
  const rows = (await runtime.crm.rowsWith(
    {
      ...{ object: OPPORTUNITY, key: KEY, values: notices.map(({ order }) => order) },
      fields: org.own === null ? [...fields, 'CurrencyIsoCode'] : fields,
    },
    { signal: cancellationSignal() },
  )) as readonly CrmFields[];
  return new Map(rows.map((row) => [String(row[KEY]), row]));
}

/** Ids of the opportunities named by these renewal notifications that are open. */
async function openOpportunities({ runtime }: Reading, notices: readonly ShownNotice[]): Promise<ReadonlySet<string>> {
  const values = [...new Set(notices.flatMap(({ opportunityId }) => opportunityId ?? []))];
  if (values.length === 0) return new Set();
  const of = { object: OPPORTUNITY, key: 'Id', values, fields: ['IsClosed'] };
  const rows = await runtime.crm.rowsWith(of, { signal: cancellationSignal() });
  return new Set(rows.flatMap((row) => (row['IsClosed'] === true ? [] : [String(row['Id'])])));
}

/** The active owners of the accounts of renewal notifications, by account. An inactive user cannot own a new opportunity. */
async function activeOwners(stream: Reading, notices: readonly ShownNotice[]): Promise<ReadonlyMap<string, string>> {
  const { crm } = stream.runtime;
  const call = { signal: cancellationSignal() };
  const values = [...new Set(notices.flatMap(({ accountId }) => accountId ?? []))];
  if (values.length === 0) return new Map();
  const accounts = await crm.rowsWith({ object: 'Account', key: 'Id', values, fields: ['OwnerId'] }, call);
  const ownerOf = new Map(accounts.map((row) => [String(row['Id']), String(row['OwnerId'])]));
  const active = await crm.activeUsers([...new Set(ownerOf.values())], call);
  return new Map([...ownerOf].filter(([, owner]) => active.has(owner)));
}

/**
 * Creates renewal opportunities. Returns the vendor ids of those that Salesforce refused. The ledger shows the refused ones, and the next
 * pass tries them again.
 */
async function create(stream: Reading, rows: readonly CrmFields[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const answers = await stream.runtime.crm.upsertRows(OPPORTUNITY, KEY, rows, { signal: cancellationSignal() });
  const { refused } = await settleAnswers(feedOf(stream), rows, answers, 'again');
  return new Set(refused);
}

/** The ledger's list of refused opportunities. */
function feedOf({ name, deps, runtime }: Reading): RowFeed {
  return { name, deps, runtime, into: { object: OPPORTUNITY, externalId: KEY } };
}

/** Deletes the stored refusals of renewal notifications that need no opportunity any longer. */
async function forgetRefusals({ name, deps, runtime }: Reading, notices: readonly ShownNotice[]): Promise<void> {
  const taken = notices.map(({ order }) => order);
  await deps.ledger.settleRows(runtime.tenant.tenant, name, { taken, refused: [] }, deps.now());
}

/** Copies changes of renewal notifications to their opportunities. Returns how many changed. */
async function follow(
  stream: Reading,
  notices: readonly ShownNotice[],
  deals: ReadonlyMap<string, CrmFields>,
  org: OrgCurrency,
): Promise<number> {
  const rows = notices.flatMap((notice) => {
    const deal = deals.get(notice.order);
    const changes = deal === undefined ? null : changesOfDeal(notice, deal, org);
    return changes === null ? [] : [{ Id: deal?.['Id'] ?? null, ...changes }];
  });
  return rows.length - (await update(stream, OPPORTUNITY, rows));
}

/**
 * Notes on each order (renewal notification) that its opportunity was created, and links orders that belong to no opportunity. The note
 * comes last: without it, the next pass finds the opportunity and repeats both.
 */
async function noteMade(
  stream: Reading,
  notices: readonly ShownNotice[],
  deals: ReadonlyMap<string, CrmFields>,
): Promise<void> {
  const { deps, runtime } = stream;
  const fresh = notices.filter((notice) => !notice.isMade && deals.has(notice.order));
  for (const notice of fresh) {
    if (notice.opportunityId !== null) continue;
    const of = { stream: 'pullOrders', object: ORDER_MIRROR.object, ids: [notice.order] };
    const opportunityId = String(deals.get(notice.order)?.['Id']);
    await deps.ledger.chooseOpportunity(runtime.tenant.tenant, { ...of, opportunityId }, deps.now());
  }
  await update(
    stream,
    ORDER_MIRROR.object,
    fresh.map(({ id }) => ({ Id: id, [MADE_FIELD]: deps.now() })),
  );
}

/** Updates rows. Returns how many Salesforce refused; they are written with the next pass. */
async function update({ name, runtime }: Reading, object: string, rows: readonly CrmFields[]): Promise<number> {
  if (rows.length === 0) return 0;
  const answers = await runtime.crm.updateRows(object, rows, { signal: cancellationSignal() });
  const fault = answers.find((error) => error !== null && !isOfARow(error));
  if (fault) throw fault;
  const refused = answers.filter((error) => error !== null).length;
  if (refused > 0) log.warn('opportunities of renewals refused a change', { stream: name, object, count: refused });
  return refused;
}
