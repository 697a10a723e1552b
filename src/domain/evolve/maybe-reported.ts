import { maybeReportedDigest } from '../decide/report.ts';
import type { Link } from '../record/link.ts';
import type { LinkChange } from './change.ts';

/**
 * The digest for a link that detaches without a stored report. An earlier report, whose answer was lost, may have shown "In sync", so the
 * next report must say "Detached". A link in state `new` has reported nothing.
 */
export function maybeReported({ state, reported }: Link, change: LinkChange): LinkChange {
  const isSeparated = change.state === 'detached' && state !== 'detached' && state !== 'new';
  return isSeparated && reported === null && change.reported === undefined
    ? { reported: maybeReportedDigest(null) }
    : {};
}
