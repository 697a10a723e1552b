import { maybeReportedDigest } from '../decide/report.ts';
import type { Link } from '../record/link.ts';
import type { LinkChange } from './change.ts';

/**
 * A link that detaches without a stored report may have reported "In sync" in a request without an answer. Its digest then makes the next
 * report say that it is detached. A link in state `new` has reported nothing.
 */
export function maybeReported({ state, reported }: Link, change: LinkChange): LinkChange {
  const isSeparated = change.state === 'detached' && state !== 'detached' && state !== 'new';
  return isSeparated && reported === null && change.reported === undefined
    ? { reported: maybeReportedDigest(null) }
    : {};
}
