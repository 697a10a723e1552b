import type { FieldName } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { Listed } from '../record/value-lists.ts';
import { listOf } from './text.ts';

/** The tenant's list of the vendor's codes of a field; null if it has none. */
export function listOfField(field: string, { lists }: Pick<MappingConfig, 'lists'>): readonly string[] | null {
  return lists?.[field as Listed] ?? null;
}

/** Those codes of a value that the tenant's list of valid codes does not contain and that the vendor does not show on the record either. */
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
