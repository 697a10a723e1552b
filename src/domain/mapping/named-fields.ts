import type { FieldName } from '../record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../record/fields.ts';
import { lensOf } from './lens-of.ts';

/**
 * The fields that a refusal of the vendor names: by the paths that it gives, or by its words. The documents show no form
 * of either (sales spec 7), so of the words only those count that are no English: `closeDate`, and not `name`.
 */
export function fieldsNamedByVendor(paths: readonly string[], words: string | null): readonly FieldName[] {
  const steps = new Set(paths.flatMap((path) => path.split(/\W+/)));
  const said = new Set(words?.match(/\b[a-z]+[A-Z][A-Za-z]*\b/g));
  return FIELD_NAMES.filter((field) => {
    const { key = field, readAs = [] } = lensOf(field).vendor;
    return [key, ...readAs].some((name) => steps.has(name) || (steps.size === 0 && said.has(name)));
  });
}

/** The fields that these fields of the opportunity hold. */
export function fieldsInCrm(names: readonly string[]): readonly FieldName[] {
  return FIELD_NAMES.filter((field) => names.includes(FIELDS[field].crm));
}
