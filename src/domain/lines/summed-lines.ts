import type { OfferLine } from '../record/canonical.ts';
import { spreadAmount, sumAmounts } from '../values/amount.ts';
import type { CrmLine } from './match-lines.ts';

/** A line as the vendor gets it, and the CRM rows whose amounts it sums. */
export type SummedLine = { readonly line: OfferLine; readonly rows: readonly OfferLine[] };

/** A CRM row read as a line. `isByRule`: its offer comes from a rule of the tenant about the product. */
type ReadRow = { readonly line: OfferLine; readonly isByRule: boolean };

/**
 * The lines of a deal as the vendor gets them. If a rule of the tenant assigns products to an offer, all rows with that offer and one
 * revenue type are summed into one line; every other row is a line of its own. A summed line has the position of its first row and the
 * lowest id of its rows, so that it stays the same line when a row is added.
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

/** The CRM rows of a summed line after the line got the values of `line`. All rows stay, and their amounts add up to the line's amount. */
export function spreadOverRows(rows: readonly CrmLine[], line: OfferLine, currency: string): readonly CrmLine[] {
  const amounts = rows.map(({ amount }) => amount ?? '0');
  const sum = line.amount ?? '0';
  const shares = rows.length === 1 ? [sum] : spreadAmount(sum, amounts, currency);
  return rows.map(({ crmLineId }, at) => ({ ...line, crmLineId, amount: shares[at] ?? sum }));
}
