import type { XmlElement } from '@rgrove/parse-xml';
import { field } from './fields.ts';
import type { FieldDef, FieldType, PicklistValue, ReferenceDef } from './types.ts';
import { childrenOf, textAt } from './xml.ts';

/** Metadata types of custom fields and what describe calls them. */
const TYPES: Readonly<Record<string, FieldType>> = {
  Checkbox: 'boolean',
  Currency: 'currency',
  Date: 'date',
  DateTime: 'datetime',
  Email: 'email',
  LongTextArea: 'textarea',
  Lookup: 'reference',
  MasterDetail: 'reference',
  MultiselectPicklist: 'multipicklist',
  Number: 'double',
  Percent: 'percent',
  Phone: 'phone',
  Picklist: 'picklist',
  Text: 'string',
  TextArea: 'textarea',
  Url: 'url',
};

/** Lengths that the platform fixes where the metadata does not say one. */
const LENGTHS: Partial<Record<FieldType, number>> = {
  email: 80,
  phone: 40,
  url: 255,
  picklist: 255,
  multipicklist: 4099,
  textarea: 255,
  reference: 18,
};

/** One custom field of the CRM package. Throws for a metadata type that the simulator does not know. */
export function packageField(root: XmlElement): FieldDef {
  const name = textAt(root, 'fullName') ?? '';
  const metadataType = textAt(root, 'type') ?? '';
  const type = TYPES[metadataType];
  if (type === undefined) throw new Error(`The custom field ${name} has the unknown type "${metadataType}".`);
  const isMaster = metadataType === 'MasterDetail';
  const isRequired = isTrue(root, 'required') || isMaster || type === 'boolean';
  return field(name, type, {
    label: textAt(root, 'label') ?? name,
    custom: true,
    length: numberAt(root, 'length') ?? LENGTHS[type] ?? 0,
    precision: numberAt(root, 'precision') ?? 0,
    scale: numberAt(root, 'scale') ?? 0,
    nillable: !isRequired,
    updateable: !isMaster || isTrue(root, 'reparentableMasterDetail'),
    unique: isTrue(root, 'unique'),
    externalId: isTrue(root, 'externalId'),
    caseSensitive: isTrue(root, 'caseSensitive'),
    picklist: picklistOf(root),
    restricted: textAt(root, 'valueSet', 'restricted') === 'true',
    defaultValue: defaultOf(root, type),
    reference: referenceOf(root, name, isMaster),
  });
}

/** The `Name` field of a custom object, as its object file declares it. */
export function nameField(objectRoot: XmlElement): FieldDef {
  const declared = childrenOf(objectRoot, 'nameField')[0];
  const isNumbered = declared !== undefined && textAt(declared, 'type') === 'AutoNumber';
  const label = (declared && textAt(declared, 'label')) ?? 'Name';
  const access = isNumbered
    ? { createable: false, updateable: false, calculated: true, nillable: false }
    : { nillable: true };
  return field('Name', 'string', { label, length: 80, ...access });
}

function picklistOf(root: XmlElement): readonly PicklistValue[] {
  const definitions = childrenOf(root, 'valueSet').flatMap((set) => childrenOf(set, 'valueSetDefinition'));
  const values = definitions.flatMap((definition) => childrenOf(definition, 'value'));
  return values.map((value) => {
    const name = textAt(value, 'fullName') ?? '';
    return {
      value: name,
      label: textAt(value, 'label') ?? name,
      isDefault: textAt(value, 'default') === 'true',
    };
  });
}

function defaultOf(root: XmlElement, type: FieldType): string | boolean | null {
  if (type === 'boolean') return isTrue(root, 'defaultValue');
  return picklistOf(root).find((value) => value.isDefault)?.value ?? null;
}

function referenceOf(root: XmlElement, name: string, isMaster: boolean): ReferenceDef | null {
  const to = textAt(root, 'referenceTo');
  if (to === undefined) return null;
  const childName = textAt(root, 'relationshipName');
  return {
    to,
    parentName: name.replace(/__c$/, '__r'),
    childName: childName === undefined ? null : `${childName}__r`,
    cascade: isMaster || textAt(root, 'deleteConstraint') === 'Cascade',
  };
}

function isTrue(root: XmlElement, name: string): boolean {
  return textAt(root, name) === 'true';
}

function numberAt(root: XmlElement, name: string): number | undefined {
  const value = textAt(root, name);
  return value === undefined ? undefined : Number(value);
}
