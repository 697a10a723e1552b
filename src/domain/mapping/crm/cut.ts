import type { CrmCreate, CrmFields } from '../../record/crm-graph.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';

type Lengths = { readonly [field: string]: number };

/** What Salesforce's standard fields hold. An org cannot change them. */
const OPPORTUNITY: Lengths = { Name: 120 };
const ACCOUNT: Lengths = {
  Name: 255,
  BillingStreet: 255,
  BillingCity: 40,
  BillingState: 80,
  BillingPostalCode: 20,
  BillingCountry: 80,
  Website: 255,
};
const CONTACT: Lengths = { FirstName: 40, LastName: 80, Salutation: 40, Phone: 40, Title: 128 };

/**
 * A deal to be made in the CRM with the texts cut that would keep it from being made: its name, and what its account and
 * contacts are found and known by. Pure.
 */
export function cutToFields(create: CrmCreate): {
  readonly create: CrmCreate;
  readonly issues: readonly Issue[];
} {
  const cut = {
    ...create,
    opportunity: fitted(create.opportunity, OPPORTUNITY),
    account: create.account && fitted(create.account, ACCOUNT),
    contacts: create.contacts.map((contact) => fitted(contact, CONTACT)),
  };
  const issues = [
    ...(differs(cut.opportunity, create.opportunity) ? [ISSUES.shortened('name', 'Opportunity.Name')] : []),
    ...(differs(cut.account, create.account)
      ? [ISSUES.shortened('customerLegalEntity', 'a field of the account')]
      : []),
    ...(differs(cut.contacts, create.contacts)
      ? [ISSUES.shortened('customerContacts', 'a field of a contact')]
      : []),
  ];
  return { create: cut, issues };
}

/** Whether the CRM's name is the beginning that it can hold of the vendor's. */
export function isCutName(full: unknown, shown: unknown): boolean {
  const length = OPPORTUNITY['Name'] as number;
  return typeof full === 'string' && full.length > length && beginning(full, length).trim() === shown;
}

function fitted(row: CrmFields, lengths: Lengths): CrmFields {
  const cells = Object.entries(row).map(([field, value]) => {
    const length = lengths[field];
    return [field, typeof value === 'string' && length !== undefined ? beginning(value, length) : value];
  });
  return Object.fromEntries(cells) as CrmFields;
}

/** At most so many characters as Salesforce counts them, without half a character at the end. */
function beginning(text: string, length: number): string {
  const cut = text.slice(0, length);
  return text.length > length && !cut.isWellFormed() ? cut.slice(0, -1) : cut;
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
