import type { FieldName, Text } from '../record/canonical.ts';
import type { CrmNames, FieldMapping } from '../record/mapping-config.ts';
import { isExact, transformed, untransformed } from '../values/transforms.ts';

/*
 * Between what the CRM holds of a field and the field's lens: a tenant's default, transforms and value table, in this order on
 * the way in, and back in the other. A value that the table does not name goes through as it is, either way.
 */

/** What an empty field of the CRM counts as, as the CRM would hold it. */
export function withDefault(raw: Text | undefined, field: FieldName, names: CrmNames): Text | undefined {
  return raw === null ? (of(field, names).default ?? null) : raw;
}

/** What a text of the CRM means in the vendor's spelling; `''` for one of which nothing is left. */
export function fromCrmText(text: string, field: FieldName, names: CrmNames): string {
  const { transform = [], values = [] } = of(field, names);
  const made = transformed(text, transform);
  return values.find(([crm]) => crm === made)?.[1] ?? made;
}

/**
 * The text of the CRM that means a value; undefined where none does. Of several rows of the table for one value the first
 * counts.
 */
export function toCrmText(value: string, field: FieldName, names: CrmNames): string | undefined {
  const { transform = [], values = [] } = of(field, names);
  const made = values.find(([, vendor]) => vendor === value)?.[0] ?? value;
  const text = untransformed(made, transform);
  // An empty text is an empty field, and means none.
  if (text === undefined || text.trim() === '') return undefined;
  const form = normalForm(value, field, names);
  // Where one transform undoes what another looks for, as a mark of capitals after `lower`, each reading makes another value.
  const isStable = normalForm(form, field, names) === form;
  return isStable && fromCrmText(text, field, names) === form ? text : undefined;
}

/**
 * The form in which values are compared: where a transform loses something, both sides count as what is left of them. Without
 * that a vendor's value would never be found in the CRM again.
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
