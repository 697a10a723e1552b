import { ANSWER_NAMES, type DealNews } from '../record/deal-news.ts';
import type { Link } from '../record/link.ts';
import { type LinkWay, linkedByLines } from '../record/linked-by.ts';
import type { VendorObservation } from '../record/observation.ts';
import { isBefore } from '../record/versions.ts';
import type { LinkChange } from './change.ts';

/**
 * The news for the opportunity's owner in a change of the link (pair of CRM record and vendor record), such as the vendor's approval of the
 * deal; null if there is none. The first read of a deal is usually no news, so that a first load of all deals notifies no owner. It is news
 * if Lockstep registered the deal and the read shows that the vendor has already approved or rejected it. A read that is older than the
 * last read is no news.
 */
export function dealNews(link: Link, change: LinkChange): DealNews | null {
  const news = { ...answersIn(link, change), ...closingIn(link, change) };
  return Object.keys(news).length === 0 ? null : news;
}

function answersIn(link: Link, { vendorObservation: is, journal = [] }: LinkChange): DealNews {
  const { vendorObservation: was } = link;
  if (is === undefined) return {};
  if (was === null) {
    const way = (link.linkedBy ?? linkedByLines(journal))?.way;
    return way !== undefined && REGISTERED.has(way) && isDecided(is) ? changedAnswers({}, is) : {};
  }
  if (was.vendorId !== is.vendorId || isBefore(is.version, was.version)) return {};
  return changedAnswers(was.readOnly, is);
}

/**
 * The ways in which a link (pair of CRM record and vendor record) can have been made if Lockstep itself registered its deal at the vendor.
 */
const REGISTERED: ReadonlySet<LinkWay> = new Set(['created-at-vendor', 'own-create']);

/**
 * Whether the vendor has approved or rejected the deal. The vendor's documents list no values; a value that contains PEND counts as "not
 * decided yet".
 */
function isDecided({ readOnly: { approvalStatus } }: VendorObservation): boolean {
  return typeof approvalStatus === 'string' && !/PEND/i.test(approvalStatus);
}

function changedAnswers(was: VendorObservation['readOnly'], { readOnly: is }: VendorObservation): DealNews {
  const changed = ANSWER_NAMES.flatMap((name) => {
    const [before, after] = [was[name] ?? null, is[name]];
    return after === undefined || after === before ? [] : [[name, { was: before, is: after }] as const];
  });
  return Object.fromEntries(changed);
}

function closingIn(link: Link, { state, vendorObservation }: LinkChange): DealNews {
  if (state !== 'closed-at-vendor' || link.state === state) return {};
  const status = (vendorObservation ?? link.vendorObservation)?.record.status ?? null;
  return { closing: { was: null, is: status } };
}
