import type { LegalEntity, Observed, Text } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../record/crm-graph.ts';
import { ISSUES } from '../../record/issues.ts';
import type { MovedTo } from '../../record/moved-account.ts';
import { isUnset, readObject, readText } from '../../values/text.ts';
import {
  type CrmValueRead,
  type Lens,
  neverToCrm,
  readValue,
  type ToVendor,
  unknown,
  type VendorTarget,
  withhold,
} from '../lens.ts';
import { keepKeys } from './keep-values.ts';

/** The keys of the vendor's object `customerLegalEntity` (the customer's company) other than `id` (sales spec 2.6). */
export const ENTITY_KEYS = [
  'name',
  'city',
  'country',
  'addressLine1',
  'addressLine2',
  'statePrefecture',
  'zipCode',
  'websiteUrl',
  'dunsNumber',
  'vatNumber',
  'registrationId',
] as const satisfies readonly (keyof LegalEntity)[];

/**
 * For keys of the vendor's `customerLegalEntity` (the customer's company), the account field that contains the value. The two address lines
 * are missing here, because both are in `BillingStreet`.
 */
const ACCOUNT_FIELDS = {
  name: 'Name',
  city: 'BillingCity',
  country: 'BillingCountry',
  statePrefecture: 'BillingState',
  zipCode: 'BillingPostalCode',
  websiteUrl: 'Website',
  dunsNumber: 'Vendor_DUNS__c',
  vatNumber: 'Vendor_VAT_Number__c',
  registrationId: 'Vendor_Registration_Id__c',
} as const satisfies Partial<Record<keyof LegalEntity, string>>;

const STREET = 'BillingStreet';

const FIELDS_READ = [...Object.values(ACCOUNT_FIELDS), STREET];

/**
 * Translates the end customer's company between the CRM's account and the vendor (sales spec 2.6). An account may belong to several deals,
 * so a sync of one deal never changes the company's name or address in the CRM.
 */
export const ENTITY: Lens<LegalEntity | null> = {
  unset: null,
  scalar: false,
  crmFields: () => ({ Account: FIELDS_READ }),
  vendor: { place: 'beside' },
  key: entityKey,
  fromCrm: (graph) => {
    const read = ofAccount(graph, entityOfAccount);
    return read.value === undefined ? unknown(ISSUES.notReadable('customerLegalEntity', 'the account')) : read;
  },
  fromVendor: (value) => {
    if (isUnset(value)) return null;
    const entity = readObject(value);
    return entity === undefined ? undefined : entityOfVendor(entity);
  },
  toCrm: neverToCrm,
  forVendor: (crm, { agreed, vendor }) =>
    crm === null || isOfOtherAccount(crm, agreed) ? crm : keepKeys(crm, agreed ?? undefined, vendor ?? undefined),
  toNewCrm: (entity) => (entity === null ? {} : { account: accountOfEntity(entity) }),
  toVendor: (entity, at) =>
    entity === null ? { kind: 'unset' } : sendEntity(entity, wanted('customerSiteId', at) ?? null, at),
};

function isOfOtherAccount(crm: LegalEntity, agreed: LegalEntity | null): boolean {
  const previousValues = agreed?.crmAccountId;
  return previousValues !== undefined && crm.crmAccountId !== undefined && crm.crmAccountId !== previousValues;
}

/**
 * Reads a value from the deal's account by the function `read`. Null (unset) if the deal has no account; undefined (unknown) if the account
 * is hidden from the integration user.
 */
export function ofAccount<V>(graph: CrmGraph, read: (account: CrmFields) => V | undefined): CrmValueRead<V | null> {
  if (graph.account !== null) return readValue<V | null>(read(graph.account));
  return readValue<V | null>(graph.opportunity['AccountId'] === null ? null : undefined);
}

/**
 * The legal entity (the customer's company) as part of a request. The vendor accepts the entity only whole, with its site id (sales spec
 * 2.6). A key without a value on either side is left out unless it is required, because a vendor user may have filled it in since the read.
 * If the deal has moved to another account, no value of the previous company is sent.
 */
