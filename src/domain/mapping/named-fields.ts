import type { FieldName, OfferLine } from '../record/canonical.ts';
import { FIELD_NAMES } from '../record/fields.ts';
import { type CrmNames, crmFieldOf } from '../record/mapping-config.ts';
import { lensOf } from './lens-of.ts';

/**
 * Finds those of the sent fields that the vendor's refusal names. The paths in the vendor's error are searched; the error's text is
 * searched only if there are no paths. The documents define no form for either (sales spec 7). So three searches of the text follow each
 * other until one finds a field. The first finds names of several words in their exact form (`closeDate`). The second finds the same names
 * as separate words (`close date`). The third finds names of one word (`status`). It comes last, because such a word may have no relation
 * to the field.
 */
export function fieldsNamedByVendor(
  paths: readonly string[],
  words: string | null,
  sent: readonly FieldName[] = FIELD_NAMES,
): readonly FieldName[] {
  const steps = new Set(paths.flatMap((path) => path.split(/\W+/)));
  if (steps.size > 0) return sent.filter((field) => vendorNames(field).some((name) => steps.has(name)));
  for (const reading of READINGS) {
    const named = reading(words ?? '', sent);
    if (named.length > 0) return named;
  }
  return [];
}

type Reading = (words: string, sent: readonly FieldName[]) => readonly FieldName[];

const READINGS: readonly Reading[] = [namedExactly, namedInWords, namedByOneWord];

function namedExactly(words: string, sent: readonly FieldName[]): readonly FieldName[] {
  const said = new Set(words.match(/\b[a-z]+[A-Z][A-Za-z]*\b/g));
  return sent.filter((field) => vendorNames(field).some((name) => said.has(name)));
}

/**
 * Finds the sent fields that the text of the vendor's refusal names in words, such as `close date`. Longer names come first, so that `next
 * milestone date` does not also count as `nextMilestone`.
 */
function namedInWords(words: string, sent: readonly FieldName[]): readonly FieldName[] {
  const found = new Set<FieldName>();
  let rest = words;
  const names = sent.flatMap((field) => vendorNames(field).map((name) => ({ field, name })));
  for (const { field, name } of names.toSorted((a, b) => b.name.length - a.name.length)) {
    if (!/[A-Z]/.test(name)) continue;
    const without = rest.replace(phrase(name.split(/(?=[A-Z])/)), ' ');
    if (without !== rest) found.add(field);
    rest = without;
  }
  return sent.filter((field) => found.has(field));
}

function namedByOneWord(words: string, sent: readonly FieldName[]): readonly FieldName[] {
  return sent.filter((field) => vendorNames(field).some((name) => !/[A-Z]/.test(name) && phrase([name]).test(words)));
}

function phrase(parts: readonly string[]): RegExp {
  return new RegExp(`(?<![A-Za-z])${parts.join('[ _-]?')}(?![A-Za-z])`, 'gi');
}

function vendorNames(field: FieldName): readonly string[] {
  const { key = field, readAs = [] } = lensOf(field).vendor;
  return [key, ...readAs];
}

/**
 * Finds the offers (products at the vendor) of these lines that the text of the vendor's refusal names. The documents define no form of the
 * text (sales spec 7), so only offer ids that contain a digit are recognised.
 */
export function offersNamedByVendor(lines: readonly OfferLine[], words: string | null): readonly string[] {
  const said = new Set((words ?? '').split(/[^\w-]+/));
  const offers = lines.flatMap(({ offerNameId }) => (offerNameId === null ? [] : [offerNameId]));
  return [...new Set(offers)].filter((offer) => /\d/.test(offer) && said.has(offer));
}

/**
 * The fields of the canonical record (one form for both sides) whose values are in these opportunity fields. `names`: API names; `mapping`:
 * the tenant's CRM field names.
 */
export function fieldsInCrm(names: readonly string[], mapping: CrmNames): readonly FieldName[] {
  return FIELD_NAMES.filter((field) => names.includes(crmFieldOf(field, mapping)));
}
