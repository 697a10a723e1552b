import type { FieldDef } from '../schema/types.ts';
import { apiInstantMs } from '../store/instant.ts';
import type { Value } from '../store/row.ts';
import type { Operand } from './literal.ts';

/** Compares two values of a field: texts ignore case. Null comes first. */
export function compareValues(field: FieldDef, a: Value, b: Value): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  const left = fold(field, a);
  const right = fold(field, b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function fold(field: FieldDef, value: Exclude<Value, null>): string | number | boolean {
  const hasCase = field.caseSensitive || field.type === 'id' || field.type === 'reference';
  return typeof value === 'string' && !hasCase ? value.toLowerCase() : value;
}

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** Whether a comparison of a stored value with the operand is true. An order comparison with null never is. */
export function holds(field: FieldDef, value: Value, comparison: Comparison, operand: Operand): boolean {
  if (operand.kind === 'span') return holdsForSpan(value, comparison, operand.span);
  if (comparison === '=') return compareValues(field, value, operand.value) === 0;
  if (comparison === '!=') return compareValues(field, value, operand.value) !== 0;
  if (value === null || operand.value === null) return false;
  const order = compareValues(field, value, operand.value);
  if (comparison === '<') return order < 0;
  if (comparison === '<=') return order <= 0;
  return comparison === '>' ? order > 0 : order >= 0;
}

/** Compares with a span of days: `>` means after its end, `<` before its start. */
function holdsForSpan(
  value: Value,
  comparison: Comparison,
  span: { readonly fromMs: number; readonly toMs: number },
): boolean {
  if (typeof value !== 'string') return comparison === '!=';
  const ms = value.length === 10 ? Date.parse(`${value}T00:00:00Z`) : apiInstantMs(value);
  switch (comparison) {
    case '=':
      return ms >= span.fromMs && ms < span.toMs;
    case '!=':
      return ms < span.fromMs || ms >= span.toMs;
    case '<':
      return ms < span.fromMs;
    case '<=':
      return ms < span.toMs;
    case '>':
      return ms >= span.toMs;
    case '>=':
      return ms >= span.fromMs;
  }
}
