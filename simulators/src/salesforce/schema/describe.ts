import { type CompoundAddress, compoundAddresses, compoundNameOf } from './compound-addresses.ts';
import { field as fieldOf, readOnly } from './fields.ts';
import { permissionName } from './permissionable.ts';
import type { FieldDef, FieldType, ObjectDef, PicklistValue, Schema } from './types.ts';

type Json = Readonly<Record<string, unknown>>;

const SOAP_TYPES: Readonly<Record<FieldType, string>> = {
  id: 'tns:ID',
  reference: 'tns:ID',
  boolean: 'xsd:boolean',
  int: 'xsd:int',
  double: 'xsd:double',
  currency: 'xsd:double',
  percent: 'xsd:double',
  date: 'xsd:date',
  datetime: 'xsd:dateTime',
  string: 'xsd:string',
  textarea: 'xsd:string',
  picklist: 'xsd:string',
  multipicklist: 'xsd:string',
  email: 'xsd:string',
  phone: 'xsd:string',
  url: 'xsd:string',
  anyType: 'xsd:anyType',
};

/** Longer text areas can be read, but no query may filter or sort by them. */
const FILTERABLE_TEXT_LENGTH = 255;

/** Whether SOQL may filter or sort by the field. */
export function isFilterable(field: FieldDef): boolean {
  if (field.type === 'anyType') return false;
  return field.type !== 'textarea' || field.length <= FILTERABLE_TEXT_LENGTH;
}

const UNGROUPED: ReadonlySet<FieldType> = new Set(['currency', 'double', 'percent', 'datetime', 'multipicklist']);

/** Whether GROUP BY accepts the field (SOQL reference: "Considerations for GROUP BY"). Of formulas, it accepts only flags and dates. */
export function isGroupable(field: FieldDef): boolean {
  if (field.formula !== null && field.type !== 'boolean' && field.type !== 'date') return false;
  return isFilterable(field) && !UNGROUPED.has(field.type);
}

const ADDED: ReadonlySet<FieldType> = new Set(['currency', 'double', 'int', 'percent']);
const NOT_COUNTED: ReadonlySet<FieldType> = new Set(['boolean', 'multipicklist']);

/** Whether an aggregate function accepts the field (SOQL reference: "Support for Field Types in Aggregate Functions"). */
export function takesAggregate(field: FieldDef, name: string): boolean {
  if (name === 'SUM' || name === 'AVG') return ADDED.has(field.type);
  return isFilterable(field) && !NOT_COUNTED.has(field.type);
}

/** Objects that support "merge()" (SOAP API). Custom objects are searched only if their metadata allow it. */
const MERGED: ReadonlySet<string> = new Set(['Account', 'Case', 'Contact', 'Lead']);
const SEARCHED: ReadonlySet<string> = new Set([...MERGED, 'Opportunity', 'Product2', 'Pricebook2', 'Task', 'User']);

/** An entry of the global describe, `base` being `/services/data/vXX.0`. */
export function describeBrief(object: ObjectDef, base: string): Json {
  const root = `${base}/sobjects/${object.name}`;
  return {
    activateable: false,
    associateEntityType: null,
    createable: object.createable,
    custom: object.custom,
    customSetting: false,
    deepCloneable: false,
    deletable: object.deletable,
    deprecatedAndHidden: false,
    feedEnabled: false,
    hasSubtypes: false,
    isInterface: false,
    isSubtype: false,
    keyPrefix: object.keyPrefix,
    label: object.label,
    labelPlural: object.labelPlural,
    layoutable: true,
    mergeable: MERGED.has(object.name),
    mruEnabled: false,
    name: object.name,
    queryable: true,
    replicateable: object.fields.has('isdeleted'),
    retrieveable: true,
    searchable: SEARCHED.has(object.name),
    triggerable: true,
    undeletable: object.deletable,
    updateable: object.updateable,
    urls: {
      sobject: root,
      describe: `${root}/describe`,
      rowTemplate: `${root}/{ID}`,
      layouts: `${root}/describe/layouts`,
      compactLayouts: `${root}/describe/compactLayouts`,
      approvalLayouts: `${root}/describe/approvalLayouts`,
      listviews: `${root}/listviews`,
    },
  };
}

/** The whole describe of one object, with its `recordTypeInfos`. */
export function describeObject(schema: Schema, object: ObjectDef, base: string, recordTypes: readonly Json[]): Json {
  return {
    ...describeBrief(object, base),
    actionOverrides: [],
    childRelationships: schema.children(object.name).map((child) => ({
      cascadeDelete: child.cascadeDelete,
      childSObject: child.childObject,
      deprecatedAndHidden: false,
      field: child.field,
      junctionIdListNames: [],
      junctionReferenceTo: [],
      relationshipName: child.relationshipName,
      restrictedDelete: child.restrictedDelete,
    })),
    fields: [
      ...[...object.fields.values()].map((field) => ({
        ...describeField(object, field),
        compoundFieldName: compoundNameOf(field),
      })),
      ...compoundAddresses(object).map((address) => describeAddress(object, address)),
    ],
    namedLayoutInfos: [],
    recordTypeInfos: recordTypes,
    supportedScopes: scopesOf(object),
    ...NOT_USED,
    compactLayoutable: true,
    searchLayoutable: true,
    sobjectDescribeOption: 'FULL',
  };
}

