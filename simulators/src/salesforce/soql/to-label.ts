import type { FieldDef } from '../schema/types.ts';
import type { Row, Value } from '../store/row.ts';

/**
 * Reads the result of `toLabel()`: the untranslated labels of a picklist's values. Values outside the list, and other fields, stay
 * unchanged.
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