export function sendEntity(entity: LegalEntity, siteId: Text, { present, movedTo }: VendorTarget): ToVendor {
  if (movedTo !== undefined) return sendOtherCompany(movedTo);
  const held = present.customerLegalEntity;
  const isSent = (key: keyof LegalEntity): boolean =>
    entity[key] !== null || REQUIRED_KEYS.has(key) || Boolean(held?.[key]);
  const cells = ENTITY_KEYS.filter(isSent).map((key) => [key, entity[key]]);
  const site = siteId === null ? {} : { id: siteId };
  return {
    kind: 'send',
    value: { ...site, ...Object.fromEntries(cells) },
    record: { customerLegalEntity: entity, ...(siteId === null ? {} : { customerSiteId: siteId }) },
  };
}

/**
 * The legal entity (the customer's company) in a request after the deal got another account. Unset keys are sent as null, because the
 * vendor would otherwise keep the previous company's values.
 */
function sendOtherCompany({ entity, siteId }: MovedTo): ToVendor {
  if (entity === undefined) return withhold(ISSUES.notReadable('customerLegalEntity', 'the account'));
  const cells = ENTITY_KEYS.map((key) => [key, entity[key]]);
  return {
    kind: 'send',
    value: { id: siteId, ...Object.fromEntries(cells) },
    record: { customerLegalEntity: entity, customerSiteId: siteId },
  };
}

const REQUIRED_KEYS: ReadonlySet<keyof LegalEntity> = new Set(['name', 'city', 'country']);

/**
 * The value that a field has at the vendor after the request: the value to send, else the merged value, else the vendor's present value.
 */
export function wanted<F extends keyof Observed>(field: F, at: VendorTarget): Observed[F] {
  return at.changes[field] ?? at.target[field] ?? at.present[field];
}

/**
 * The legal entity (the customer's company) of an account. The first line of the street becomes `addressLine1`, the rest `addressLine2`.
 * Undefined (unknown) if the integration user may not read one of the fields, because the entity is sent whole and would clear the hidden
 * field at the vendor.
 */
function entityOfAccount(account: CrmFields): LegalEntity | undefined {
  if (FIELDS_READ.some((field) => account[field] === undefined)) return undefined;
  const cells = Object.entries(ACCOUNT_FIELDS).map(([key, field]) => [key, readText(account[field]) ?? null]);
  const [first, ...rest] = (readText(account[STREET]) ?? '').split(/\r\n|\r|\n/);
  const street = { addressLine1: first || null, addressLine2: rest.join('\n') || null };
  const id = typeof account['Id'] === 'string' ? { crmAccountId: account['Id'] } : {};
  return { ...Object.fromEntries(cells), ...street, ...id } as LegalEntity;
}

/** The fields of a new CRM account with the values of a legal entity, for a vendor-created deal. Unset fields are left out. */
function accountOfEntity(entity: LegalEntity): CrmFields {
  const fields: Record<string, string> = {};
  for (const [key, field] of Object.entries(ACCOUNT_FIELDS)) {
    const value = entity[key as keyof typeof ACCOUNT_FIELDS];
    if (value !== null) fields[field] = value;
  }
  const street = streetOf(entity);
  if (street !== null) fields[STREET] = street;
  return fields;
}

/**
 * The legal entity (the customer's company) in a vendor read. Missing keys are unset. An object without any value becomes null. Undefined
 * if the object is malformed.
 */
function entityOfVendor(raw: Readonly<Record<string, unknown>>): LegalEntity | null | undefined {
  const cells = ENTITY_KEYS.map((key) => [key, readText(raw[key] ?? null)] as const);
  if (cells.some(([, value]) => value === undefined)) return undefined;
  if (cells.every(([, value]) => value === null)) return null;
  return Object.fromEntries(cells) as LegalEntity;
}

function streetOf(entity: LegalEntity): Text {
  if (entity.addressLine2 === null) return entity.addressLine1;
  return `${entity.addressLine1 ?? ''}\n${entity.addressLine2}`;
}

function entityKey(value: unknown): string {
  const entity = readObject(value);
  const cells = entity === undefined ? [] : ENTITY_KEYS.map((key) => entity[key] || null);
  return JSON.stringify(cells.every((cell) => cell === null) ? null : cells);
}
