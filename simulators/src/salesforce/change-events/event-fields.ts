import type { FieldDef, ObjectDef } from '../schema/types.ts';

/**
 * A field of a change event: one field of the object, or a compound of several. Its index in the list is its bit in the header's bitmaps.
 */
export type EventField =
  | { readonly name: string; readonly kind: 'single'; readonly field: FieldDef }
  | { readonly name: string; readonly kind: 'compound'; readonly type: CompoundType; readonly parts: Parts };

/** The parts of a compound, by the compound's names, each with the object's field or null. */
type Parts = readonly { readonly name: string; readonly field: FieldDef | null }[];

type CompoundType = 'Address' | 'PersonName';

const COMPOUND_PARTS: Readonly<Record<CompoundType, readonly string[]>> = {
  Address: ['Street', 'City', 'State', 'PostalCode', 'Country', 'StateCode', 'CountryCode'],
  PersonName: ['Salutation', 'FirstName', 'LastName'],
};

/** System fields that no change event has, and fields without a stored value (Change Event Message Structure). */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'Id',
  'IsDeleted',
  'SystemModstamp',
  'LastActivityDate',
  'LastViewedDate',
  'LastReferencedDate',
  'PhotoUrl',
]);

/**
 * The fields of an object's change event, in the order of its schema, after the header. Formula fields are left out; addresses and names of
 * people are compounds (Get Compound Fields in Change Events).
 */
export function eventFields(object: ObjectDef): readonly EventField[] {
  const found: EventField[] = [];
  for (const field of object.fields.values()) {
    if (LEFT_OUT.has(field.name) || field.formula !== null) continue;
    const compound = compoundOf(object, field.name);
    if (compound === undefined) found.push({ name: field.name, kind: 'single', field });
    else if (!found.some(({ name }) => name === compound.name)) found.push(compound);
  }
  return found;
}

/** All fields of the object that an event's fields contain. */
export function carriedFields(fields: readonly EventField[]): readonly FieldDef[] {
  return fields.flatMap((each) => (each.kind === 'single' ? [each.field] : each.parts.flatMap(ownField)));
}

function ownField({ field }: Parts[number]): readonly FieldDef[] {
  return field === null ? [] : [field];
}

function compoundOf(object: ObjectDef, fieldName: string): EventField | undefined {
  const address =
    /^(Billing|Shipping|Mailing|Other|)(Street|City|State|PostalCode|Country|StateCode|CountryCode)$/.exec(fieldName);
  if (address !== null) return compound(object, `${address[1]}Address`, 'Address', address[1] ?? '');
  const isOfPerson = object.fields.has('lastname') && [...COMPOUND_PARTS.PersonName, 'Name'].includes(fieldName);
  return isOfPerson ? compound(object, 'Name', 'PersonName', '') : undefined;
}

function compound(object: ObjectDef, name: string, type: CompoundType, prefix: string): EventField {
  const parts = COMPOUND_PARTS[type].map((part) => ({
    name: part,
    field: object.fields.get(`${prefix}${part}`.toLowerCase()) ?? null,
  }));
  return { name, kind: 'compound', type, parts };
}
