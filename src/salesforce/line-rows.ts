import type { CrmFields } from '../domain/record/crm-graph.ts';
import type { SubRequest } from './composite.ts';
import type { OfferEntry } from './offers.ts';

/** The key by which a new line names its product. */
export const OFFER_KEY = 'Product2.Vendor_Offer_Id__c';

export const LINE_OBJECT = 'OpportunityLineItem';

/** Rows that one collection request may hold. */
export const MAX_COLLECTION_ROWS = 200;

/** The offer ids that new lines name. */
export function offersOf(lines: readonly CrmFields[]): readonly string[] {
  return lines.map((line) => String(line[OFFER_KEY]));
}

/** Which new line the part `line<n>` of a request makes, after so many other lines; null where it makes none. */
export function createdPlace(referenceId: string, before: number): number | null {
  const place = /^line(\d+)$/.exec(referenceId)?.[1];
  return place === undefined || Number(place) < before ? null : Number(place) - before;
}

/** A new line as Salesforce takes it: the offer replaced by its price book entry. */
export function newLineBody(
  line: CrmFields,
  opportunityId: string,
  entries: ReadonlyMap<string, OfferEntry>,
): CrmFields {
  const { [OFFER_KEY]: offer, ...fields } = line;
  const PricebookEntryId = entries.get(String(offer))?.entryId ?? null;
  return { ...fields, OpportunityId: opportunityId, PricebookEntryId };
}

/** A row without its id, for addresses that carry the id. */
export function withoutId(row: CrmFields): CrmFields {
  const { Id: _id, ...fields } = row;
  return fields;
}

/** Rows of one object as one collection sub-request, all or none. */
export function collectionRequest(
  method: 'POST' | 'PATCH',
  object: string,
  rows: readonly CrmFields[],
  referenceId: string,
): SubRequest {
  const records = rows.map((row) => ({ attributes: { type: object }, ...row }));
  return { method, path: '/composite/sobjects', referenceId, body: { allOrNone: true, records } };
}
