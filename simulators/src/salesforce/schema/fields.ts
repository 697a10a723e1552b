import type { FieldDef, FieldType, PicklistValue, ReferenceDef } from './types.ts';

type Extra = Partial<Omit<FieldDef, 'name' | 'type'>>;

const READ_ONLY = { createable: false, updateable: false } as const;

/** A field with the defaults of a writable, optional one. Other builders of this file are shorthands. */
export function field(name: string, type: FieldType, extra: Extra = {}): FieldDef {
  return {
    name,
    label: labelOf(name),
    type,
    custom: false,
    length: 0,
    precision: 0,
    scale: 0,
    nillable: true,
    createable: true,
    updateable: true,
    unique: false,
    externalId: false,
    caseSensitive: false,
    tracked: false,
    picklist: [],
    restricted: false,
    controller: null,
    defaultValue: null,
    calculated: false,
    formula: null,
    summary: null,
    defaultFormula: null,
    reference: null,
    ...extra,
  };
}

export function text(name: string, length: number, extra: Extra = {}): FieldDef {
  return field(name, 'string', { length, ...extra });
}

export function area(name: string, length: number, extra: Extra = {}): FieldDef {
  return field(name, 'textarea', { length, ...extra });
}

export function flag(name: string, extra: Extra = {}): FieldDef {
  return field(name, 'boolean', { nillable: false, defaultValue: false, ...extra });
}

export function money(name: string, extra: Extra = {}): FieldDef {
  return field(name, 'currency', { precision: 18, scale: 2, ...extra });
}

export function choice(name: string, values: readonly string[], extra: Extra = {}): FieldDef {
  return field(name, 'picklist', { length: 255, picklist: values.map(asChoice), ...extra });
}

/** A lookup. `parentName` is the relationship to the parent in SOQL, `childName` the one for a sub-query of the parent. */
export function lookup(
  name: string,
  to: string,
  childName: string | null,
  extra: Extra & { cascade?: boolean; restrict?: boolean; others?: readonly string[] } = {},
): FieldDef {
  const { cascade = false, restrict = false, others = [], ...rest } = extra;
  const parentName = name.replace(/Id$/, '');
  const reference: ReferenceDef = { to, others, parentName, childName, cascade, restrict };
  return field(name, 'reference', { length: 18, reference, ...rest });
}

export const readOnly = READ_ONLY;

/** The system fields that the platform maintains on every row. */
export function systemFields(options: { deletable: boolean; history?: boolean }): readonly FieldDef[] {
  const created = [
    field('CreatedDate', 'datetime', { nillable: false, ...READ_ONLY }),
    lookup('CreatedById', 'User', null, { nillable: false, ...READ_ONLY }),
  ];
  // History rows are never changed.
  if (options.history === true) return [flag('IsDeleted', { ...READ_ONLY }), ...created];
  const stamps = [
    ...created,
    field('LastModifiedDate', 'datetime', { nillable: false, ...READ_ONLY }),
    lookup('LastModifiedById', 'User', null, { nillable: false, ...READ_ONLY }),
    field('SystemModstamp', 'datetime', { nillable: false, ...READ_ONLY }),
  ];
  const deleted = options.deletable ? [flag('IsDeleted', { ...READ_ONLY })] : [];
  return [...deleted, ...stamps];
}

export function idField(): FieldDef {
  return field('Id', 'id', { length: 18, nillable: false, caseSensitive: true, ...READ_ONLY });
}

function asChoice(value: string): PicklistValue {
  return { value, label: value, isDefault: false };
}

function labelOf(name: string): string {
  return name.replace(/Id$/, ' ID').replace(/([a-z])([A-Z])/g, '$1 $2');
}
