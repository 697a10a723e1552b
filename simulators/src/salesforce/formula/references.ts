import type { FieldDef, FieldType, ObjectDef, Schema } from '../schema/types.ts';
import { apiInstantMs } from '../store/instant.ts';
import type { Row, Value } from '../store/row.ts';
import { globalReference } from './globals.ts';
import {
  type Compiled,
  type FormulaContext,
  FormulaError,
  type FormulaType,
  type FormulaValue,
  Num,
  type Reference,
  type References,
} from './types.ts';
import { textOrBlank } from './values.ts';

const TYPES: Partial<Record<FieldType, FormulaType>> = {
  boolean: 'boolean',
  int: 'number',
  double: 'number',
  currency: 'number',
  percent: 'number',
  date: 'date',
  datetime: 'datetime',
  picklist: 'picklist',
  multipicklist: 'multipicklist',
};

export type ReferenceOptions = {
  readonly schema: Schema;
  /** The object of the formula's rows. */
  readonly object: ObjectDef;
  /** Whether a number without a value counts as 0. */
  readonly blanksAsZero: boolean;
  /** Whether `$User` and `$Profile` are available; there is a running user only during a save. */
  readonly hasUser: boolean;
  readonly permissions: ReadonlySet<string>;
  /** The formula of a formula field. */
  readonly compiledOf: (object: ObjectDef, field: FieldDef) => Compiled;
};

/** The fields that a formula of an object may name, over parents too (Help: "Cross-Object Formulas"). */
export function createReferences(options: ReferenceOptions): References {
  return {
    resolve: (name, at) =>
      name.startsWith('$') ? globalReference(options, name, at) : fieldReference(options, name, at),
  };
}

type Step = { readonly lookup: string; readonly object: string };

function fieldReference(options: ReferenceOptions, name: string, at: number): Reference {
  const path = name.split('.').map((step) => step.replace(/:.*$/, ''));
  const fieldName = path.pop() ?? '';
  let here = options.object;
  const steps: Step[] = [];
  for (const step of path) {
    const lookup = parentLookup(here, step);
    const isPlain = lookup?.reference?.others.length === 0;
    const parent = isPlain && lookup?.reference && options.schema.object(lookup.reference.to);
    if (!lookup || !parent) throw new FormulaError(`Field ${name} does not exist. Check spelling`, at);
    steps.push({ lookup: lookup.name, object: parent.name });
    here = parent;
  }
  const field = here.fields.get(fieldName.toLowerCase());
  if (field === undefined) throw new FormulaError(`Field ${name} does not exist. Check spelling`, at);
  const read = reader(options, here, field);
  const along = (context: FormulaContext, from: Row | null | undefined) =>
    read(context, walk(context, from ?? undefined, steps));
  return {
    type: read.type,
    run: (context) => along(context, context.row),
    prior: (context) => along(context, context.before),
  };
}

function parentLookup(object: ObjectDef, step: string): FieldDef | undefined {
  const wanted = step.toLowerCase();
  return [...object.fields.values()].find((field) => field.reference?.parentName?.toLowerCase() === wanted);
}

function walk(context: FormulaContext, from: Row | undefined, steps: readonly Step[]): Row | undefined {
  let here = from;
  for (const { lookup, object } of steps) {
    const id = here?.[lookup];
    here = typeof id === 'string' ? context.get(object, id) : undefined;
  }
  return here;
}

type Reader = ((context: FormulaContext, row: Row | undefined) => FormulaValue) & {
  readonly type: FormulaType;
};

function reader(options: ReferenceOptions, object: ObjectDef, field: FieldDef): Reader {
  const { blanksAsZero } = options;
  const blankOf = (type: FormulaType): FormulaValue => {
    if (type === 'boolean') return false;
    return type === 'number' && blanksAsZero ? ZERO : null;
  };
  if (field.formula !== null) {
    const { type, run } = options.compiledOf(object, field);
    const computed = (context: FormulaContext, row: Row | undefined) =>
      (row === undefined ? null : run({ ...context, row, before: undefined })) ?? blankOf(type);
    return Object.assign(computed, { type });
  }
  const type = TYPES[field.type] ?? 'text';
  const blank = blankOf(type);
  const stored = (_: FormulaContext, row: Row | undefined) => formulaValue(field, row?.[field.name] ?? null) ?? blank;
  return Object.assign(stored, { type });
}

const ZERO = new Num(0);

/** A stored value in a formula's form: ids with 15 characters, a percentage as a fraction. */
function formulaValue({ type }: FieldDef, value: Value): FormulaValue {
  if (value === null) return null;
  switch (type) {
    case 'boolean':
      return value === true;
    case 'percent':
      return new Num(Number(value)).div(100);
    case 'int':
    case 'double':
    case 'currency':
      return new Num(Number(value));
    case 'date':
      return Date.parse(`${value}T00:00:00Z`);
    case 'datetime':
      return apiInstantMs(String(value));
    case 'id':
    case 'reference':
      return String(value).slice(0, 15);
    default:
      return textOrBlank(String(value));
  }
}
