import { maybeReportedDigest } from '../decide/report.ts';
import type { Link } from '../record/link.ts';
import type { LinkChange } from './change.ts';

/**
 * The answer to the first report of a record may have been lost: its users may see "In sync", though nothing of that was noted. Where
 * the record is separated before it is told anew, it is due to be told so. One on which nothing was decided before was told nothing.
 */
export function maybeReported({ state, reported }: Link, change: LinkChange): LinkChange {
  const isSeparated = change.state === 'detached' && state !== 'detached' && state !== 'new';
  return isSeparated && reported === null && change.reported === undefined
    ? { reported: maybeReportedDigest(null) }
    : {};
}
