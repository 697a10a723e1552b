import { z } from 'zod';
import { ENGINE_FIELDS } from '../domain/mapping/index.ts';
import type { FieldName } from '../domain/record/canonical.ts';
import type { FieldSpec } from '../domain/record/field-spec.ts';
import { FIELD_NAMES, FIELDS, MAPPABLE, NARROWABLE } from '../domain/record/fields.ts';
import type { FieldMapping, MappingConfig } from '../domain/record/mapping-config.ts';
import { lookupOf } from '../domain/record/mapping-config.ts';
import type { Transform } from '../domain/record/transform.ts';
import { isExact } from '../domain/values/transforms.ts';
import type { Problem } from './problems.ts';
import { problemAt } from './schema-problems.ts';
import type { YamlFile } from './yaml-file.ts';

const section = { error: 'must be a section with its keys indented below it' };

/** Schema of a field's conflict rule: which side's value wins if both sides changed the field. */
export const rule = z.enum(['newest', 'crm', 'vendor', 'manual'], {
  error: 'must be newest, crm, vendor or manual',
});

/** Schema of the direction in which a field's changes are synced. */
export const direction = z.enum(['both', 'to-vendor', 'to-crm', 'first-sync'], {
  error: 'must be both, to-vendor, to-crm or first-sync',
});

const NAME =
  'must be a field as Salesforce names it, such as Tactic__c, or one across a lookup, such as Campaign.Code__c';

const WORD = 'must be a text, in quotes if it is a number';
const word = z.string({ error: WORD }).min(1, { error: WORD });

/**
 * The maximum number of transforms of a field, and the maximum length of a text that a transform adds or removes. They are limited because
 * a worker applies all transforms to each record.
 */
const [MOST_TRANSFORMS, LONGEST_AFFIX] = [20, 255];
const affix = word.max(LONGEST_AFFIX, { error: `must have at most ${LONGEST_AFFIX} characters` });

const TRANSFORM =
  'must be trim, upper, lower or digits, or truncate, prefix, suffix, without-prefix or without-suffix with its value, such as prefix: X-';

/** A transform (a conversion of a field's text) in a mapping file: its name, such as `trim`, or its name with its argument. */
const transform = z.union(
  [
    z.enum(['trim', 'upper', 'lower', 'digits']).transform((kind): Transform => ({ kind })),
    z
      .strictObject({ truncate: z.int().min(1) })
      .transform(({ truncate }): Transform => ({ kind: 'truncate', length: truncate })),
    ...(['prefix', 'suffix', 'without-prefix', 'without-suffix'] as const).map((kind) =>
      z.strictObject({ [kind]: affix }).transform((given): Transform => ({ kind, text: String(given[kind]) })),
    ),
  ],
  { error: TRANSFORM },
);

const field = z.strictObject(
  {
    crm: z
      .string({ error: NAME })
      .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)?$/, { error: NAME })
      .optional()
      .meta({ description: 'The field of the opportunity that holds it, or one across a lookup.' }),
    direction: direction.optional().meta({ description: 'Where changes of it travel.' }),
    rule: rule.optional().meta({ description: 'Who wins when both sides changed it.' }),
    default: word.optional().meta({ description: 'What an empty field of the CRM counts as.' }),
    transform: z
      .array(transform, { error: TRANSFORM })
      .min(1, { error: 'must have at least one; leave it out to have none' })
      .max(MOST_TRANSFORMS, { error: `must have at most ${MOST_TRANSFORMS}` })
      .optional()
      .meta({ description: 'What is done to the text of the CRM, one after the other.' }),
    values: z
      .record(z.string(), word, { error: 'must be pairs of a text of the CRM and the vendor’s' })
      .optional()
      .meta({ description: 'What texts of the CRM are at the vendor.' }),
  },
  section,
);

/** The section `fields` of a mapping file: all settings of each field. */
export const fieldSettings = z.partialRecord(z.enum(FIELD_NAMES), field, section);

type Settings = z.output<typeof fieldSettings>;
type Parts = Pick<MappingConfig, 'directions' | 'rules' | 'fields'>;

/**
 * Converts the settings in the section `fields` to the form in which a mapping stores them. Settings that equal the default are left out.
 */
