import { dueReport, tellingMark, unsureMark } from '../decide/report.ts';
import { reportInput } from '../decide/report-input.ts';
import type { Link } from '../record/link.ts';
import type { LinkChange } from './change.ts';

/**
 * What users were told of a record that this makes untrue: it is known no more what they see, from now until they were told anew and that
 * was noted. A worker may die between the two, and the record be again by then as it was before.
 */
export function perhapsTold(link: Link, change: LinkChange): LinkChange {
  if (change.reported !== undefined) return {};
  if (link.reported === null) return isSeparated(link, change) ? { reported: unsureMark(null) } : {};
  if (!REPORTED_OF.some((part) => change[part] !== undefined)) return {};
  if (dueReport(reportInput(link)) !== null) return {};
  const due = dueReport(reportInput({ ...link, ...change, reported: link.reported }));
  return due === null
    ? {}
    : { telling: { over: link.reported, mark: tellingMark(link.reported, due.report) } };
}

/** What a report is made of that an outcome changes. */
const REPORTED_OF = ['state', 'issues', 'base', 'vendorObservation'] as const;

/**
 * The answer to the first report of a record may have been lost: its users may see "In sync", though nothing of that was noted. Where
 * the record is separated before it is told anew, it is due to be told so. One on which nothing was decided before was told nothing.
 */
function isSeparated({ state }: Link, change: LinkChange): boolean {
  return change.state === 'detached' && state !== 'detached' && state !== 'new';
}
