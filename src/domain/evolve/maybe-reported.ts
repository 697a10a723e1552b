import { NOTHING_KNOWN } from '../decide/reported.ts';
import type { Link } from '../record/link.ts';
import type { LinkChange } from './change.ts';

/**
 * For a link that stops being synced before its first report to CRM users was confirmed: the note that it is unknown what the users see.
 * The report may have reached them and shown "In sync", so the next report must say "Detached". Empty for other links.
 */
export function maybeReported({ state, reported }: Link, change: LinkChange): LinkChange {
  const isSeparated = change.state === 'detached' && state !== 'detached' && state !== 'new';
  return isSeparated && reported === null && change.reported === undefined ? { reported: NOTHING_KNOWN } : {};
}
