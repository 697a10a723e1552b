import type { FieldName, Text } from '../record/canonical.ts';
import type { CrmNames, FieldMapping } from '../record/mapping-config.ts';
import { isExact, transformed, untransformed } from '../values/transforms.ts';

/*
 * Converts between the text in a CRM field and the text that the field's lens (its translation functions) reads or writes, by the tenant's
 * default, transforms and value table. These apply in this order when reading, and in reverse order when writing. A value that the table
 * does not list stays unchanged.
 */

/**
 * The text of a CRM field. If the field is empty (null), the tenant's default for the field, which is also a CRM text; null if there is
 * none. Undefined if the text is unknown.
 */
export function withDefault(raw: Text | undefined, field: FieldName, names: CrmNames): Text | undefined {
  return raw === null ? (of(field, names).default ?? null) : raw;
}

/**
 * Converts a CRM text to the vendor's text by the tenant's transforms (such as `trim`) and value table. Returns `''` if nothing of the text
 * is left.
 */
export function fromCrmText(text: string, field: FieldName, names: CrmNames): string {
  const { transform = [], values = [] } = of(field, names);
  const made = transformed(text, transform);
  return values.find(([crm]) => crm === made)?.[1] ?? made;
}

/**
 * Converts a vendor's value to the CRM's text, in reverse to the tenant's transforms and value table. Undefined if no CRM text gives this
 * value. If several rows of the value table fit, the first one counts.
 */
export function toCrmText(value: string, field: FieldName, names: CrmNames): string | undefined {
  const { transform = [], values = [] } = of(field, names);
  const made = values.find(([, vendor]) => vendor === value)?.[0] ?? value;
  const text = untransformed(made, transform);
  // An empty text is an empty field, which means unset.
  if (text === undefined || text.trim() === '') return undefined;
  const form = normalForm(value, field, names);
  // Some combinations of transforms are not stable, such as `lower` with an upper-case prefix: each read would return another value.
  const isStable = normalForm(form, field, names) === form;
  return isStable && fromCrmText(text, field, names) === form ? text : undefined;
}

/**
 * Converts a value to the CRM's text and back, so that two values can be compared. Details that the tenant's transforms drop, such as upper
 * case, then make no difference.
 */
export function normalForm(value: string, field: FieldName, names: CrmNames): string {
  const { transform = [], values } = of(field, names);
  if (values !== undefined || isExact(transform)) return value;
  const text = untransformed(value, transform);
  return text === undefined ? value : transformed(text, transform);
}

function of(field: FieldName, { fields }: CrmNames): FieldMapping {
  return fields?.[field] ?? {};
}
