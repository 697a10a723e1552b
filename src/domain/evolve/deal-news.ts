import { ANSWER_NAMES, type DealNews } from '../record/deal-news.ts';
import type { Link } from '../record/link.ts';
import { isBefore } from '../record/versions.ts';
import type { LinkChange } from './change.ts';

/**
 * News for the opportunity's owner that a change of the link contains; null if it contains none. The first read of a deal is no news, so a
 * first load notifies no owner. A read that is older than the last known one is no news either.
 */
export function dealNews(link: Link, change: LinkChange): DealNews | null {
  const news = { ...answersIn(link, change), ...closingIn(link, change) };
  return Object.keys(news).length === 0 ? null : news;
}

function answersIn({ vendorObservation: was }: Link, { vendorObservation: is }: LinkChange): DealNews {
  if (was === null || is === undefined || was.vendorId !== is.vendorId) return {};
  if (isBefore(is.version, was.version)) return {};
  const changed = ANSWER_NAMES.flatMap((name) => {
    const [before, after] = [was.readOnly[name] ?? null, is.readOnly[name]];
    return after === undefined || after === before ? [] : [[name, { was: before, is: after }] as const];
  });
  return Object.fromEntries(changed);
}

function closingIn(link: Link, { state, vendorObservation }: LinkChange): DealNews {
  if (state !== 'closed-at-vendor' || link.state === state) return {};
  const status = (vendorObservation ?? link.vendorObservation)?.record.status ?? null;
  return { closing: { was: null, is: status } };
}
