import type { Text } from '../../record/canonical.ts';
import type { Lens } from '../lens.ts';
import { scalar } from './scalar.ts';

/**
 * Translates a free text between the CRM and the vendor. A text counts as unchanged if the vendor or the CRM has only collapsed its white
 * space or shortened it.
 */
export const TEXT: Lens<Text> = { ...scalar(), normalised: isFoldedOrCut };

function isFoldedOrCut(given: Text, observed: Text): boolean {
  if (typeof given !== 'string') return false;
  const [full, kept] = [folded(given), folded(observed ?? '')];
  return kept === full || (kept.length >= SHORTEST_CUT && full.startsWith(kept));
}

/** The minimum length, in characters, of a text that counts as shortened by the CRM or the vendor. A shorter text may be a user's edit. */
const SHORTEST_CUT = 40;

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
