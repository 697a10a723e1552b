import type { Org } from '../org.ts';
import type { ConversionTarget } from '../schema/lead-conversion.ts';
import { STAGES } from '../schema/stages.ts';
import type { ObjectDef } from '../schema/types.ts';
import type { Author } from '../store/dml.ts';
import { failure } from '../store/failure.ts';
import { writableRow } from '../store/find.ts';
import { rowsOf } from '../store/relations.ts';
import type { Row, Value } from '../store/row.ts';
import { wallTime, zoneOf } from '../store/time-zone.ts';

/** The arguments of a lead conversion (SOAP API Developer Guide, "convertLead()": LeadConvert). */
export type LeadConvert = {
  readonly leadId: string;
  readonly convertedStatus: string | undefined;
  readonly accountId: string | undefined;
  readonly contactId: string | undefined;
  readonly opportunityId: string | undefined;
  readonly opportunityName: string | undefined;
  readonly ownerId: string | undefined;
  readonly doNotCreateOpportunity: boolean;
  readonly overwriteLeadSource: boolean;
};

export type Converted = {
  readonly leadId: string;
  readonly accountId: string;
  readonly contactId: string;
  readonly opportunityId: string | null;
};

/** The fields of each new row, with the lead's fields that fill them (Help: "Lead Conversion Field Mapping"). */
const TO_ACCOUNT = {
  ...{ Name: 'Company', Phone: 'Phone', Fax: 'Fax', Website: 'Website', Industry: 'Industry' },
  ...{ Rating: 'Rating', AnnualRevenue: 'AnnualRevenue', NumberOfEmployees: 'NumberOfEmployees' },
  ...address('Billing'),
  CurrencyIsoCode: 'CurrencyIsoCode',
};
const TO_CONTACT = {
  ...{ FirstName: 'FirstName', LastName: 'LastName', Salutation: 'Salutation', Title: 'Title' },
  ...{ Email: 'Email', Phone: 'Phone', MobilePhone: 'MobilePhone', Fax: 'Fax' },
  ...{ Description: 'Description', LeadSource: 'LeadSource' },
  ...address('Mailing'),
  CurrencyIsoCode: 'CurrencyIsoCode',
};
/** The person account of a lead without a company (Object Reference: Lead, Company). */
const TO_PERSON = {
  ...{ FirstName: 'FirstName', LastName: 'LastName', Salutation: 'Salutation', PersonEmail: 'Email' },
  ...{ Phone: 'Phone', Fax: 'Fax', Website: 'Website', Industry: 'Industry', Rating: 'Rating' },
  ...address('Billing'),
  CurrencyIsoCode: 'CurrencyIsoCode',
};
const USER_PREFIX = '005';
const TO_OPPORTUNITY = { LeadSource: 'LeadSource', CurrencyIsoCode: 'CurrencyIsoCode' };
const SET_BY_CONVERSION = new Set([
  'isconverted',
  'converteddate',
  'convertedaccountid',
  'convertedcontactid',
  'convertedopportunityid',
]);

function address(prefix: string): Readonly<Record<string, string>> {
  const parts = ['Street', 'City', 'State', 'PostalCode', 'Country'];
  return Object.fromEntries(parts.map((part) => [`${prefix}${part}`, part]));
}

type Input = Readonly<Record<string, Value>>;
type Site = { readonly org: Org; readonly by: Author; readonly lead: Row; readonly wanted: LeadConvert };

/**
 * Converts a lead into an account, a contact and, unless the call forbids it, an opportunity, all or none. In existing rows only empty
 * fields are filled. Throws the status codes of SOAP results.
 */
export function convertLead(org: Org, userId: string, wanted: LeadConvert): Converted {
  return org.store.transact(() => {
    const leads = org.store.schema.object('Lead');
    if (leads === undefined || !mayConvert(org, userId)) {
      throw failure(403, 'INSUFFICIENT_ACCESS_OR_READONLY', 'insufficient access rights on cross-reference id', []);
    }
    const lead = writableRow(org.store, leads, wanted.leadId);
    const site = { org, by: { userId, conversion: org.metadata.leadConversion }, lead, wanted };
    checkWanted(site);
    const isPerson = (lead['Company'] ?? null) === null;
    const accountId = isPerson ? personAccount(site) : account(site);
    const contactId = isPerson ? personContact(site, accountId) : contact(site, accountId);
    const opportunityId = wanted.doNotCreateOpportunity ? null : opportunity(site, accountId, contactId);
    moveTasks(site, contactId, opportunityId ?? accountId);
    closeLead(site, leads, { accountId, contactId, opportunityId });
    return { leadId: String(lead['Id']), accountId, contactId, opportunityId };
  });
}

