import type { Base, Overruled } from '../record/base.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import { fieldWords } from '../record/field-labels.ts';
import { crmFieldOf } from '../record/mapping-config.ts';
import { counted } from '../values/counted.ts';
import { listOf } from '../values/text.ts';

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
  const told = note.lines.slice(0, MOST_LINES).map(({ winner, crm, vendor }) => {
    const line = `${wordsOf(field)}, line ${(crm ?? vendor)?.offerNameId ?? 'without a product'},`;
    return sentence(line, winner, differing(crm, vendor), note);
  });
  const more = note.lines.length - told.length;
  return more === 0
    ? told
    : [...told, `${wordsOf(field)}: ${counted(more, 'more line')} decided in the same way.`];
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

/** What the field of the child record holds. */
const MOST_FILLED_CHARACTERS = 4_000;

/**
 * What the vendor has filled in by itself where the CRM has nothing: the CRM's field and the value, one line each. Told beside the
 * opportunity, so that it is never taken for what its users entered. Null where there is none, or nothing is agreed yet.
 */
export function filledWords(base: Base | null): string | null {
  const lines = (base?.defaulted ?? []).flatMap((field) => {
    const value = base?.vendor[field];
    return isSet(base?.crm[field]) || !isSet(value)
      ? []
      : [`${crmFieldOf(field, base ?? {})}: ${filledValue(value)}`];
  });
  return lines.join('\n').slice(0, MOST_FILLED_CHARACTERS) || null;
}

type Value = Base['vendor'][FieldName];

function isSet(value: Value): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function filledValue(value: Value): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** How two values of one field are told beside each other in the CRM; never in a log, an id or a history. */

const MOST_CHARACTERS = 80;

/** Both in a few words; of lists that are too long for that, what only the one has. */
export function shownBeside(
  crm: unknown,
  vendor: unknown,
): { readonly crm: string; readonly vendor: string } {
  return { crm: shown(crm, vendor), vendor: shown(vendor, crm) };
}

function shown(value: unknown, other: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (!Array.isArray(value)) return quoted(wordOf(value));
  if (value.length === 0) return 'nothing';
  const whole = value.map(wordOf).join(', ');
  if (whole.length <= MOST_CHARACTERS) return `"${whole}"`;
  const others = new Set(listOf(other).map(wordOf));
  const own = value.map(wordOf).filter((word) => !others.has(word));
  if (own.length === 0) return `${value.length} entries`;
  return `${value.length} entries with ${quoted(own.join(', '))}`;
}

/** An offer line by its offer, amount and revenue type. */
function wordOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isLine(value)) return JSON.stringify(value);
  return [value.offerNameId, value.amount, value.revenueType].filter((cell) => cell !== null).join(' ');
}

function isLine(value: unknown): value is OfferLine {
  return typeof value === 'object' && value !== null && 'offerNameId' in value;
}

function quoted(text: string): string {
  return text.length <= MOST_CHARACTERS ? `"${text}"` : `"${text.slice(0, MOST_CHARACTERS)}…"`;
}
