import { addressCodeFields, readCountries } from './countries.ts';
import { currencyFields, currencyType, readCurrencies } from './currencies.ts';
import { idField, lookup, systemFields, text } from './fields.ts';
import type { CrmPackage, PackageObject } from './package.ts';
import { personAccountFields } from './person-accounts.ts';
import { HISTORIES, STANDARD_OBJECTS, type StandardObject } from './standard.ts';
import type { ChildRelationship, Currency, FieldDef, ObjectDef, Schema } from './types.ts';

/**
 * The org's objects: the standard ones with the package's fields, and the package's own. With currencies (the corporate one first, as
 * `CODE` or `CODE=RATE`) it is a multi-currency org, whose rows have a `CurrencyIsoCode`; otherwise no such field exists, and no
 * `CurrencyType`. With countries it has State and Country/Territory Picklists. Throws with a sentence for invalid currencies and countries.
 */
export function buildSchema(
  crmPackage: CrmPackage,
  currencyTexts: readonly string[] = [],
  countryTexts: readonly string[] = [],
  hasPersonAccounts = false,
): Schema {
  const countries = readCountries(countryTexts);
  const currencies = readCurrencies(currencyTexts);
  const added = new Map(crmPackage.objects.map((object) => [object.name, object]));
  const standard = [...STANDARD_OBJECTS, ...currencyObjects(currencies)].map(
    (object): ObjectDef => ({
      name: object.name,
      label: labelOf(object.name),
      labelPlural: object.labelPlural,
      keyPrefix: object.keyPrefix,
      custom: false,
      createable: object.writable && object.createable !== false,
      updateable: object.writable,
      deletable: object.writable && object.deletable,
      nameFormat: null,
      fields: byName(
        [
          idField(),
          ...object.fields,
          ...addressCodeFields(object.name, countries),
          ...(object.isView ? [] : systemFields({ ...object, history: object.name in HISTORIES })),
          ...currencyFields(object.name, currencies),
          ...recordTypeFields(object.name, crmPackage),
          ...(hasPersonAccounts ? personAccountFields(object.name) : []),
          ...(added.get(object.name)?.fields ?? []),
        ].map((field) => withTracking(optionalCompany(object.name, field, hasPersonAccounts), added.get(object.name))),
      ),
    }),
  );
  const custom = crmPackage.objects
    .filter((object) => object.custom !== null)
    .map((object, position) =>
      customObject(object, position, [
        ...currencyFields(object.name, currencies, true),
        ...recordTypeFields(object.name, crmPackage),
      ]),
    );
  return index(withSummaryTypes([...standard, ...custom]), crmPackage, { currencies, countries });
}

/** A lead of an org with person accounts needs no company (Object Reference: Lead, Company). */
function optionalCompany(object: string, field: FieldDef, hasPersonAccounts: boolean): FieldDef {
  return hasPersonAccounts && object === 'Lead' && field.name === 'Company' ? { ...field, nillable: true } : field;
}

/** The field, with history tracking if the package turns it on and the object keeps a history. */
function withTracking(field: FieldDef, added: PackageObject | undefined): FieldDef {
  const isNamed = field.tracked || added?.trackedFields.has(field.name) === true;
  return { ...field, tracked: isNamed && added?.hasHistory === true };
}

/** The objects for currencies. An org with one currency has none. */
function currencyObjects(currencies: readonly Currency[]): readonly StandardObject[] {
  if (currencies.length === 0) return [];
  return [
    {
      name: 'CurrencyType',
      labelPlural: 'Currencies',
      keyPrefix: '01L',
      writable: true,
      createable: false,
      deletable: false,
      fields: currencyType(currencies),
    },
  ];
}

/** The record type field of an object; empty if the object has no record types. */
function recordTypeFields(object: string, { rules }: CrmPackage): readonly FieldDef[] {
  if (!rules.recordTypes.some((each) => each.object === object)) return [];
  return [lookup('RecordTypeId', 'RecordType', null)];
}

