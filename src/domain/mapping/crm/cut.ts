import type { FieldName } from '../../record/canonical.ts';
import type { CrmCreate, CrmFields, CrmValue } from '../../record/crm-graph.ts';
import type { CrmLimits, ObjectLimits } from '../../record/crm-limits.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import { beginning } from '../../record/shown-text.ts';
import { misfits } from './fit.ts';
import { inPicklists } from './places.ts';

type Lengths = { readonly [field: string]: number };

/** The lengths of Salesforce's standard text fields, in characters. An org cannot change them. */
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
 * Fields in which a text that is too long is shortened, because its beginning still helps to find the record. In other fields of an account
 * or contact, such a text is left out.
 */
const CUT: ReadonlySet<string> = new Set([OPPORTUNITY, ACCOUNT, CONTACT].flatMap(Object.keys));

/**
 * The field by which Lockstep recognises a contact. A contact without it is not created, because a retry would create the contact a second
 * time.
 */
const CONTACT_KEY = 'Email';

/**
 * Shortens or leaves out values of a new deal so that they fit the CRM's fields, and returns issues about these values. Names and other
 * standard texts of account and contacts are shortened if they are too long. Other values of account and contacts that do not fit are left
 * out. In the opportunity, only the name can change. Pure.
 */
export function cutToFields(
  create: CrmCreate,
  limits: CrmLimits = {},
): { readonly create: CrmCreate; readonly issues: readonly Issue[] } {
  const places = create.account && inPicklists(create.account, limits['Account']);
  const account = places && fitted(places.row, ACCOUNT, limits['Account']);
  const contacts = create.contacts.map((contact) => fitted(contact, CONTACT, limits['Contact']));
  const kept = contacts.filter(({ leftOut }) => !leftOut.includes(CONTACT_KEY));
  const name = fitted({ Name: create.opportunity['Name'] ?? null }, OPPORTUNITY, limits['Opportunity']);
  const cut = {
    ...create,
    opportunity: { ...create.opportunity, ...name.row },
    account: account?.row ?? null,
    contacts: kept.map(({ row }) => row),
  };
  const issues = [
    ...(name.isCut ? [ISSUES.shortened('name', 'the Opportunity Name')] : []),
    ...(places?.unknown ?? []).map(ISSUES.placeDoesNotFit),
    ...issuesOf('customerLegalEntity', 'a field of the account', account === null ? [] : [account]),
    ...issuesOf('customerContacts', 'a field of a contact', contacts),
  ];
  return { create: cut, issues };
}

/** Whether `shown`, the name in the CRM, is the vendor's name `full`, shortened to the length of the CRM's field. */
export function isCutName(full: unknown, shown: unknown): boolean {
  const length = OPPORTUNITY['Name'] as number;
  return typeof full === 'string' && full.length > length && beginning(full, length).trim() === shown;
}

type Fitted = { readonly row: CrmFields; readonly isCut: boolean; readonly leftOut: readonly string[] };

function fitted(row: CrmFields, standard: Lengths, limits: ObjectLimits | undefined): Fitted {
  const cut = Object.entries(row).map(([field, value]): [string, CrmValue] => {
    const length = CUT.has(field) ? (limits?.[field]?.length ?? standard[field]) : undefined;
    return [field, typeof value === 'string' ? beginning(value, length ?? value.length) : value];
  });
  const leftOut = [...misfits(Object.fromEntries(cut), limits, 'create').keys()];
  return {
    row: Object.fromEntries(cut.filter(([field]) => !leftOut.includes(field) || field === 'Name')),
    isCut: cut.some(([field, value]) => value !== row[field]),
    leftOut,
  };
}

function issuesOf(field: FieldName, what: string, rows: readonly Fitted[]): readonly Issue[] {
  return [
    ...(rows.some(({ isCut }) => isCut) ? [ISSUES.shortened(field, what)] : []),
    ...(rows.some(({ leftOut }) => leftOut.length > 0) ? [ISSUES.leftOut(field, what)] : []),
  ];
}
