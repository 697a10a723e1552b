import type { Base, Overruled } from '../record/base.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import { fieldWords } from '../record/field-labels.ts';
import { counted } from '../values/counted.ts';
import { shownBeside } from './shown-values.ts';

/** A sentence for each value that lost by rule: the field, both values, when each side was saved, and the rule. */
export function overruledWords(base: Base | null): readonly string[] {
  return Object.entries(base?.overruled ?? {}).flatMap(([field, note]) => sentences(field, note));
}

/** A sentence for each conflict that waits for a person: the field and both values. */
export function heldWords(base: Base | null): readonly string[] {
  return Object.entries(base?.held ?? {}).map(([field, { crm, vendor }]) => {
    const shown = shownBeside(crm, vendor);
    return `${wordsOf(field)}: ${shown.crm} in the CRM, ${shown.vendor} at the vendor.`;
  });
}

const MOST_LINES = 5;

function sentences(field: string, note: Overruled): readonly string[] {
  if (!('lines' in note))
    return [sentence(wordsOf(field), note.winner, shownBeside(note.crm, note.vendor), note)];
  const lineWords = note.lines.slice(0, MOST_LINES).map(({ winner, crm, vendor }) => {
    const line = `${wordsOf(field)}, line ${(crm ?? vendor)?.offerNameId ?? 'without a product'},`;
    return sentence(line, winner, differing(crm, vendor), note);
  });
  const more = note.lines.length - lineWords.length;
  return more === 0
    ? lineWords
    : [...lineWords, `${wordsOf(field)}: ${counted(more, 'more line')} decided in the same way.`];
}

function wordsOf(field: string): string {
  return fieldWords(field as FieldName);
}

type Shown = { readonly crm: string; readonly vendor: string };

function sentence(
  what: string,
  winner: 'crm' | 'vendor',
  shown: Shown,
  { rule, crmSavedAt, vendorSavedAt }: Pick<Overruled, 'rule' | 'crmSavedAt' | 'vendorSavedAt'>,
): string {
  const crm = `${shown.crm} in the CRM${savedAt(crmSavedAt)}`;
  const vendor = `${shown.vendor} at the vendor${savedAt(vendorSavedAt)}`;
  const [stays, gone] = winner === 'crm' ? [crm, vendor] : [vendor, crm];
  return `Overruled: ${what} was changed on both sides: ${stays} stays, ${gone} does not (${rule}); change it again if that is wrong.`;
}

/** To the second, as people read it. */
function savedAt(stamp: string | null): string {
  return stamp === null ? '' : ` (saved ${stamp.slice(0, 10)} ${stamp.slice(11, 19)} UTC)`;
}

/** What of a line differs, as each side has it. */
function differing(crm: OfferLine | null, vendor: OfferLine | null): Shown {
  const names = (['amount', 'revenueType'] as const).filter(
    (name) => crm === null || vendor === null || crm[name] !== vendor[name],
  );
  const shown = (line: OfferLine | null): string =>
    line === null ? 'no such line' : names.map((name) => `${name} ${line[name] ?? 'nothing'}`).join(', ');
  return { crm: shown(crm), vendor: shown(vendor) };
}