/** Who may edit leads, and create and edit what they become, and has "Convert Leads" (SOAP API Developer Guide, "convertLead()": Usage). */
function mayConvert({ access, store }: Org, userId: string): boolean {
  const made = ['Account', 'Contact', 'Opportunity'].map((name) => store.schema.object(name));
  return (
    access.hasUserPermission(userId, 'ConvertLeads') &&
    store.schema.object('Lead')?.updateable === true &&
    made.every((object) => object?.createable === true && object.updateable)
  );
}

function checkWanted({ org, lead, wanted }: Site): void {
  if (lead['IsConverted'] === true) {
    throw failure(400, 'CANNOT_UPDATE_CONVERTED_LEAD', 'cannot reference converted lead', []);
  }
  const status = wanted.convertedStatus ?? '';
  if (![...org.store.rows('LeadStatus')].some((row) => row['IsConverted'] === true && row['ApiName'] === status)) {
    throw failure(400, 'INVALID_STATUS', `invalid convertedStatus: ${status}`, ['Status']);
  }
  if (!(wanted.ownerId ?? String(lead['OwnerId'])).startsWith(USER_PREFIX)) {
    // The message as published; its code is assumed.
    const message =
      'Converted objects can only be owned by users.  If the lead is not owned by a user, you must specify a user for the Owner field.';
    throw failure(400, 'INVALID_CROSS_REFERENCE_KEY', message, ['OwnerId']);
  }
  const namesOpportunity = wanted.opportunityId !== undefined || wanted.opportunityName !== undefined;
  if (wanted.doNotCreateOpportunity && namesOpportunity) {
    const message =
      "One or more leads couldn't be converted. If doNotCreateOpportunity is true, opportunityName and opportunityId must be null.";
    throw failure(400, 'INVALID_FIELD', message, ['Id']);
  }
  if (wanted.contactId !== undefined && wanted.accountId === undefined) {
    throw failure(400, 'REQUIRED_FIELD_MISSING', 'A contact can only be given with its account', []);
  }
}

function account(site: Site): string {
  const { accountId } = site.wanted;
  if (accountId !== undefined) return fill(site, 'Account', accountId, TO_ACCOUNT);
  return create(site, 'Account', TO_ACCOUNT);
}

/** A person account, given or new. Throws if a contact is given, which such an account brings with it. */
function personAccount(site: Site): string {
  const { accountId, contactId } = site.wanted;
  if (contactId !== undefined) {
    throw failure(400, 'INVALID_CROSS_REFERENCE_KEY', 'a person account takes no contact', ['ContactId']);
  }
  return accountId === undefined ? create(site, 'Account', TO_PERSON) : fill(site, 'Account', accountId, TO_PERSON);
}

function personContact({ org }: Site, accountId: string): string {
  const contactId = org.store.get('Account', accountId)?.['PersonContactId'];
  if (typeof contactId === 'string') return contactId;
  throw failure(400, 'REQUIRED_FIELD_MISSING', 'Required fields are missing: [Company]', ['Company']);
}

function contact(site: Site, accountId: string): string {
  const { contactId, overwriteLeadSource } = site.wanted;
  if (contactId === undefined) return create(site, 'Contact', TO_CONTACT, { AccountId: accountId });
  const source = overwriteLeadSource ? { LeadSource: site.lead['LeadSource'] ?? null } : {};
  const id = fill(site, 'Contact', contactId, TO_CONTACT, source);
  if (site.org.store.get('Contact', id)?.['AccountId'] === accountId) return id;
  throw failure(400, 'INVALID_CROSS_REFERENCE_KEY', 'the contact is not one of the account', []);
}

