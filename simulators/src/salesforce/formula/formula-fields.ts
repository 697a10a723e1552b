import { Decimal } from 'decimal.js';
import type { FieldDef, FieldType, FormulaDef, ObjectDef, Schema } from '../schema/types.ts';
import { toApiInstant } from '../store/instant.ts';
import type { Row, Value } from '../store/row.ts';
import { compileFormula } from './compile.ts';
import { createReferences } from './references.ts';
import {
  type Compiled,
  type FormulaContext,
  FormulaError,
  FormulaRuntimeError,
  type FormulaType,
  type FormulaValue,
} from './types.ts';

/** The formula fields of a schema. Each formula is parsed and type-checked once, not for each row. */
export interface FormulaFields {
  /** The value of a formula field; null if the formula fails, as the API shows `#Error!`. */
  read(field: FieldDef, context: FormulaContext): Value;
  compiledOf(object: ObjectDef, field: FieldDef): Compiled;
  /** A sentence for each formula field that the simulator cannot compute. Such a field reads as null. */
  readonly notices: readonly string[];
}

/** Types that a formula's result may have, by the type of its field. */
const RESULTS: Partial<Record<FieldType, FormulaType>> = {
  boolean: 'boolean',
  currency: 'number',
  date: 'date',
  datetime: 'datetime',
  double: 'number',
  percent: 'number',
  string: 'text',
};

/** Checks every formula field of a schema. */
export function createFormulaFields(schema: Schema): FormulaFields {
  const compiledOf = createCompiler(schema);
  const ready = new Map<FormulaDef, Compiled>();
  const notices: string[] = [];
  for (const object of schema.objects) {
    for (const field of object.fields.values()) {
      const { formula } = field;
      if (formula === null) continue;
      const reason = failureOf(() => ready.set(formula, compiledOf(object, field)));
      if (reason === undefined) continue;
      notices.push(`The formula field ${object.name}.${field.name} reads as null: ${reason}.`);
    }
  }
  return {
    compiledOf,
    notices,
    read: (field, context) => {
      const expression = field.formula === null ? undefined : ready.get(field.formula);
      if (expression === undefined) return null;
      try {
        return fieldValue(field, expression.run(context));
      } catch (error) {
        if (error instanceof FormulaRuntimeError) return null;
        throw error;
      }
    },
  };
}

/** Checks a field's formula when its value, or another formula, first needs it. */
function createCompiler(schema: Schema): FormulaFields['compiledOf'] {
  const compiled = new Map<FormulaDef, Compiled>();
  const underWay = new Set<FormulaDef>();
  const compiledOf = (object: ObjectDef, field: FieldDef): Compiled => {
    const { formula } = field;
    if (formula === null) throw new FormulaError(`${field.name} has no formula`, 0);
    const known = compiled.get(formula);
    if (known !== undefined) return known;
    if (underWay.has(formula)) throw new FormulaError(`${field.name} refers to itself`, 0);
    underWay.add(formula);
    try {
      const { text, blanksAsZero } = formula;
      const references = createReferences({
        schema,
        object,
        blanksAsZero,
        hasUser: false,
        permissions: new Set(),
        compiledOf,
      });
      const result = checkResult(field, compileFormula(text, references));
      compiled.set(formula, result);
      return result;
    } finally {
      underWay.delete(formula);
    }
  };
  return compiledOf;
}

function checkResult(field: FieldDef, result: Compiled): Compiled {
  const wanted = RESULTS[field.type];
  if (result.type === wanted || result.type === 'null') return result;
  const message = `Formula result is data type (${result.type}), incompatible with expected data type (${wanted ?? field.type})`;
  throw new FormulaError(message, 0);
}

/** Why a formula is refused; undefined if it is valid. */
export function failureOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof FormulaError) return `${error.message} (at ${error.at + 1})`;
    throw error;
  }
}

/** A formula's value in its field: rounded to the field's digits, and a fraction as a percentage. */
export function fieldValue({ type, scale, length }: FieldDef, value: FormulaValue): Value {
  if (type === 'boolean') return value === true;
  if (value === null) return null;
  if (value instanceof Decimal) {
    const shown = type === 'percent' ? value.times(100) : value;
    return shown.toDecimalPlaces(scale, Decimal.ROUND_HALF_UP).toNumber();
  }
  if (type === 'date') return new Date(Number(value)).toISOString().slice(0, 10);
  if (type === 'datetime') return toApiInstant(new Date(Number(value)));
  return length === 0 ? String(value) : String(value).slice(0, length);
}

/** The context for reading a stored row, outside a save. */
export function readingContext(
  row: Row,
  org: { readonly now: Date; readonly timeZone: () => string; readonly get: FormulaContext['get'] },
): FormulaContext {
  const { now, timeZone, get } = org;
  return { row, before: undefined, now, timeZone, get, user: undefined, hasPermission: () => false };
}
