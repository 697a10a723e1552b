import type { FieldName, Observed } from '../../record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../../record/fields.ts';
import type { VendorObservation } from '../../record/observation.ts';
import { calendarDate } from '../../values/date.ts';
import { readForecast } from '../../values/forecast.ts';
import { codeSet, readObject, readText } from '../../values/text.ts';
import type { MappingConfig } from '../config.ts';
import { vendorCustomerContacts, vendorPartnerContacts } from '../kinds/contacts.ts';
import { ENTITY_KEYS, entityOfVendor } from '../kinds/entity.ts';
import { vendorLine } from '../kinds/lines.ts';
import { readMember } from '../kinds/members.ts';
import { READ_ONLY_FIELDS, readOnlyOf } from '../read-only.ts';
import type { VendorRaw } from '../types.ts';

/**
 * The canonical record of a vendor read (sales spec 2.8). Codes travel raw. A key that the read does not show, or
 * whose value is not of the documented kind, is left out (unknown), the latter named in `unknownFields` as well.
 * `vendorId` is `''` when the read does not show it; the caller knows it from the path. Pure.
 *
 * @param readAt ISO instant at which the answer arrived.
 */
export function observeVendor(raw: VendorRaw, config: MappingConfig, readAt: string): VendorObservation {
  const record: Record<string, unknown> = {};
  const malformed: string[] = [];
  for (const field of FIELD_NAMES) {
    const shown = shownValue(field, raw);
    if (shown === undefined) continue;
    const value = readValue(field, shown, raw, config);
    if (value === undefined) malformed.push(field);
    else record[field] = value;
  }
  return {
    record: record as Observed,
    vendorId: readText(raw['dsLeadOpportunityId']) ?? '',
    reference: readText(raw['partnerLeadOpportunityId']) ?? null,
    readOnly: readOnlyOf(raw),
    unknownFields: [...malformed, ...unknownNames(raw)],
    version: readText(raw['modifiedDate']) ?? null,
    readAt,
  };
}

/** Where a read shows the fields whose key is not their name (sales spec 2.7: singular on read). */
const ALIASES: Partial<Record<FieldName, readonly string[]>> = {
  customerContacts: ['customerContact', 'customerContacts'],
  partnerContacts: ['partnerContact', 'partnerContacts'],
  customerSiteId: ['customerLegalEntity'],
};

function shownValue(field: FieldName, raw: VendorRaw): unknown {
  const key = (ALIASES[field] ?? [field]).find((name) => raw[name] !== undefined);
  return key === undefined ? undefined : raw[key];
}

function readValue(field: FieldName, shown: unknown, raw: VendorRaw, config: MappingConfig): unknown {
  if (field === 'customerSiteId') return readSiteId(shown);
  switch (FIELDS[field].kind) {
    case 'text':
    case 'email':
      return readText(shown);
    case 'code':
      return readCode(field, shown, config);
    case 'date':
      return readDate(shown, config.zone);
    case 'codes':
      return readCodes(field, shown, config);
    case 'entity':
      return readEntity(shown);
    case 'lines':
      return readLines(shown, readText(raw['currency']) || config.currency, config);
    case 'customer-contacts':
      return mapRows(shown, vendorCustomerContacts);
    case 'partner-contacts':
      return mapRows(shown, vendorPartnerContacts);
  }
}

function readSiteId(shown: unknown): unknown {
  if (isUnset(shown)) return null;
  const entity = readObject(shown);
  return entity === undefined ? undefined : readText(entity['id'] ?? null);
}

/** A code spelled like a name that the tenant file gives another code to is that code, as it would be in the CRM. */
function readCode(field: FieldName, shown: unknown, config: MappingConfig): unknown {
  const text = readText(shown);
  return text && field === 'forecastCategory' ? readForecast(text, config) : text;
}

function readDate(shown: unknown, zone: string): unknown {
  if (isUnset(shown)) return null;
  return typeof shown === 'string' ? (calendarDate(shown, zone) ?? undefined) : undefined;
}

function readCodes(field: FieldName, shown: unknown, config: MappingConfig): unknown {
  if (isUnset(shown)) return [];
  const members = typeof shown === 'string' ? [shown] : shown;
  if (!Array.isArray(members)) return undefined;
  const texts = members.map((member) => readText(member));
  if (texts.includes(undefined)) return undefined;
  return codeSet(texts.map((text) => (text ? readMember(field, text, config) : '')));
}

function readEntity(shown: unknown): unknown {
  if (isUnset(shown)) return null;
  const entity = readObject(shown);
  return entity === undefined ? undefined : entityOfVendor(entity);
}

function readLines(shown: unknown, currency: string, config: MappingConfig): unknown {
  return mapRows(shown, (rows) => {
    const lines = rows.map((row) => vendorLine(row, currency, config));
    return lines.includes(undefined) ? undefined : lines;
  });
}

/** A list of objects; a single object counts as a list of one, as the read's key is singular. */
function mapRows<T>(
  shown: unknown,
  map: (rows: readonly Readonly<Record<string, unknown>>[]) => T,
): T | undefined {
  const items = isUnset(shown) ? [] : Array.isArray(shown) ? shown : [shown];
  const rows = items.map(readObject).filter((row) => row !== undefined);
  return rows.length === items.length ? map(rows) : undefined;
}

function isUnset(value: unknown): boolean {
  return value === null || value === '';
}

const KNOWN: ReadonlySet<string> = new Set([
  ...FIELD_NAMES.filter((field) => field !== 'customerSiteId').flatMap((field) => ALIASES[field] ?? [field]),
  ...Object.keys(READ_ONLY_FIELDS),
  'dsLeadOpportunityId',
  'partnerLeadOpportunityId',
]);

const KNOWN_IN_ENTITY: ReadonlySet<string> = new Set(['id', ...ENTITY_KEYS]);

function unknownNames(raw: VendorRaw): readonly string[] {
  const entity = Object.keys(readObject(raw['customerLegalEntity']) ?? {});
  return [
    ...Object.keys(raw).filter((name) => !KNOWN.has(name)),
    ...entity.filter((name) => !KNOWN_IN_ENTITY.has(name)).map((name) => `customerLegalEntity.${name}`),
  ];
}