/** Parts of an object's describe for features that the simulator lacks. */
const NOT_USED: Json = {
  dataTranslationEnabled: null,
  defaultImplementation: null,
  extendedBy: null,
  extendsInterfaces: null,
  implementedBy: null,
  implementsInterfaces: null,
  listviewable: null,
  lookupLayoutable: null,
  networkScopeFieldName: null,
};

/** The scopes that `USING SCOPE` supports. */
function scopesOf({ labelPlural, fields }: ObjectDef): readonly Json[] {
  const words = labelPlural.toLowerCase();
  const mine = fields.has('ownerid') ? [{ label: `My ${words}`, name: 'mine' }] : [];
  return [{ label: `All ${words}`, name: 'everything' }, ...mine];
}

/** Parts of a field's describe that are equal for all fields. */
const SAME_FOR_ALL: Json = {
  aiPredictionField: false,
  deprecatedAndHidden: false,
  displayLocationInDecimal: false,
  encrypted: false,
  extraTypeInfo: null,
  filteredLookupInfo: null,
  highScaleNumber: false,
  htmlFormatted: false,
  mask: null,
  maskType: null,
  queryByDistance: false,
  referenceTargetField: null,
  relationshipOrder: null,
};

function describeField(object: ObjectDef, field: FieldDef): Json {
  const filterable = isFilterable(field);
  return {
    ...SAME_FOR_ALL,
    aggregatable: takesAggregate(field, 'COUNT'),
    autoNumber: isAutoNumber(object, field),
    byteLength: field.length * 3,
    calculated: field.calculated,
    calculatedFormula: field.formula?.text ?? null,
    caseSensitive: field.caseSensitive,
    controllerName: field.controller,
    createable: field.createable,
    custom: field.custom,
    dependentPicklist: field.controller !== null,
    defaultValue: field.defaultValue,
    defaultValueFormula: field.defaultFormula,
    defaultedOnCreate: isDefaulted(field),
    digits: field.type === 'int' ? field.precision : 0,
    externalId: field.externalId,
    filterable,
    formulaTreatNullNumberAsZero: field.formula?.blanksAsZero ?? false,
    groupable: isGroupable(field),
    inlineHelpText: field.help ?? null,
    idLookup: field.type === 'id' || field.externalId,
    label: field.label,
    length: field.length,
    name: field.name,
    nameField: field.name === nameFieldOf(object),
    nillable: field.nillable,
    permissionable: permissionName(object.name, field) !== null,
    picklistValues: field.picklist.map(describeChoice),
    precision: field.precision,
    ...describeReference(field),
    restrictedPicklist: field.restricted,
    scale: field.scale,
    searchPrefilterable: field.reference !== null,
    soapType: SOAP_TYPES[field.type],
    sortable: filterable,
    type: field.type,
    unique: field.unique,
    updateable: field.updateable,
  };
}

function isDefaulted({ name, type, defaultFormula, defaultValue }: FieldDef): boolean {
  return defaultFormula !== null || type === 'boolean' || name === 'OwnerId' || defaultValue !== null;
}

function isAutoNumber({ name, nameFormat }: ObjectDef, field: FieldDef): boolean {
  return name === 'Case' ? field.name === 'CaseNumber' : nameFormat !== null && field.name === 'Name';
}

/** The describe of a compound field, which can only be read. */
function describeAddress(object: ObjectDef, { name }: CompoundAddress): Json {
  const label = name === 'Address' ? name : name.replace('Address', ' Address');
  const described = describeField(object, { ...fieldOf(name, 'anyType', { label }), ...readOnly });
  return { ...described, soapType: 'urn:address', type: 'address', compoundFieldName: null };
}

/** The name field of an object. Cases are named by their number, tasks by their subject. */
function nameFieldOf(object: ObjectDef): string {
  return { Case: 'CaseNumber', Task: 'Subject' }[object.name] ?? 'Name';
}

function describeReference({ reference }: FieldDef): Json {
  const isPolymorphic = reference !== null && reference.others.length > 0;
  return {
    cascadeDelete: reference?.cascade ?? false,
    writeRequiresMasterRead: reference?.readSuffices ?? false,
    namePointing: isPolymorphic,
    polymorphicForeignKey: isPolymorphic,
    referenceTo: reference === null ? [] : [reference.to, ...reference.others],
    relationshipName: reference?.parentName ?? null,
    restrictedDelete: reference?.restrict ?? false,
  };
}

function describeChoice({ value, label, isDefault, validFor }: PicklistValue): Json {
  return {
    active: true,
    defaultValue: isDefault,
    label,
    validFor: validFor === undefined ? null : bitsOf(validFor),
    value,
  };
}

/** A bit for each controlling value, the first of a byte the highest, in base 64 (SOAP API: "PicklistEntry"). */
function bitsOf(places: readonly number[]): string {
  const bytes = Buffer.alloc(Math.floor(Math.max(...places) / 8) + 1);
  for (const place of places) bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (0x80 >> (place % 8));
  return bytes.toString('base64');
}