function opportunity(site: Site, accountId: string, contactId: string): string {
  const { opportunityId, opportunityName } = site.wanted;
  if (opportunityId !== undefined) return fill(site, 'Opportunity', opportunityId, TO_OPPORTUNITY);
  const id = create(site, 'Opportunity', TO_OPPORTUNITY, {
    Name: opportunityName ?? site.lead['Company'] ?? site.lead['Name'] ?? null,
    AccountId: accountId,
    StageName: STAGES[0]?.name ?? null,
    CloseDate: endOfQuarter(site),
  });
  const role = { OpportunityId: id, ContactId: contactId, IsPrimary: true };
  site.org.dml.create(objectNamed(site, 'OpportunityContactRole'), role, site.by);
  return id;
}

/** The last day of the quarter in the user's time zone. The fiscal year is the calendar year. */
function endOfQuarter({ org, by }: Site): string {
  const today = wallTime(zoneOf(org.store, org.store.get('User', by.userId)), org.clock.now());
  const nextQuarter = Math.floor(today.getUTCMonth() / 3) * 3 + 3;
  return new Date(Date.UTC(today.getUTCFullYear(), nextQuarter, 0)).toISOString().slice(0, 10);
}

function objectNamed({ org }: Site, type: string): ObjectDef {
  const object = org.store.schema.object(type);
  if (object !== undefined) return object;
  throw failure(400, 'INSUFFICIENT_ACCESS_OR_READONLY', 'insufficient access rights on object id', []);
}

/** The lead's values for an object's fields, without fields that the user may not write: the standard ones, and custom ones by the org's mapping. */
function mapped({ org, lead }: Site, object: ObjectDef, fields: Readonly<Record<string, string>>): Input {
  const standard = Object.entries(fields).map(([name, from]) => [from, name] as const);
  const custom = org.metadata.leadConversion.mappings[object.name as ConversionTarget];
  const entries = [...standard, ...custom].flatMap(([from, name]) => {
    const value = lead[from] ?? null;
    const mayWrite = object.fields.get(name.toLowerCase())?.createable === true;
    return value === null || !mayWrite ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

function create(site: Site, type: string, fields: Readonly<Record<string, string>>, more: Input = {}): string {
  const object = objectNamed(site, type);
  const OwnerId = site.wanted.ownerId ?? site.lead['OwnerId'] ?? null;
  return site.org.dml.create(object, { ...mapped(site, object, fields), OwnerId, ...more }, site.by);
}

/** Fills empty fields of an existing row, which the user must be allowed to edit; a box that is not ticked counts as empty. */
function fill(
  site: Site,
  type: string,
  id: string,
  fields: Readonly<Record<string, string>>,
  more: Input = {},
): string {
  const object = objectNamed(site, type);
  const row = writableRow(site.org.store, object, id);
  const missing = Object.entries(mapped(site, object, fields)).filter(([name]) => isEmpty(row[name]));
  const set = { ...Object.fromEntries(missing), ...more };
  site.org.dml.update(object, id, set, site.by);
  return String(row['Id']);
}

function isEmpty(value: Value | undefined): boolean {
  return value === undefined || value === null || value === false;
}

/** Moves the lead's tasks to the new records. */
function moveTasks(site: Site, contactId: string, whatId: string): void {
  const { org, by, lead } = site;
  const tasks = org.store.schema.object('Task');
  if (tasks === undefined) return;
  for (const task of rowsOf(org.store, 'Task', 'WhoId', lead['Id'] ?? null)) {
    if (task['IsDeleted'] === true) continue;
    org.dml.update(tasks, String(task['Id']), { WhoId: contactId, WhatId: whatId }, by);
  }
}

function closeLead(
  { org, by, lead, wanted }: Site,
  leads: ObjectDef,
  made: Pick<Converted, 'accountId' | 'contactId' | 'opportunityId'>,
): void {
  const fields = new Map(
    [...leads.fields].map(([key, field]) => [key, SET_BY_CONVERSION.has(key) ? { ...field, updateable: true } : field]),
  );
  const set = {
    Status: wanted.convertedStatus ?? null,
    IsConverted: true,
    ConvertedDate: wallTime(zoneOf(org.store, org.store.get('User', by.userId)), org.clock.now())
      .toISOString()
      .slice(0, 10),
    ConvertedAccountId: made.accountId,
    ConvertedContactId: made.contactId,
    ConvertedOpportunityId: made.opportunityId,
  };
  org.dml.update({ ...leads, fields }, String(lead['Id']), set, by);
}
