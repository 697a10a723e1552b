import type { FieldName } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { Listed } from '../record/value-lists.ts';
import { listOf } from './text.ts';

/** The codes that the vendor accepts for a field, as the tenant file lists them; null if it has no list for the field. */
export function listOfField(field: string, { lists }: Pick<MappingConfig, 'lists'>): readonly string[] | null {
  return lists?.[field as Listed] ?? null;
}

/**
 * The codes of a value that the tenant's list of valid codes lacks, so that the vendor may refuse them. Codes that the vendor's record
 * already has (`present`) are left out. Empty if the tenant has no list for the field.
 */
export function unlistedCodes(
  field: FieldName,
  value: unknown,
  { config, present }: { readonly config: Pick<MappingConfig, 'lists'>; readonly present: unknown },
): readonly unknown[] {
  const list = listOfField(field, config);
  if (list === null) return [];
  const known = new Set<unknown>([...list, ...membersOf(present)]);
  return membersOf(value).filter((code) => !known.has(code));
}

function membersOf(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? [value] : listOf(value);
}
