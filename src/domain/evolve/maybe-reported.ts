import { NOTHING_KNOWN } from '../decide/reported.ts';
import type { Link } from '../record/link.ts';
import type { LinkChange } from './change.ts';

/**
 * Sets `reported` (what CRM users were last shown) for a link that is detached before its first report was confirmed. That first report may
 * have shown "In sync", so the next report must say "Detached". A link in state `new` has reported nothing.
 */
export function maybeReported({ state, reported }: Link, change: LinkChange): LinkChange {
  const isSeparated = change.state === 'detached' && state !== 'detached' && state !== 'new';
  return isSeparated && reported === null && change.reported === undefined ? { reported: NOTHING_KNOWN } : {};
}
