import type { Text } from '../../record/canonical.ts';
import type { Lens } from '../lens.ts';
import { scalar } from './scalar.ts';

/** Translates a free text both ways. It counts as the same text if a side has collapsed its white space or shortened it. */
export const TEXT: Lens<Text> = { ...scalar(), normalised: isFoldedOrCut };

function isFoldedOrCut(given: Text, observed: Text): boolean {
  if (typeof given !== 'string') return false;
  const [full, kept] = [folded(given), folded(observed ?? '')];
  return kept === full || (kept.length >= SHORTEST_CUT && full.startsWith(kept));
}

/** A text that a side shows shortened must have at least this many characters; a shorter one may be a user's edit. */
const SHORTEST_CUT = 40;

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