export function settingsOf(settings: Settings): Parts {
  const entries = Object.entries(settings) as [FieldName, Settings[FieldName] & object][];
  const directions = entries.flatMap(([name, given]) => {
    const asked = given.direction ?? (isReadOnly(given) ? 'to-vendor' : undefined);
    return asked === undefined || asked === FIELDS[name].direction ? [] : [[name, asked] as const];
  });
  const rules = entries.flatMap(([name, given]) =>
    given.rule === undefined || given.rule === FIELDS[name].rule ? [] : [[name, given.rule] as const],
  );
  const fields = entries.flatMap(([name, given]) => {
    const mapping = mappingOf(name, given);
    return Object.keys(mapping).length === 0 ? [] : [[name, mapping] as const];
  });
  return { ...under('directions', directions), ...under('rules', rules), ...under('fields', fields) };
}

function under(key: string, entries: readonly (readonly [string, unknown])[]): object {
  return entries.length === 0 ? {} : { [key]: Object.fromEntries(entries) };
}

function mappingOf(
  name: FieldName,
  { crm, default: usual, transform: made, values }: Settings[FieldName] & object,
): FieldMapping {
  return {
    ...(crm === undefined || crm === FIELDS[name].crm ? {} : { crm }),
    ...(usual === undefined ? {} : { default: usual }),
    ...(made === undefined ? {} : { transform: made }),
    ...(values === undefined ? {} : { values: Object.entries(values) }),
  };
}

/**
 * Whether the vendor's value of a field cannot be written to the CRM. The reason is that the CRM field belongs to a related record (across
 * a lookup), or that the field's transform cannot be reversed. The default direction of such a field is `to-vendor`.
 */
function isReadOnly({ crm, transform: made }: Settings[FieldName] & object): boolean {
  return isAcrossLookup(crm) || (made !== undefined && !isExact(made));
}

function isAcrossLookup(crm: string | undefined): boolean {
  return crm !== undefined && lookupOf(crm) !== null;
}

/** Problems in the section `fields` that its schema cannot find, such as a direction that a field cannot have. */
export function fieldProblems(yaml: YamlFile, settings: Settings): readonly Problem[] {
  const names = FIELD_NAMES.filter((name) => settings[name] !== undefined);
  return names.flatMap((name) => {
    const { crm, direction: way } = settings[name] ?? {};
    const at = (key: string, message: string): Problem => problemAt(yaml, ['fields', name, key], message);
    return [
      ...(crm === undefined ? [] : placeProblems(name, crm, settings).map((message) => at('crm', message))),
      ...(way === undefined ? [] : wayProblems(name, way, crm).map((message) => at('direction', message))),
      ...TEXT_SETTINGS.filter((key) => settings[name]?.[key] !== undefined && !hasTexts(name, key)).map((key) =>
        at(key, 'cannot be said of this field: remove it'),
      ),
    ];
  });
}

const OURS: ReadonlySet<string> = new Set(
  [...ENGINE_FIELDS, 'Vendor_Status__c', 'CurrencyIsoCode', ...fixedPlaces()].map((name) => name.toLowerCase()),
);

function fixedPlaces(): readonly string[] {
  return FIELD_NAMES.filter((name) => !isMappable(name)).map((name) => FIELDS[name].crm);
}

function isMappable(name: FieldName): boolean {
  return (MAPPABLE as readonly string[]).includes(name);
}

const TEXT_SETTINGS = ['default', 'transform', 'values'] as const;

/** Whether a field may have the setting `key`: a default, a transform or a table of values. A field with a date may only have a default. */
function hasTexts(name: FieldName, key: (typeof TEXT_SETTINGS)[number]): boolean {
  return isMappable(name) && (key === 'default' || FIELDS[name].kind !== 'date');
}

function placeProblems(name: FieldName, crm: string, settings: Settings): readonly string[] {
  if (crm === FIELDS[name].crm) return [];
  if (!isMappable(name)) return [`cannot be changed: it is ${FIELDS[name].crm}; remove the line`];
  if (OURS.has(crm.toLowerCase())) return [`names ${crm}, which Lockstep uses itself: name another field`];
  const place = (other: FieldName): string => (settings[other]?.crm ?? FIELDS[other].crm).toLowerCase();
  const taken = MAPPABLE.find((other) => other !== name && place(other) === crm.toLowerCase());
  return taken === undefined ? [] : [`names ${crm}, which holds ${taken} already: name another field`];
}

function wayProblems(name: FieldName, way: FieldSpec['direction'], crm: string | undefined): readonly string[] {
  if (way === FIELDS[name].direction && !isAcrossLookup(crm)) return [];
  if (!(NARROWABLE as readonly string[]).includes(name))
    return [`cannot be changed: it is ${FIELDS[name].direction}; remove the line`];
  return isAcrossLookup(crm) && way !== 'to-vendor'
    ? ['must be to-vendor: a field across a lookup is another record’s, and is only read']
    : [];
}
