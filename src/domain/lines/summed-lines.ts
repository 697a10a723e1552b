import type { OfferLine } from '../record/canonical.ts';
import { spreadAmount, sumAmounts } from '../values/amount.ts';
import type { CrmLine } from './match-lines.ts';

/**
 * A line as the vendor gets it, and the CRM rows from which it is made. If there are several rows, the line's amount is the sum of theirs.
 */
export type SummedLine = { readonly line: OfferLine; readonly rows: readonly OfferLine[] };

/**
 * A Salesforce `OpportunityLineItem`, converted to Lockstep's `OfferLine`. `isByRule`: its offer (the vendor's product) comes from a rule
 * of the tenant about the CRM product.
 */
type ReadRow = { readonly line: OfferLine; readonly isByRule: boolean };

/**
 * The lines of a deal as the vendor gets them. A rule of the tenant may assign several products to one offer. All CRM rows with this offer
 * and an equal revenue type then become one line with the sum of their amounts. Every other row becomes a line of its own. A line from
 * several rows has the position of its first row and the lowest id of its rows. So it stays the same line when a row is added.
 */
export function summedLines(rows: readonly ReadRow[]): readonly SummedLine[] {
  const groups = new Map<string, OfferLine[]>();
  for (const [at, { line, isByRule }] of rows.entries()) {
    const key = JSON.stringify(isByRule ? [line.offerNameId, line.revenueType] : at);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    if (of.length === 1) return [{ line: first, rows: of }];
    const [crmLineId] = of.flatMap((row) => row.crmLineId ?? []).toSorted();
    const amount = sumAmounts(of.map((row) => row.amount));
    return [{ line: { ...first, amount, ...(crmLineId === undefined ? {} : { crmLineId }) }, rows: of }];
  });
}

/**
 * Spreads a merged line over the CRM rows from which it was made. A merged line represents several rows, and its amount is the sum of their
 * amounts. `line`: the merged line with its new values. Each row stays and gets the values of `line`, except the amount. The amounts of the
 * rows change in proportion, so that their sum is the amount of `line`.
 */
export function spreadOverRows(rows: readonly CrmLine[], line: OfferLine, currency: string): readonly CrmLine[] {
  const amounts = rows.map(({ amount }) => amount ?? '0');
  const sum = line.amount ?? '0';
  const shares = rows.length === 1 ? [sum] : spreadAmount(sum, amounts, currency);
  return rows.map(({ crmLineId }, at) => ({ ...line, crmLineId, amount: shares[at] ?? sum }));
}
