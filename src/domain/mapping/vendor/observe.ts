import type { FieldName, Observed } from '../../record/canonical.ts';
import { FIELD_NAMES } from '../../record/fields.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import type { VendorObservation } from '../../record/observation.ts';
import { readReference } from '../../record/reference.ts';
import { readObject, readText } from '../../values/text.ts';
import { ENTITY_KEYS } from '../kinds/entity.ts';
import { lensOf } from '../lens-of.ts';
import { READ_ONLY_FIELDS, readOnlyOf } from '../read-only.ts';
import type { VendorRaw } from '../types.ts';

/**
 * Converts the vendor's answer to a read into a canonical record (one form for both sides; sales spec 2.8). A field is left out, which
 * means unknown, if its key is missing or its value has another type than documented. `unknownFields` contains the fields with such a
 * value, and keys that Lockstep does not know. `vendorId` is `''` if the answer does not contain it. `readAt`: when the answer arrived,
 * ISO. Pure.
 */
export function observeVendor(raw: VendorRaw, config: MappingConfig, readAt: string): VendorObservation {
  const record: Record<string, unknown> = {};
  const malformed: string[] = [];
  const currency = readText(raw['currency']) || config.currency;
  const held = readText(raw['partnerLeadOpportunityId']) ?? null;
  const reference = readReference(held, config);
  for (const field of FIELD_NAMES) {
    const key = readKeys(field).find((name) => raw[name] !== undefined);
    if (key === undefined) continue;
    const value = lensOf(field).fromVendor(raw[key], { field, config, currency });
    if (value === undefined) malformed.push(field);
    else record[field] = value;
  }
  return {
    record: record as Observed,
    vendorId: readText(raw['dsLeadOpportunityId']) ?? '',
    reference,
    ...(reference === held ? {} : { isReferenceEntered: true as const }),
    readOnly: readOnlyOf(raw),
    unknownFields: [...malformed, ...unknownNames(raw)],
    version: readText(raw['modifiedDate']) ?? null,
    readAt,
  };
}

/** The keys under which the vendor's answer to a read may contain a field. */
function readKeys(field: FieldName): readonly string[] {
  const { readAs, key } = lensOf(field).vendor;
  return readAs ?? [key ?? field];
}

const KNOWN: ReadonlySet<string> = new Set([
  ...FIELD_NAMES.flatMap(readKeys),
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
