import type { CrmCreate, CrmFields } from '../domain/record/crm-graph.ts';
import type { SubRequest } from './composite.ts';
import type { RefusedPart } from './errors.ts';
import { LINE_OBJECT, newLineBody } from './line-rows.ts';
import { emailOf } from './match-contacts.ts';
import type { OfferEntry } from './offers.ts';

/** The records that the CRM already has for a vendor-created deal, and the values that the tenant's rules give to its new records. */
export type ImportContext = {
  readonly accountId: string | null;
  readonly contactIds: ReadonlyMap<string, string>;
  readonly entries: ReadonlyMap<string, OfferEntry>;
  /** The fields for owner and record type of the new opportunity, by the tenant's rules. */
  readonly assigned: CrmFields;
  /** The field for the record type of a new account, by the tenant's rules. */
  readonly ofAccount: CrmFields;
};

/**
 * How many sub-requests are needed at most to create a deal: for the opportunity, its account, contacts, contact roles and lines. The
 * number does not depend on records that exist already, so that every attempt creates the deal in the same steps.
 */
export function partsOf(create: CrmCreate): number {
  return 2 + 2 * create.contacts.length + create.lines.length;
}

/** The sub-requests that create the opportunity, and also the account if no existing account matched. */
export function headRequests(create: CrmCreate, context: ImportContext): readonly SubRequest[] {
  const [entry] = context.entries.values();
  const accountId = accountReference(create, context);
  const opportunity: CrmFields = {
    ...create.opportunity,
    ...context.assigned,
    Vendor_Id__c: create.vendorId,
    ...(accountId === null ? {} : { AccountId: accountId }),
    ...(entry === undefined ? {} : { Pricebook2Id: entry.pricebookId }),
  };
  const requests: SubRequest[] = [post('opportunity', 'Opportunity', opportunity)];
  if (create.account === null || context.accountId !== null) return requests;
  return [post('account', 'Account', { ...create.account, ...context.ofAccount }), ...requests];
}

/**
 * The sub-requests that create the contact roles (the first one is primary) and the lines, and also the contacts that matched no existing
 * contact.
 */
export function childRequests(create: CrmCreate, context: ImportContext): readonly SubRequest[] {
  const accountId = accountReference(create, context);
  const people = create.contacts.flatMap((contact, index) => {
    const known = context.contactIds.get(emailOf(contact));
    const body = { ...contact, ...(accountId === null ? {} : { AccountId: accountId }) };
    const role = roleBody('@{opportunity.id}', known ?? `@{contact${index}.id}`, index === 0);
    const making = known === undefined ? [post(`contact${index}`, 'Contact', body)] : [];
    return [...making, post(`role${index}`, 'OpportunityContactRole', role)];
  });
  const lines = create.lines.map((line, index) =>
    post(`line${index}`, LINE_OBJECT, newLineBody(line, '@{opportunity.id}', context.entries)),
  );
  return [...people, ...lines];
}

/**
 * The account, contact or line that a sub-request creates; null for the opportunity. If Salesforce refuses the sub-request, the error names
 * this part of the deal. A contact role counts as its contact.
 */
export function childOf(referenceId: string): RefusedPart | null {
  if (referenceId === 'account') return { of: 'account', created: null };
  const [, name, place] = /^(contact|role|line)(\d+)$/.exec(referenceId) ?? [];
  if (name === undefined) return null;
  return { of: name === 'line' ? 'line' : 'contact', created: Number(place) };
}

export function roleBody(opportunityId: string, contactId: string, primary: boolean): CrmFields {
  return { OpportunityId: opportunityId, ContactId: contactId, IsPrimary: primary };
}

function accountReference(create: CrmCreate, context: ImportContext): string | null {
  if (context.accountId !== null) return context.accountId;
  return create.account === null ? null : '@{account.id}';
}

function post(referenceId: string, object: string, body: CrmFields): SubRequest {
  return { method: 'POST', path: `/sobjects/${object}`, referenceId, body };
}
