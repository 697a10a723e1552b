import type { CrmFields } from '../domain/record/crm-graph.ts';
import type { SubRequest } from './composite.ts';
import type { OfferEntry } from './offers.ts';

/**
 * The key under which the fields of a new line contain the vendor's offer id. Salesforce itself gets the price book entry of this offer's
 * product instead.
 */
export const OFFER_KEY = 'Product2.Vendor_Offer_Id__c';

export const LINE_OBJECT = 'OpportunityLineItem';

/** Salesforce's limit of rows in one collection request. */
export const MAX_COLLECTION_ROWS = 200;

export function offersOf(lines: readonly CrmFields[]): readonly string[] {
  return lines.map((line) => String(line[OFFER_KEY]));
}

/**
 * The index of the new line that a sub-request with the reference id `line<n>` creates; null if the sub-request creates no line. `before`:
 * how many sub-requests for deleted and changed lines come before the first new line.
 */
export function createdPlace(referenceId: string, before: number): number | null {
  const place = /^line(\d+)$/.exec(referenceId)?.[1];
  return place === undefined || Number(place) < before ? null : Number(place) - before;
}

/** Converts a new line to the form that Salesforce needs: a price book entry replaces the vendor's offer id. */
export function newLineBody(
  line: CrmFields,
  opportunityId: string,
  entries: ReadonlyMap<string, OfferEntry>,
): CrmFields {
  const { [OFFER_KEY]: offer, ...fields } = line;
  const PricebookEntryId = entries.get(String(offer))?.entryId ?? null;
  return { ...fields, OpportunityId: opportunityId, PricebookEntryId };
}

/** A row without its id, for requests that have the id in their path. */
export function withoutId(row: CrmFields): CrmFields {
  const { Id: _id, ...fields } = row;
  return fields;
}

/** The sub-request that writes several rows of one object, all of them or none. */
export function collectionRequest(
  method: 'POST' | 'PATCH',
  object: string,
  rows: readonly CrmFields[],
  referenceId: string,
): SubRequest {
  const records = rows.map((row) => ({ attributes: { type: object }, ...row }));
  return { method, path: '/composite/sobjects', referenceId, body: { allOrNone: true, records } };
}
