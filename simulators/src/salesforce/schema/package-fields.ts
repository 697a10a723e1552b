import type { XmlElement } from '@rgrove/parse-xml';
import { field } from './fields.ts';
import type { FieldDef, FieldType, PicklistValue, ReferenceDef, SummaryDef } from './types.ts';
import { childrenOf, textAt } from './xml.ts';

/** Metadata types of custom fields and what describe calls them. */
const TYPES: Readonly<Record<string, FieldType>> = {
  AutoNumber: 'string',
  Checkbox: 'boolean',
  Currency: 'currency',
  Date: 'date',
  DateTime: 'datetime',
  Email: 'email',
  EncryptedText: 'string',
  Html: 'textarea',
  LongTextArea: 'textarea',
  Lookup: 'reference',
  MasterDetail: 'reference',
  MultiselectPicklist: 'multipicklist',
  Number: 'double',
  Percent: 'percent',
  Phone: 'phone',
  Picklist: 'picklist',
  Summary: 'double',
  Text: 'string',
  TextArea: 'textarea',
  Url: 'url',
};

/** Characters that a formula of type Text may show. */
const FORMULA_LENGTH = 1300;

/** Lengths of fields for which the metadata gives none. */
const LENGTHS: Partial<Record<FieldType, number>> = {
  email: 80,
  phone: 40,
  url: 255,
  picklist: 255,
  multipicklist: 4099,
  textarea: 255,
  reference: 18,
};

/** A custom field, null if its type is not supported, with a sentence for each part that is not simulated. */
export type ReadField = { readonly field: FieldDef | null; readonly notices: readonly string[] };

/** One custom field of an object (Metadata API: CustomField). Values of global value sets are given by their names. */
export function packageField(
  root: XmlElement,
  object: string,
  valueSets: ReadonlyMap<string, readonly PicklistValue[]> = new Map(),
): ReadField {
  const name = textAt(root, 'fullName') ?? '';
  const metadataType = textAt(root, 'type') ?? '';
  const type = TYPES[metadataType];
  const where = `${object}.${name}`;
  if (type === undefined) {
    return {
      field: null,
      notices: [`The field ${where} is left out: its type ${metadataType} is not simulated.`],
    };
  }
  const hasFilter = childrenOf(root, 'lookupFilter').length > 0;
  const notices = hasFilter ? [`The lookup filter of ${where} is not simulated: any row may be chosen.`] : [];
  const formula = textAt(root, 'formula');
  if (formula !== undefined) return { field: formulaField(root, name, type, formula), notices };
  if (metadataType === 'Summary') return { field: summaryField(root, name), notices };
  if (metadataType === 'AutoNumber') notices.push(`The numbers of ${where} are not simulated: it stays blank.`);
  return { field: storedField(root, name, metadataType, type, valueSets), notices };
}

function storedField(
  root: XmlElement,
  name: string,
  metadataType: string,
  type: FieldType,
  valueSets: ReadonlyMap<string, readonly PicklistValue[]>,
): FieldDef {
  const isMaster = metadataType === 'MasterDetail';
  const isRequired = isTrue(root, 'required') || isMaster || type === 'boolean';
  const isNumbered = metadataType === 'AutoNumber';
  const picklist = valueSets.get(textAt(root, 'valueSet', 'valueSetName') ?? '') ?? picklistOf(root);
  const defaultText = textAt(root, 'defaultValue');
  return field(name, type, {
    ...common(root, name, type),
    nillable: !isRequired,
    createable: !isNumbered,
    updateable: !isNumbered && (!isMaster || isTrue(root, 'reparentableMasterDetail')),
    unique: isTrue(root, 'unique'),
    externalId: isTrue(root, 'externalId'),
    caseSensitive: isTrue(root, 'caseSensitive'),
    picklist,
    restricted:
      textAt(root, 'valueSet', 'restricted') === 'true' ||
      valueSets.has(textAt(root, 'valueSet', 'valueSetName') ?? ''),
    defaultValue:
      type === 'boolean' ? defaultText === 'true' : (picklist.find((each) => each.isDefault)?.value ?? null),
    defaultFormula: type === 'boolean' ? null : (defaultText ?? null),
    reference: referenceOf(root, name, isMaster),
  });
}

const WORKED_OUT = { createable: false, updateable: false, calculated: true } as const;

function formulaField(root: XmlElement, name: string, type: FieldType, text: string): FieldDef {
  return field(name, type, {
    ...common(root, name, type),
    ...WORKED_OUT,
    length: type === 'string' ? FORMULA_LENGTH : 0,
    formula: { text, blanksAsZero: textAt(root, 'formulaTreatBlanksAs') !== 'BlankAsBlank' },
  });
}

/** A roll-up summary. Loading the schema sets its type, which is that of the summarised field. */
function summaryField(root: XmlElement, name: string): FieldDef {
  const [childObject = '', childField = ''] = (textAt(root, 'summaryForeignKey') ?? '').split('.');
  const summarized = textAt(root, 'summarizedField')?.split('.')[1] ?? null;
  const operation = (textAt(root, 'summaryOperation') ?? 'count') as SummaryDef['operation'];
  const filters = childrenOf(root, 'summaryFilterItems').map((item) => ({
    field: textAt(item, 'field')?.split('.').at(-1) ?? '',
    operation: textAt(item, 'operation') ?? '',
    value: textAt(item, 'value') ?? '',
  }));
  const summary: SummaryDef = { operation, childObject, childField, summarized, filters };
  return field(name, 'double', { ...common(root, name, 'double'), ...WORKED_OUT, precision: 18, summary });
}

function common(root: XmlElement, name: string, type: FieldType) {
  const help = textAt(root, 'inlineHelpText');
  return {
    label: textAt(root, 'label') ?? name,
    ...(help === undefined ? {} : { help }),
    custom: true,
    tracked: isTrue(root, 'trackHistory'),
    length: numberAt(root, 'length') ?? LENGTHS[type] ?? 0,
    precision: numberAt(root, 'precision') ?? 0,
    scale: numberAt(root, 'scale') ?? 0,
  };
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
  return picklistValues(definitions.flatMap((definition) => childrenOf(definition, 'value')));
}

/** Values of a picklist or of a global value set, without deactivated ones. */
export function picklistValues(elements: readonly XmlElement[]): readonly PicklistValue[] {
  return elements
    .filter((value) => textAt(value, 'isActive') !== 'false')
    .map((value) => {
      const name = textAt(value, 'fullName') ?? '';
      return {
        value: name,
        label: textAt(value, 'label') ?? name,
        isDefault: textAt(value, 'default') === 'true',
      };
    });
}

function referenceOf(root: XmlElement, name: string, isMaster: boolean): ReferenceDef | null {
  const to = textAt(root, 'referenceTo');
  if (to === undefined) return null;
  const childName = textAt(root, 'relationshipName');
  return {
    to,
    others: [],
    parentName: name.replace(/__c$/, '__r'),
    childName: childName === undefined ? null : `${childName}__r`,
    cascade: isMaster || textAt(root, 'deleteConstraint') === 'Cascade',
    restrict: textAt(root, 'deleteConstraint') === 'Restrict',
    readSuffices: isMaster && isTrue(root, 'writeRequiresMasterRead'),
  };
}

function isTrue(root: XmlElement, name: string): boolean {
  return textAt(root, name) === 'true';
}

function numberAt(root: XmlElement, name: string): number | undefined {
  const value = textAt(root, name);
  return value === undefined ? undefined : Number(value);
}
