import type { OfferLine } from '../record/canonical.ts';
import { listOf } from '../values/text.ts';

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
