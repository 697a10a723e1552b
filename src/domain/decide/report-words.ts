import type { Base, Overruled } from '../record/base.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import { fieldWords } from '../record/field-labels.ts';
import type { Issue } from '../record/issue.ts';
import { crmFieldOf } from '../record/mapping-config.ts';
import { counted } from '../values/counted.ts';
import { listOf } from '../values/text.ts';

/**
 * Sentences about overruled values (edits that lost a conflict by rule), one for each: the field, both values, when each side was saved,
 * and the rule.
 */
export function overruledWords(base: Base | null): readonly string[] {
  return Object.entries(base?.overruled ?? {}).flatMap(([field, note]) => sentences(field, note));
}

/**
 * Sentences about fields in which an edit was overruled (lost a conflict by rule). They quote no value, because their readers may not be
 * allowed to see the field.
 */
export function overruledNotices(base: Base | null): readonly string[] {
  return Object.entries(base?.overruled ?? {}).flatMap(([field, note]) => {
    if (!('lines' in note)) return [sentence(wordsOf(field), note.winner, UNQUOTED, note)];
    return [...Map.groupBy(note.lines, ({ winner }) => winner)].map(([winner, lines]) =>
      sentence(`${wordsOf(field)}, ${counted(lines.length, 'line')},`, winner, UNQUOTED, note),
    );
  });
}

const UNQUOTED: Shown = { crm: 'the value', vendor: 'the value' };

/** One sentence for each conflict that waits for a user's choice: the field and both values. */
export function heldWords(base: Base | null): readonly string[] {
  return Object.entries(base?.held ?? {}).map(([field, { crm, vendor }]) => {
    const shown = shownBeside(crm, vendor);
    return `${wordsOf(field)}: ${shown.crm} in the CRM, ${shown.vendor} at the vendor.`;
  });
}

/** The texts in which the vendor or Salesforce explained a refusal, without duplicates. */
export function saidWords(issues: readonly Issue[]): readonly string[] {
  return [...new Set(issues.flatMap(({ said }) => said ?? []))];
}

const MOST_LINES = 5;

function sentences(field: string, note: Overruled): readonly string[] {
  if (!('lines' in note)) return [sentence(wordsOf(field), note.winner, shownBeside(note.crm, note.vendor), note)];
  const lines = note.lines.slice(0, MOST_LINES).map(({ winner, crm, vendor }) => {
    const line = `${wordsOf(field)}, line ${(crm ?? vendor)?.offerNameId ?? 'without a product'},`;
    return sentence(line, winner, differing(crm, vendor), note);
  });
  const more = note.lines.length - lines.length;
  return more === 0 ? lines : [...lines, `${wordsOf(field)}: ${counted(more, 'more line')} decided in the same way.`];
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

/**
 * The part of a message that says when a side was saved, such as ` (saved 2026-01-31 09:30:00 UTC)`. `stamp`: ISO; null if the time is
 * unknown, and the result is then empty.
 */
function savedAt(stamp: string | null): string {
  return stamp === null ? '' : ` (saved ${stamp.slice(0, 10)} ${stamp.slice(11, 19)} UTC)`;
}

/** The parts (amount, revenue type) in which a line differs between the sides, with each side's value. */
function differing(crm: OfferLine | null, vendor: OfferLine | null): Shown {
  const names = (['amount', 'revenueType'] as const).filter(
    (name) => crm === null || vendor === null || crm[name] !== vendor[name],
  );
  const shown = (line: OfferLine | null): string =>
    line === null ? 'no such line' : names.map((name) => `${name} ${line[name] ?? 'nothing'}`).join(', ');
  return { crm: shown(crm), vendor: shown(vendor) };
}

/** The length, in characters, of the field of the sync row (`Lockstep_Sync__c`) that shows which values the vendor filled in. */
const MOST_FILLED_CHARACTERS = 4_000;

/**
 * Text about fields that are empty in the CRM and that the vendor filled with a default: one line for each, with the CRM's field name and
 * the vendor's value. The sync row (`Lockstep_Sync__c`) shows the text, so that CRM users see which values no user entered. Null if there
 * are no such fields.
 */
export function filledWords(base: Base | null): string | null {
  const lines = (base?.defaulted ?? []).flatMap((field) => {
    const value = base?.vendor[field];
    return isSet(base?.crm[field]) || !isSet(value) ? [] : [`${crmFieldOf(field, base ?? {})}: ${filledValue(value)}`];
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

const MOST_CHARACTERS = 80;

/**
 * The values of both sides as short texts, to be shown beside each other in the CRM's sync row (`Lockstep_Sync__c`) only. If a list is
 * long, its text contains only the rows that the other side lacks.
 */
export function shownBeside(crm: unknown, vendor: unknown): { readonly crm: string; readonly vendor: string } {
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

/** A value in words: for a line its offer, amount and revenue type, for any other value its text. */
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

const MOST_CHARACTERS_OF_A_SIDE = 255;

/**
 * A value as text for a table with both sides; null if there is no value. The rows of a list are separated by commas. A text of more than
 * 255 characters is cut.
 */
export function textOfValue(value: unknown): string | null {
  const text = Array.isArray(value) ? value.map(wordOf).join(', ') : isBlank(value) ? '' : wordOf(value);
  if (text === '') return null;
  return text.length <= MOST_CHARACTERS_OF_A_SIDE ? text : `${text.slice(0, MOST_CHARACTERS_OF_A_SIDE - 1)}…`;
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined;
}
