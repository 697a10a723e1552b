import type { LinePair } from '../record/base.ts';
import type { OfferLine } from '../record/canonical.ts';
import type { Rule } from './match-lines.ts';

/** A line that the CRM holds. Its id is its own: no two have one. */
export type CrmLine = OfferLine & { readonly crmLineId: string };

/** Tells lines of two lists that are one. */
export type LineRule = Rule<OfferLine, OfferLine>;

/** Tells which line of a list is one of the CRM's. */
export type PairRule = Rule<CrmLine, OfferLine>;

export const sameOffer: LineRule = (one, other) => one.offerNameId === other.offerNameId;

/** Two lines without an amount have none in common. */
export const sameAmount: LineRule = (one, other) => one.amount !== null && one.amount === other.amount;

/** What both sides show of a line alike: the vendor has no code for many a revenue type of the CRM. */
export const sameOfferAndAmount: LineRule = (one, other) =>
  one.offerNameId === other.offerNameId && one.amount === other.amount;

export const samePlace: LineRule = (_one, _other, at) => at.left === at.right;

/** The other line names the CRM's. */
export const sameId: PairRule = (crm, other) => crm.crmLineId === other.crmLineId;

/** The two are one of these pairs. */
export function isAmong(pairs: readonly LinePair[]): PairRule {
  const key = (crmLineId: string, position: number): string => `${crmLineId} ${position}`;
  const keys = new Set(pairs.map((pair) => key(pair.crmLineId, pair.position)));
  return (crm, _other, at) => keys.has(key(crm.crmLineId, at.right));
}

/** The lines that have an id of the CRM. */
export function crmLinesOf(lines: readonly OfferLine[]): readonly CrmLine[] {
  return lines.filter((line): line is CrmLine => line.crmLineId !== undefined);
}
