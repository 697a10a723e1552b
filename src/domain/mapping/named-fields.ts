import type { FieldName, OfferLine } from '../record/canonical.ts';
import { FIELD_NAMES } from '../record/fields.ts';
import { type CrmNames, crmFieldOf } from '../record/mapping-config.ts';
import { lensOf } from './lens-of.ts';

/**
 * The fields that a refusal of the vendor names, by its paths or, without paths, by its text. The documents define no form for either
 * (sales spec 7), so only words of the text that are no English words count: `closeDate`, but not `name`.
 */
export function fieldsNamedByVendor(paths: readonly string[], words: string | null): readonly FieldName[] {
  const steps = new Set(paths.flatMap((path) => path.split(/\W+/)));
  const said = new Set(words?.match(/\b[a-z]+[A-Z][A-Za-z]*\b/g));
  return FIELD_NAMES.filter((field) => {
    const { key = field, readAs = [] } = lensOf(field).vendor;
    return [key, ...readAs].some((name) => steps.has(name) || (steps.size === 0 && said.has(name)));
  });
}

/** The offers of lines that a refusal's text names. The documents define no form (sales spec 7), so only ids with a digit count. */
export function offersNamedByVendor(lines: readonly OfferLine[], words: string | null): readonly string[] {
  const said = new Set((words ?? '').split(/[^\w-]+/));
  const offers = lines.flatMap(({ offerNameId }) => (offerNameId === null ? [] : [offerNameId]));
  return [...new Set(offers)].filter((offer) => /\d/.test(offer) && said.has(offer));
}

/** The canonical fields that are mapped to these opportunity fields. */
export function fieldsInCrm(names: readonly string[], mapping: CrmNames): readonly FieldName[] {
  return FIELD_NAMES.filter((field) => names.includes(crmFieldOf(field, mapping)));
}
