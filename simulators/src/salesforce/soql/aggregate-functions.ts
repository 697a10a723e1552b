import type { FunctionExp } from '@jetstreamapp/soql-parser-js';
import { takesAggregate } from '../schema/describe.ts';
import { field } from '../schema/fields.ts';
import type { FieldDef } from '../schema/types.ts';
import type { Row, Value } from '../store/row.ts';
import { compareValues } from './compare.ts';
import type { RowValue } from './date-functions.ts';
import { malformed } from './parse.ts';

/** A value computed for each group of rows. */
export type GroupValue = { readonly field: FieldDef; readonly of: (rows: readonly Row[]) => Value };

const FUNCTIONS: ReadonlySet<string> = new Set(['COUNT', 'COUNT_DISTINCT', 'SUM', 'AVG', 'MIN', 'MAX']);
const INTEGER = field('Count', 'int');
const DOUBLE = field('Sum', 'double');

/** Compiles COUNT, COUNT_DISTINCT, SUM, AVG, MIN or MAX. Throws MALFORMED_QUERY for other functions. */
export function aggregateFunction(fn: FunctionExp, resolve: (name: string) => RowValue): GroupValue {
  const [parameter] = fn.parameters ?? [];
  const name = fn.functionName?.toUpperCase() ?? '';
  if (name === 'COUNT' && parameter === undefined) return { field: INTEGER, of: (rows) => rows.length };
  if (typeof parameter !== 'string') throw malformed(`unexpected token: '${fn.rawValue ?? name}'`);
  const source = resolve(parameter);
  if (FUNCTIONS.has(name) && !takesAggregate(source.field, name)) {
    throw malformed(`field ${source.field.name} does not support aggregate operator ${name}`);
  }
  const values = (rows: readonly Row[]) => rows.map(source.of).filter((value) => value !== null);
  const sorted = (rows: readonly Row[]) => values(rows).sort((a, b) => compareValues(source.field, a, b));
  const sum = (rows: readonly Row[]) => values(rows).reduce<number>((total, value) => total + Number(value), 0);
  switch (name) {
    case 'COUNT':
      return { field: INTEGER, of: (rows) => values(rows).length };
    case 'COUNT_DISTINCT':
      return { field: INTEGER, of: (rows) => new Set(values(rows)).size };
    case 'SUM':
      return { field: DOUBLE, of: (rows) => (values(rows).length === 0 ? null : sum(rows)) };
    case 'AVG':
      return {
        field: DOUBLE,
        of: (rows) => (values(rows).length === 0 ? null : sum(rows) / values(rows).length),
      };
    case 'MIN':
      return { field: source.field, of: (rows) => sorted(rows)[0] ?? null };
    case 'MAX':
      return { field: source.field, of: (rows) => sorted(rows).at(-1) ?? null };
    default:
      throw malformed(`unexpected token: '${fn.rawValue ?? name}'`);
  }
}
