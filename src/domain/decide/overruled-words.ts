import type { Base, Overruled } from '../record/base.ts';

/** A sentence for each value that lost by rule: the field, both values, when each side was saved, and the rule. */
export function overruledWords(base: Base | null): readonly string[] {
  return Object.entries(base?.overruled ?? {}).map(([field, note]) => sentence(field, note));
}

function sentence(field: string, note: Overruled): string {
  const crm = `${shown(note.crm)} in the CRM${savedAt(note.crmSavedAt)}`;
  const vendor = `${shown(note.vendor)} at the vendor${savedAt(note.vendorSavedAt)}`;
  const [stays, gone] = note.winner === 'crm' ? [crm, vendor] : [vendor, crm];
  return `Overruled: ${field} was changed on both sides. ${stays} stays, ${gone} does not (${note.rule}). Change it again if that is wrong.`;
}

/** To the second, as people read it. */
function savedAt(stamp: string | null): string {
  return stamp === null ? '' : ` (saved ${stamp.slice(0, 10)} ${stamp.slice(11, 19)} UTC)`;
}

const MOST_CHARACTERS = 80;

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (Array.isArray(value) && value.some((item) => typeof item === 'object'))
    return `${value.length} entries`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MOST_CHARACTERS ? `"${text}"` : `"${text.slice(0, MOST_CHARACTERS)}…"`;
}
