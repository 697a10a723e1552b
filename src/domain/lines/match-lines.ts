import type { LinePair } from '../record/base.ts';
import type { Observed, OfferLine } from '../record/canonical.ts';
import { amountKey } from '../values/amount.ts';

/** Where two items stand, each in its own list. */
export type Places = { readonly left: number; readonly right: number };

/** Whether two items are one: by what they say, or by where they stand. */
export type Rule<L, R> = (left: L, right: R, at: Places) => boolean;

/** Two items that are one. */
export type Match<L, R> = { readonly left: L; readonly right: R; readonly at: Places };

/**
 * Which left item is which right one, one to one, in the order they were found. The rules come surest first: each
 * takes the left items that are still free, in order, and gives each the first free right one that it holds for.
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

/** Each of the rules twice: for items that the hint favours, then for any. */
export function preferring<L, R>(hint: Rule<L, R>, rules: readonly Rule<L, R>[]): readonly Rule<L, R>[] {
  return rules.flatMap((rule) => [(left, right, at) => hint(left, right, at) && rule(left, right, at), rule]);
}

/** The offer lines of a record, none where it does not show them. */
export function linesOf({ offerLines = [] }: Observed): readonly OfferLine[] {
  return offerLines;
}

/** Whether two offer lines say the same. A revenue type counts even where the other line has none. */
export function sameLine(a: OfferLine, b: OfferLine): boolean {
  const other = lineCells(b);
  return lineCells(a).every((cell, index) => cell === other[index]);
}

/** What a line says, one cell a value: offer, amount, revenue type. Values that mean the same are one; unset is null. */
export function lineCells(row: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { offerNameId, amount, revenueType } = row;
  return [offerNameId, typeof amount === 'string' ? amountKey(amount) : amount, revenueType].map(
    (cell) => cell || null,
  );
}

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
