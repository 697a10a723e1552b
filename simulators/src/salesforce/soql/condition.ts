import type { ConditionWithValueQuery, FunctionExp, Query } from '@jetstreamapp/soql-parser-js';
import { isFilterable } from '../schema/describe.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import { failure } from '../store/failure.ts';
import type { Value } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { type Comparison, compareValues, holds } from './compare.ts';
import { comparable, inCorporateCurrency, namesCurrency } from './currencies.ts';
import { dateFunctionValue } from './date-functions.ts';
import { likePattern, readLiteral, unescapeText } from './literal.ts';
import { invalidField, malformed } from './parse.ts';
import { readPath, resolvePath } from './path.ts';
import { labelled } from './to-label.ts';
import type { Predicate } from './where.ts';

/** The surroundings for reading a condition's operand. */
export type TestContext = {
  readonly now: Date;
  /** IANA name of the time zone for relative dates. */
  readonly timeZone: string;
  /** The values that a semi-join's query selects. */
  readonly selectValues: (query: Query) => readonly Value[];
};

export type ConditionContext = TestContext & {
  readonly store: Store;
  readonly object: ObjectDef;
  readonly alias: string | undefined;
};

type Test = (value: Value) => boolean;

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);

/** The predicate of one condition. Throws for unknown fields, fields that cannot be filtered, and wrong literals. */
export function compileCondition(context: ConditionContext, condition: ConditionWithValueQuery): Predicate {
  if (!('field' in condition)) {
    if (!('fn' in condition)) throw malformed('unexpected token: NOT');
    if (condition.fn.functionName?.toUpperCase() === 'TOLABEL') return compileLabel(context, condition);
    const { field, of } = dateFunctionValue(context, condition.fn);
    const holdsFor = compileTest(context, field, condition);
    return (row) => holdsFor(of(row));
  }
  const path = resolvePath(context.store, context.object, condition.field, context.alias);
  if (!isFilterable(path.field)) {
    throw invalidField(`field '${path.field.name}' can not be filtered in a query call`, condition.field);
  }
  if (namesCurrency(condition) && path.field.type === 'currency') {
    const test = compileTest(context, path.field, inCorporateCurrency(context.store, condition));
    const read = comparable(context.store, path);
    return (row) => test(read(row));
  }
  const test = compileTest(context, path.field, condition);
  return (row) => test(readPath(context.store, row, path));
}

function compileLabel(
  context: ConditionContext,
  condition: Extract<ConditionWithValueQuery, { fn: FunctionExp }>,
): Predicate {
  const [name] = condition.fn.parameters ?? [];
  if (typeof name !== 'string') throw malformed(`unexpected token: '${condition.fn.rawValue ?? 'toLabel'}'`);
  const path = resolvePath(context.store, context.object, name, context.alias);
  if (!isFilterable(path.field)) {
    throw invalidField(`field '${path.field.name}' can not be filtered in a query call`, name);
  }
  const test = compileTest(context, path.field, condition);
  const read = labelled(path.field, (row) => readPath(context.store, row, path));
  return (row) => test(read(row));
}

/** The test of a condition's operator and operand on values of a field. */
export function compileTest(context: TestContext, field: FieldDef, condition: ConditionWithValueQuery): Test {
  if (!('operator' in condition)) throw malformed('unexpected token: NOT');
  if (namesCurrency(condition)) throw malformed('an amount of a named currency cannot be used here');
  const operator = condition.operator;
  if ('valueQuery' in condition) return membership(field, operator, context.selectValues(condition.valueQuery));
  const raws = [condition.value].flat();
  const types = [condition.literalType ?? 'STRING'].flat();
  const typeAt = (i: number): string => types[i] ?? types[0] ?? 'STRING';
  if (operator === 'LIKE') return like(field, String(raws[0]));
  if (operator === 'INCLUDES' || operator === 'EXCLUDES') return selection(field, operator, raws);
  const blamed = 'field' in condition ? condition.field : field.name;
  const operands = raws.map((raw, i) => readLiteral(field, raw, typeAt(i), context, blamed));
  const first = operands[0];
  if (first !== undefined && COMPARISONS.has(operator)) {
    return (value) => holds(field, value, operator as Comparison, first);
  }
  if (operator === 'IN') return (value) => operands.some((operand) => holds(field, value, '=', operand));
  return (value) => operands.every((operand) => holds(field, value, '!=', operand));
}

function membership(field: FieldDef, operator: string, values: readonly Value[]): Test {
  const isIn: Test = (value) => value !== null && values.some((each) => compareValues(field, value, each) === 0);
  if (operator === 'IN') return isIn;
  if (operator === 'NOT IN') return (value) => !isIn(value);
  throw malformed('a sub-query in WHERE needs IN or NOT IN');
}

function like(field: FieldDef, raw: string): Test {
  const isText = !['id', 'reference', 'boolean', 'date', 'datetime', 'int', 'double', 'currency', 'percent'].includes(
    field.type,
  );
  if (!isText || !raw.startsWith("'")) {
    throw failure(400, 'INVALID_QUERY_FILTER_OPERATOR', `invalid operator on ${field.type} field`);
  }
  const pattern = likePattern(raw.slice(1, -1));
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** INCLUDES ('a;b','c'): has a and b, or c. */
function selection(field: FieldDef, operator: 'INCLUDES' | 'EXCLUDES', raws: readonly string[]): Test {
  if (field.type !== 'multipicklist') {
    throw failure(400, 'INVALID_QUERY_FILTER_OPERATOR', `invalid operator on ${field.type} field`);
  }
  const groups = raws.map((raw) => unescapeText(raw.slice(1, -1)).toLowerCase().split(';'));
  const includes: Test = (value) => {
    const chosen = new Set(
      String(value ?? '')
        .toLowerCase()
        .split(';'),
    );
    return groups.some((group) => group.every((each) => chosen.has(each)));
  };
  return operator === 'INCLUDES' ? includes : (value) => !includes(value);
}
