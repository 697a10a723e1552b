import { cancellationSignal } from '@temporalio/activity';
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
import type { ShownNotice } from '../../src/mirror/orders/renewal-notices.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { type Refusals, refusalsOf } from './renewal-refusals.ts';
import type { Reading } from './stream.ts';

const OPPORTUNITY = 'Opportunity';
const { id: KEY } = RENEWAL_FIELDS;

/**
 * Creates opportunities for the renewal notices (vendor orders that announce a renewal) that need one, and updates the existing ones.
 * Salesforce refuses a second opportunity with the renewal id of the first. Returns the number of changes, and the notices that Salesforce
 * refused.
 */
export async function followDeals(
  stream: Reading,
  notices: readonly ShownNotice[],
  today: string,
): Promise<{ readonly found: number; readonly refusals: Refusals }> {
  const { tenant } = stream.runtime;
  const rules = tenant.orders.renewalOpportunities ?? null;
  if (rules === null || notices.length === 0) return { found: 0, refusals: new Map() };
  const org: OrgCurrency = { own: tenant.salesforce.multiCurrency ? null : tenant.mapping.currency };
  const deals = await dealsOf(stream, notices, org);
  const open = await openOpportunities(stream, notices);
  const without = notices.filter(({ order }) => !deals.has(order));
  const due = without.filter((notice) => needsDeal(notice, rules, today, open.has(notice.opportunityId ?? '')));
  const owners = await activeOwners(stream, due);
  const recordType = due.length === 0 ? {} : await recordTypeOf(stream);
  const rows = due.map((notice) => ({
    ...newDeal(notice, rules, org, owners.get(notice.accountId ?? '') ?? null),
    ...recordType,
  }));
  const notMade =
    recordType === null ? new Map(due.map(({ order }) => [order, NO_TYPE])) : await create(stream, due, rows);
  const made = due.filter(({ order }) => !notMade.has(order));
  const ids = await dealsOf(stream, made, org);
  const all = new Map([...deals, ...ids]);
  const { moved, notMoved } = await follow(stream, notices, deals, org);
  const notNoted = await noteMade(stream, notices, all);
  return { found: made.length + moved, refusals: new Map([...notNoted, ...notMoved, ...notMade]) };
}

/** The existing opportunities of renewal notices, by the vendor's renewal id. */
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

/** Ids of the opportunities that these renewal notices name, if they are still open. */
async function openOpportunities({ runtime }: Reading, notices: readonly ShownNotice[]): Promise<ReadonlySet<string>> {
  const values = [...new Set(notices.flatMap(({ opportunityId }) => opportunityId ?? []))];
  if (values.length === 0) return new Set();
  const of = { object: OPPORTUNITY, key: 'Id', values, fields: ['IsClosed'] };
  const rows = await runtime.crm.rowsWith(of, { signal: cancellationSignal() });
  return new Set(rows.flatMap((row) => (row['IsClosed'] === true ? [] : [String(row['Id'])])));
}

/** The active owners of the accounts of renewal notices, by account. An inactive user cannot own a new opportunity. */
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

const NO_TYPE = new CrmError('permanent', 'UNKNOWN_RECORD_TYPE', 'The org has no such record type of opportunities.', {
  fields: ['RecordTypeId'],
});

/**
 * The field that sets the record type of a new opportunity: the record type in `imports.recordType`. Empty if that setting is not used.
 * Null if the org has no active record type with that name.
 */
async function recordTypeOf({ runtime }: Reading): Promise<CrmFields | null> {
  const { recordType } = runtime.tenant.imports;
  if (recordType === null) return {};
  const of = { object: 'RecordType', key: 'DeveloperName', values: [recordType], fields: ['SobjectType', 'IsActive'] };
  const rows = await runtime.crm.rowsWith(of, { signal: cancellationSignal() });
  const found = rows.find((row) => row['SobjectType'] === OPPORTUNITY && row['IsActive'] === true);
  return found === undefined ? null : { RecordTypeId: String(found['Id']) };
}

/** Creates opportunities for renewal notices. Returns the notices that Salesforce refused, with its errors. */
async function create(stream: Reading, due: readonly ShownNotice[], rows: readonly CrmFields[]): Promise<Refusals> {
  if (rows.length === 0) return new Map();
  const answers = await stream.runtime.crm.upsertRows(OPPORTUNITY, KEY, rows, { signal: cancellationSignal() });
  return refusalsOf(
    due.map(({ order }) => order),
    answers,
  );
}

/**
 * Copies changes of renewal notices to their opportunities. `moved`: how many opportunities were updated. `notMoved`: the notices whose
 * opportunity Salesforce refused to update.
 */
async function follow(
  stream: Reading,
  notices: readonly ShownNotice[],
  deals: ReadonlyMap<string, CrmFields>,
  org: OrgCurrency,
): Promise<{ readonly moved: number; readonly notMoved: Refusals }> {
  const changed = notices.flatMap((notice) => {
    const deal = deals.get(notice.order);
    const changes = deal === undefined ? null : changesOfDeal(notice, deal, org);
    return changes === null ? [] : [{ order: notice.order, row: { Id: deal?.['Id'] ?? null, ...changes } }];
  });
  const notMoved = await update(stream, OPPORTUNITY, changed);
  return { moved: changed.length - notMoved.size, notMoved };
}

/**
 * Notes on renewal notices that Lockstep has created their opportunity. Before that, links each notice without an opportunity to the
 * created one. The note comes last, so that an interrupted call is repeated. Returns the notices that Salesforce refused.
 */
async function noteMade(
  stream: Reading,
  notices: readonly ShownNotice[],
  deals: ReadonlyMap<string, CrmFields>,
): Promise<Refusals> {
  const { deps, runtime } = stream;
  const fresh = notices.filter((notice) => !notice.isMade && deals.has(notice.order));
  for (const notice of fresh) {
    if (notice.opportunityId !== null) continue;
    const of = { stream: 'pullOrders', object: ORDER_MIRROR.object, ids: [notice.order] };
    const opportunityId = String(deals.get(notice.order)?.['Id']);
    await deps.ledger.chooseOpportunity(runtime.tenant.tenant, { ...of, opportunityId }, deps.now());
  }
  return update(
    stream,
    ORDER_MIRROR.object,
    fresh.map(({ id, order }) => ({ order, row: { Id: id, [MADE_FIELD]: deps.now() } })),
  );
}

/** Updates CRM rows that belong to renewal notices. Returns the notices whose rows Salesforce refused, with its errors. */
async function update(
  { runtime }: Reading,
  object: string,
  changed: readonly { readonly order: string; readonly row: CrmFields }[],
): Promise<Refusals> {
  if (changed.length === 0) return new Map();
  const rows = changed.map(({ row }) => row);
  const answers = await runtime.crm.updateRows(object, rows, { signal: cancellationSignal() });
  return refusalsOf(
    changed.map(({ order }) => order),
    answers,
  );
}
