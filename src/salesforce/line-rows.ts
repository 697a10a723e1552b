import type { CrmFields } from '../domain/record/crm-graph.ts';
import type { SubRequest } from './composite.ts';
import type { OfferEntry } from './offers.ts';

/** The field by which a new line names its product. */
export const OFFER_KEY = 'Product2.Vendor_Offer_Id__c';

export const LINE_OBJECT = 'OpportunityLineItem';

/** Salesforce's limit of rows in one collection request. */
export const MAX_COLLECTION_ROWS = 200;

/** The offer ids of new lines. */
export function offersOf(lines: readonly CrmFields[]): readonly string[] {
  return lines.map((line) => String(line[OFFER_KEY]));
}

/** Returns the index of the new line that sub-request `line<n>` creates, if `before` other lines come first; null if it creates no line. */
export function createdPlace(referenceId: string, before: number): number | null {
  const place = /^line(\d+)$/.exec(referenceId)?.[1];
  return place === undefined || Number(place) < before ? null : Number(place) - before;
}

/** A new line in Salesforce's form: the offer id is replaced by the price book entry. */
export function newLineBody(
  line: CrmFields,
  opportunityId: string,
  entries: ReadonlyMap<string, OfferEntry>,
): CrmFields {
  const { [OFFER_KEY]: offer, ...fields } = line;
  const PricebookEntryId = entries.get(String(offer))?.entryId ?? null;
  return { ...fields, OpportunityId: opportunityId, PricebookEntryId };
}

/** A row without its id, for requests whose path contains the id. */
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