/** Gives each roll-up the type and the digits of its summarised field. A count is a whole number. */
function withSummaryTypes(objects: readonly ObjectDef[]): readonly ObjectDef[] {
  const fieldOf = (object: string, name: string) =>
    objects.find((each) => each.name === object)?.fields.get(name.toLowerCase());
  return objects.map((object) => {
    const fields = [...object.fields.values()].map((field) => {
      if (field.summary === null) return field;
      const isTotal = field.summary.operation === 'count' || field.summary.operation === 'sum';
      const summed = fieldOf(field.summary.childObject, field.summary.summarized ?? '');
      const digits = summed && { type: summed.type, precision: summed.precision, scale: summed.scale };
      return { ...field, ...digits, defaultValue: isTotal ? 0 : null };
    });
    return { ...object, fields: byName(fields) };
  });
}

/** The package's standard objects that the simulator does not have, in a sentence each. */
export function unknownObjects(crmPackage: CrmPackage): readonly string[] {
  const known = new Set(STANDARD_OBJECTS.map(({ name }) => name));
  return crmPackage.objects
    .filter((object) => object.custom === null && !known.has(object.name))
    .map(({ name }) => `The object ${name} is not simulated: its fields and rules are left out.`);
}

const PREFIX_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function customObject(object: PackageObject, position: number, more: readonly FieldDef[]): ObjectDef {
  const name = object.custom?.nameField ?? text('Name', 80);
  const isDetail = object.fields.some((field) => field.reference?.cascade === true && !field.nillable);
  const system = systemFields({ deletable: true });
  return {
    name: object.name,
    label: object.custom?.label ?? object.name,
    labelPlural: object.custom?.labelPlural ?? object.name,
    keyPrefix: `a${PREFIX_DIGITS.charAt(Math.floor(position / 36))}${PREFIX_DIGITS.charAt(position % 36)}`,
    custom: true,
    createable: true,
    updateable: true,
    deletable: true,
    nameFormat: name.calculated ? (object.custom?.nameFormat ?? '{0}') : null,
    fields: byName([idField(), ...(isDetail ? [] : [ownerField()]), name, ...system, ...more, ...object.fields]),
  };
}

function ownerField(): FieldDef {
  const owner = STANDARD_OBJECTS.find((object) => object.name === 'Account')?.fields.find(
    (field) => field.name === 'OwnerId',
  );
  if (owner === undefined) throw new Error('The table of standard objects has no Account.OwnerId.');
  return owner;
}

function index(
  objects: readonly ObjectDef[],
  crmPackage: CrmPackage,
  features: Pick<Schema, 'currencies' | 'countries'>,
): Schema {
  const byLowerName = new Map(objects.map((object) => [object.name.toLowerCase(), object]));
  const byPrefix = new Map(objects.map((object) => [object.keyPrefix, object]));
  return {
    objects,
    ...features,
    outbound: crmPackage.outbound,
    object: (name) => byLowerName.get(name.toLowerCase()),
    objectOfId: (id) => byPrefix.get(id.slice(0, 3)),
    children: (parent) => objects.flatMap((object) => relationships(object, parent)),
  };
}

function relationships(object: ObjectDef, parent: string): readonly ChildRelationship[] {
  return [...object.fields.values()].flatMap(({ name, reference }) =>
    reference !== null && (reference.to === parent || reference.others.includes(parent))
      ? [
          {
            childObject: object.name,
            field: name,
            relationshipName: reference.childName,
            cascadeDelete: reference.cascade,
            restrictedDelete: reference.restrict,
          },
        ]
      : [],
  );
}

function byName(fields: readonly FieldDef[]): ReadonlyMap<string, FieldDef> {
  return new Map(fields.map((field) => [field.name.toLowerCase(), field]));
}

function labelOf(name: string): string {
  return name.replace(/2$/, '').replace(/([a-z])([A-Z])/g, '$1 $2');
}
