import type { FieldName } from '../../domain/record/canonical.ts';
import type { CrmSchema, SchemaField } from '../../domain/record/crm-schema.ts';
import type { FieldKind } from '../../domain/record/field-spec.ts';
import { FIELDS, NARROWABLE } from '../../domain/record/fields.ts';
import { crmFieldOf, directionOf, type MappingConfig } from '../../domain/record/mapping-config.ts';
import { grantOf } from '../../domain/record/permission-sets.ts';
import type { Misfit } from './problem.ts';

/**
 * Synced fields that are mapped to a single CRM field: of the opportunity, or across a lookup. The status is not among them, because the
 * stage table maps it.
 */
const HELD_BY_ONE = NARROWABLE.filter((field) => field !== 'status');

/** Problems of single mapped fields: the org lacks the field, its type is unsuitable, it is too short, or it cannot be written. */
export function judgeMappedFields(mapping: MappingConfig, schema: CrmSchema): readonly Misfit[] {
  return HELD_BY_ONE.flatMap((field) => judgeField(field, mapping, schema));
}

/**
 * The org's description of the field at the end of a path that begins at the opportunity, such as `Campaign.Code__c`. Null if the field is
 * missing or hidden.
 */
export function fieldAt(path: string, schema: CrmSchema): SchemaField | null {
  const fields = schema['Opportunity']?.fields ?? {};
  const [first = '', name] = path.split('.');
  if (name === undefined) return fields[first] ?? null;
  const lookup = Object.values(fields).find((each) => each.lookup?.name === first)?.lookup;
  const targets = lookup?.to.map((object) => schema[object]?.fields[name]) ?? [];
  return targets.find((found) => found !== undefined) ?? null;
}

/** The objects that the paths in the mapping reach across lookups of the opportunity. */
export function objectsAcross(mapping: MappingConfig, schema: CrmSchema): readonly string[] {
  const relations = HELD_BY_ONE.map((field) => crmFieldOf(field, mapping).split('.')).flatMap(([first = '', name]) =>
    name === undefined ? [] : [first],
  );
  const lookups = Object.values(schema['Opportunity']?.fields ?? {}).map(({ lookup }) => lookup);
  return [...new Set(lookups.flatMap((lookup) => (lookup && relations.includes(lookup.name) ? lookup.to : [])))];
}

function judgeField(field: FieldName, mapping: MappingConfig, schema: CrmSchema): readonly Misfit[] {
  const path = crmFieldOf(field, mapping);
  const found = fieldAt(path, schema);
  const at = ['fields', field, 'crm'];
  if (found === null) return [{ at, verdict: 'fails', ...absent(path, schema) }];
  return [
    ...judgeType(field, path, found, mapping),
    ...judgeLength(field, path, found, mapping, schema),
    ...judgeWriting(field, path, found, mapping),
  ];
}

function absent(path: string, schema: CrmSchema): Pick<Misfit, 'what' | 'repair'> {
  const names = Object.keys(schema['Opportunity']?.fields ?? {});
  const meant = names.find((name) => name.toLowerCase() === path.toLowerCase());
  if (meant !== undefined)
    return { what: `Opportunity has ${meant}, in other letters`, repair: `write it as ${meant}` };
  return {
    what: `Opportunity.${path} is not there, or hidden from the integration user`,
    repair: path.endsWith('__c')
      ? `make the field, or ${grantOf([path])}, or name another`
      : 'name a field that the org has',
  };
}

const TEXTS = ['string', 'textarea', 'picklist', 'combobox', 'email', 'phone', 'url', 'encryptedstring'];
const NUMBERS = ['int', 'long', 'double', 'currency', 'percent', 'boolean', 'id', 'reference'];

/**
 * For each kind of synced field, the types of CRM fields that fit. `holds`: types that can store the field's values. `shows`: types from
 * which Lockstep can read the values but to which it cannot write them. A field with such a type can only be synced to the vendor.
 */
const TYPES: Partial<Record<FieldKind, { readonly holds: readonly string[]; readonly shows: readonly string[] }>> = {
  text: { holds: TEXTS, shows: NUMBERS },
  email: { holds: ['email', 'string', 'textarea'], shows: [] },
  code: { holds: ['picklist', 'string', 'combobox'], shows: [] },
  codes: { holds: ['multipicklist'], shows: ['picklist', 'string', 'combobox'] },
  date: { holds: ['date'], shows: ['datetime'] },
};

/**
 * How a CRM field of this type fits a synced field. `holds`: the CRM field can store the field's values. `shows`: Lockstep can read the
 * values from the CRM field but cannot write them to it. The field can then only be synced to the vendor. Null: neither.
 */
export function fitOf(field: FieldName, type: string): 'holds' | 'shows' | null {
  const fitting = TYPES[FIELDS[field].kind];
  if (fitting === undefined) return null;
  if (fitting.holds.includes(type)) return 'holds';
  return fitting.shows.includes(type) ? 'shows' : null;
}

function judgeType(field: FieldName, path: string, { type }: SchemaField, mapping: MappingConfig): readonly Misfit[] {
  const fitting = TYPES[FIELDS[field].kind];
  if (fitting === undefined || fitting.holds.includes(type)) return [];
  const isRead = directionOf(field, mapping) === 'to-vendor';
  if (fitting.shows.includes(type) && isRead) return [];
  const repair = fitting.shows.includes(type)
    ? `write direction: to-vendor, or name a field of type ${fitting.holds.join(', ')}`
    : `name a field of type ${fitting.holds.join(', ')}`;
  const what = `${path} is of type ${type}, which holds no ${FIELDS[field].kind}`;
  return [{ at: ['fields', field, 'crm'], verdict: 'fails', what, repair }];
}

/**
 * The problem that a CRM text field is too short. The vendor documents no maximum length, so the field must be as long as the one in the
 * CRM package.
 */
function judgeLength(
  field: FieldName,
  path: string,
  { type, length }: SchemaField,
  mapping: MappingConfig,
  schema: CrmSchema,
): readonly Misfit[] {
  const usual = FIELDS[field].crm;
  const room = schema['Opportunity']?.fields[usual]?.length ?? 0;
  const isText = TEXTS.includes(type) && type !== 'picklist';
  if (!isText || directionOf(field, mapping) === 'to-vendor' || length >= room) return [];
  const what = `${path} holds ${length} characters, and ${usual} ${room}: a longer text of the vendor’s waits`;
  const repair = 'lengthen it, or name a longer field';
  return [{ at: ['fields', field, 'crm'], verdict: 'warns', what, repair }];
}

function judgeWriting(
  field: FieldName,
  path: string,
  { isCalculated, updateable }: SchemaField,
  mapping: MappingConfig,
): readonly Misfit[] {
  if (updateable || directionOf(field, mapping) === 'to-vendor') return [];
  const at = ['fields', field, 'direction'];
  return isCalculated
    ? [
        {
          at,
          verdict: 'fails',
          what: `${path} is a formula, and nobody can write it`,
          repair: 'write direction: to-vendor, or name a field that can be written',
        },
      ]
    : [
        {
          at,
          verdict: 'fails',
          what: `${path} cannot be written by the integration user, so what the vendor says of it waits`,
          repair: 'let a permission set make it editable for the integration user, or write direction: to-vendor',
        },
      ];
}
