import type { LegalEntity, Text } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import { readText } from '../../values/text.ts';

/** Keys of `customerLegalEntity` other than `id` (sales spec 2.6). */
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

/** The account field of the vendor's site id. */
export const SITE_ID_FIELD = 'Vendor_Site_Id__c';

/** Account fields that hold one entity key each; the two address lines share `BillingStreet`. */
export const ACCOUNT_FIELDS = {
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

/**
 * The legal entity of an account: first line of the street is `addressLine1`, the rest `addressLine2`. Undefined
 * (unknown) when the user may not see one of the fields, because the entity is sent whole and the hidden field
 * would be cleared at the vendor.
 */
export function entityOfAccount(account: CrmFields): LegalEntity | undefined {
  const fields = [...Object.values(ACCOUNT_FIELDS), STREET];
  if (fields.some((field) => account[field] === undefined)) return undefined;
  const cells = Object.entries(ACCOUNT_FIELDS).map(([key, field]) => [key, readText(account[field]) ?? null]);
  const [first, ...rest] = (readText(account[STREET]) ?? '').split(/\r\n|\r|\n/);
  const street = { addressLine1: first || null, addressLine2: rest.join('\n') || null };
  return { ...Object.fromEntries(cells), ...street } as LegalEntity;
}

/** Account fields for a vendor-created deal; unset ones are left out. */
export function accountOfEntity(entity: LegalEntity, siteId: Text): CrmFields {
  const fields: Record<string, string> = {};
  for (const [key, field] of Object.entries(ACCOUNT_FIELDS)) {
    const value = entity[key as keyof typeof ACCOUNT_FIELDS];
    if (value !== null) fields[field] = value;
  }
  const street = streetOf(entity);
  if (street !== null) fields[STREET] = street;
  if (siteId !== null) fields[SITE_ID_FIELD] = siteId;
  return fields;
}

/** The vendor's form, all keys present, unset ones null (sales spec 2.6). */
export function entityBody(entity: LegalEntity, siteId: Text): Readonly<Record<string, Text>> {
  return { id: siteId, ...Object.fromEntries(ENTITY_KEYS.map((key) => [key, entity[key]])) };
}

/** The entity of a read; missing keys are unset, an object without any value is no entity. Undefined when malformed. */
export function entityOfVendor(raw: Readonly<Record<string, unknown>>): LegalEntity | null | undefined {
  const cells = ENTITY_KEYS.map((key) => [key, readText(raw[key] ?? null)] as const);
  if (cells.some(([, value]) => value === undefined)) return undefined;
  if (cells.every(([, value]) => value === null)) return null;
  return Object.fromEntries(cells) as LegalEntity;
}

function streetOf(entity: LegalEntity): Text {
  if (entity.addressLine2 === null) return entity.addressLine1;
  return `${entity.addressLine1 ?? ''}\n${entity.addressLine2}`;
}
