import type { FieldDef } from '../schema/types.ts';
import type { Row, Value } from '../store/row.ts';

/**
 * Reads what `toLabel()` of a field answers: the labels of a picklist's values, which nobody translated here; values that
 * are not of the list, and other fields, as they are.
 */
export function labelled(field: FieldDef, read: (row: Row) => Value): (row: Row) => Value {
  const labels = new Map(field.picklist.map(({ value, label }) => [value, label]));
  const labelOf = (value: string) => labels.get(value) ?? value;
  return (row) => {
    const value = read(row);
    if (typeof value !== 'string') return value;
    return field.type === 'multipicklist' ? value.split(';').map(labelOf).join(';') : labelOf(value);
  };
}
