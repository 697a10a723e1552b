import type { CrmFields, CrmValue } from '../domain/record/crm-graph.ts';
import { idOf } from './answers.ts';
import { createBatcher } from './batcher.ts';
import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';
import type { RestRecord } from './options.ts';
import { queryRows, TOO_MANY_ROWS } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { listLiteral } from './soql.ts';
import { untilAborted } from './until-aborted.ts';

/** How long a price book entry is cached, in milliseconds. An offer without an entry is not cached; it is looked up every time. */
const KEPT_FOR_MS = 5 * 60_000;
const MAX_KEPT_OFFERS = 5_000;
const IDS_PER_QUERY = 100;

/**
 * The price book and currency in which a line needs a price book entry. `pricebookId` is the opportunity's price book, or null for the
 * standard price book. `currency` is the opportunity's currency, or null if any currency is accepted.
 */
export type OfferScope = { readonly pricebookId: string | null; readonly currency: string | null };

export type OfferEntry = { readonly entryId: string; readonly pricebookId: string };

export interface Offers {
  /** Finds the active price book entries of these offers in the given price book and currency. An offer without an entry is left out. */
  find(offerIds: readonly string[], scope: OfferScope, call: RestCall): Promise<ReadonlyMap<string, OfferEntry>>;
  /**
   * Finds the active price book entries of these offers. Throws `permanent` UNKNOWN_OFFER if any offer has no entry; the error's `fields`
   * are the ids of the offers without an entry.
   */
  require(offerIds: readonly string[], scope: OfferScope, call: RestCall): Promise<ReadonlyMap<string, OfferEntry>>;
}

type Entry = OfferEntry & { readonly standard: boolean; readonly currency: string | null };

type Options = { readonly multiCurrency: boolean; readonly now: () => number };

/**
 * Creates the functions that look up offers (`Product2.Vendor_Offer_Id__c`) in the org's price books. Results are cached for five minutes.
 */
export function createOffers(session: Session, options: Options): Offers {
  const entriesOf = createEntries(session, options);
  const offers: Offers = {
    async find(offerIds, scope, call) {
      const found = await Promise.all(
        [...new Set(offerIds)].map(async (id) => {
          const entries = await untilAborted(entriesOf(id), call.signal);
          const entry = entries.find((one) => fits(one, scope));
          return entry === undefined ? [] : [[id, entry] as const];
        }),
      );
      return new Map(found.flat());
    },
    async require(offerIds, scope, call) {
      const found = await offers.find(offerIds, scope, call);
      const unknown = offerIds.filter((id) => !found.has(id));
      if (unknown.length > 0) throw crmError('permanent', 'UNKNOWN_OFFER', { fields: [...new Set(unknown)] });
      return found;
    },
  };
  return offers;
}

/**
 * Makes the function that reads the price book entries of one offer. Callers that need offers at the same time share one
 * query. If a caller aborts, only that caller stops waiting.
 */
function createEntries(session: Session, { multiCurrency, now }: Options) {
  const kept = new Map<string, { readonly entries: readonly Entry[]; readonly atMs: number }>();
  const underWay = new Map<string, Promise<readonly Entry[]>>();
  const { ask } = createBatcher<string, readonly Entry[]>({
    maxSize: IDS_PER_QUERY,
    run: async (ids, signal) => {
      const call = { operation: 'knownOffers', signal };
      const atMs = now();
      const rows = await entriesOf(session, ids, { multiCurrency, call });
      if (kept.size + ids.length > MAX_KEPT_OFFERS) kept.clear();
      return ids.map((id) => {
        const entries = rows.filter((row) => offerOf(row) === id).map(entryOf);
        if (entries.length > 0) kept.set(id, { entries, atMs });
        else kept.delete(id);
        return entries;
      });
    },
  });
  return async (id: string): Promise<readonly Entry[]> => {
    const known = kept.get(id);
    if (known !== undefined && now() - known.atMs < KEPT_FOR_MS) return known.entries;
    const asked = underWay.get(id) ?? ask(id).finally(() => underWay.delete(id));
    underWay.set(id, asked);
    return asked;
  };
}

/** Reads the price book entries of the offers. If there are too many rows for one query, reads each half of the offers. */
async function entriesOf(
  session: Session,
  ids: readonly string[],
  how: { readonly multiCurrency: boolean; readonly call: RestCall },
): Promise<readonly RestRecord[]> {
  try {
    return (await queryRows(session, entryQuery(ids, how.multiCurrency), how.call)).rows;
  } catch (error) {
    if (!(error instanceof CrmError) || error.code !== TOO_MANY_ROWS || ids.length === 1) throw error;
  }
  const middle = Math.ceil(ids.length / 2);
  const first = await entriesOf(session, ids.slice(0, middle), how);
  return [...first, ...(await entriesOf(session, ids.slice(middle), how))];
}

function entryQuery(offerIds: readonly string[], multiCurrency: boolean): string {
  const currency = multiCurrency ? ', CurrencyIsoCode' : '';
  return (
    `SELECT Id, Pricebook2Id, Pricebook2.IsStandard, Product2.Vendor_Offer_Id__c${currency} FROM PricebookEntry ` +
    `WHERE IsActive = true AND Product2.IsActive = true ` +
    `AND Product2.Vendor_Offer_Id__c IN ${listLiteral(offerIds)} ORDER BY Id`
  );
}

function fits(entry: Entry, scope: OfferScope): boolean {
  const inBook = scope.pricebookId === null ? entry.standard : entry.pricebookId === scope.pricebookId;
  return inBook && (entry.currency === null || scope.currency === null || entry.currency === scope.currency);
}

function entryOf(row: RestRecord): Entry {
  const book = row['Pricebook2'] as RestRecord | null | undefined;
  const currency = row['CurrencyIsoCode'];
  return {
    entryId: idOf(row['Id']),
    pricebookId: idOf(row['Pricebook2Id']),
    standard: book?.['IsStandard'] === true,
    currency: typeof currency === 'string' ? currency : null,
  };
}

function offerOf(row: RestRecord): unknown {
  return (row['Product2'] as RestRecord | null | undefined)?.['Vendor_Offer_Id__c'];
}

const PRICED =
  'IsActive = true AND Vendor_Product_Number__c != null AND Vendor_Offer_Id__c = null AND ' +
  'Id IN (SELECT Product2Id FROM PricebookEntry WHERE IsActive = true AND Vendor_Entry_Key__c != null)';

/**
 * Reads the active products that have a price copied from the vendor but no offer id, in the order of their product numbers. At most
 * 20,000.
 */
export async function productsWithoutOffer(
  session: Session,
  fields: readonly string[],
  call: RestCall,
): Promise<readonly CrmFields[]> {
  const names = [...new Set(['Vendor_Product_Number__c', ...fields])];
  const soql = `SELECT ${names.join(', ')} FROM Product2 WHERE ${PRICED} ORDER BY Vendor_Product_Number__c LIMIT 20000`;
  const { rows } = await queryRows(session, soql, call);
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, (row[name] ?? null) as CrmValue])));
}
