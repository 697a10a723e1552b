import type { LinePair } from '../record/base.ts';
import type { Observed, OfferLine } from '../record/canonical.ts';
import { amountKey } from '../values/amount.ts';

/** The positions of two matched items, each in its own list. */
export type Places = { readonly left: number; readonly right: number };

/** A rule that says whether an item of one list and an item of another list are the same item. It compares their values or positions. */
export type Rule<L, R> = (left: L, right: R, at: Places) => boolean;

/** Two items that a rule identified as the same. */
export type Match<L, R> = { readonly left: L; readonly right: R; readonly at: Places };

/**
 * Matches the items of two lists one to one, by rules from strict to loose. For each item of the left list, a rule takes the first item of
 * the right list that fits and is not matched yet.
 */
export function matchLines<L, R>(
  left: readonly L[],
  right: readonly R[],
  rules: readonly Rule<L, R>[],
): readonly Match<L, R>[] {
  const matches: Match<L, R>[] = [];
  const freeLeft = new Map(left.entries());
  const freeRight = new Map(right.entries());
  for (const rule of rules) {
    for (const [leftAt, item] of freeLeft) {
      for (const [rightAt, other] of freeRight) {
        const at = { left: leftAt, right: rightAt };
        if (!rule(item, other, at)) continue;
        matches.push({ left: item, right: other, at });
        freeLeft.delete(leftAt);
        freeRight.delete(rightAt);
        break;
      }
    }
  }
  return matches;
}

/**
 * The given rules, each of them twice: first restricted to pairs that also satisfy `hint`, then for all pairs. Pairs that satisfy `hint`
 * are thus preferred.
 */
export function preferring<L, R>(hint: Rule<L, R>, rules: readonly Rule<L, R>[]): readonly Rule<L, R>[] {
  return rules.flatMap((rule) => [(left, right, at) => hint(left, right, at) && rule(left, right, at), rule]);
}

/** The lines of a record (products of the deal with amounts); empty if the record does not show its list of lines. */
export function linesOf({ offerLines = [] }: Observed): readonly OfferLine[] {
  return offerLines;
}

/** Whether two lines have the same offer (vendor's product), amount and revenue type. An unset revenue type differs from a set one. */
export function sameLine(a: OfferLine, b: OfferLine): boolean {
  const other = lineCells(b);
  return lineCells(a).every((cell, index) => cell === other[index]);
}

/** A line's offer, amount and revenue type in a form that can be compared, so that `1.5` equals `1.50`. Unset values are null. */
export function lineCells(row: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { offerNameId, amount, revenueType } = row;
  return [offerNameId, typeof amount === 'string' ? amountKey(amount) : amount, revenueType].map(
    (cell) => cell || null,
  );
}

/** A line of the CRM. Its `crmLineId` (id of the OpportunityLineItem) is unique. */
export type CrmLine = OfferLine & { readonly crmLineId: string };

/**
 * A rule that says whether two lines are the same line. The lines come from two lists, for example an earlier and the present list of the
 * vendor.
 */
export type LineRule = Rule<OfferLine, OfferLine>;

/** A rule that says whether a CRM line and a line of another list, such as the vendor's list, are the same line. */
export type PairRule = Rule<CrmLine, OfferLine>;

export const sameOffer: LineRule = (one, other) => one.offerNameId === other.offerNameId;

/** Whether two lines have equal amounts. Two unset amounts do not match. */
export const sameAmount: LineRule = (one, other) => one.amount !== null && one.amount === other.amount;

/**
 * Whether two lines have equal offers (vendor's products) and amounts. Revenue types may differ, because the vendor has no code for many
 * CRM types.
 */
export const sameOfferAndAmount: LineRule = (one, other) =>
  one.offerNameId === other.offerNameId && one.amount === other.amount;

export const samePlace: LineRule = (_one, _other, at) => at.left === at.right;

/** A rule that pairs a CRM line with the line of the other list that contains the CRM line's id. */
export const sameId: PairRule = (crm, other) => crm.crmLineId === other.crmLineId;

/** A rule by which a CRM line and a vendor line are the same if `pairs` contains them as a pair. */
export function isAmong(pairs: readonly LinePair[]): PairRule {
  const key = (crmLineId: string, position: number): string => `${crmLineId} ${position}`;
  const keys = new Set(pairs.map((pair) => key(pair.crmLineId, pair.position)));
  return (crm, _other, at) => keys.has(key(crm.crmLineId, at.right));
}

export function crmLinesOf(lines: readonly OfferLine[]): readonly CrmLine[] {
  return lines.filter((line): line is CrmLine => line.crmLineId !== undefined);
}
