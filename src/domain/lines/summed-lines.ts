import type { OfferLine } from '../record/canonical.ts';
import { spreadAmount, sumAmounts } from '../values/amount.ts';
import type { CrmLine } from './match-lines.ts';

/** A line as the vendor gets it, and the CRM's rows whose amounts it sums. */
export type SummedLine = { readonly line: OfferLine; readonly rows: readonly OfferLine[] };

/** A CRM row as a line. `isByRule`: a rule of the tenant says to which offer its product belongs. */
type ReadRow = { readonly line: OfferLine; readonly isByRule: boolean };

/**
 * The lines of a deal. Rows of one offer and revenue type are summed if a rule assigns their products to the offer; each other row is a
 * line of its own. A sum has the place of its first row and the lowest row id, so that a new row does not change the identity of the line.
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

/** The rows of a line after it got the values of `line`. Each row stays, and the amounts of the rows add up to that of the line. */
export function spreadOverRows(rows: readonly CrmLine[], line: OfferLine, currency: string): readonly CrmLine[] {
  const amounts = rows.map(({ amount }) => amount ?? '0');
  const sum = line.amount ?? '0';
  const shares = rows.length === 1 ? [sum] : spreadAmount(sum, amounts, currency);
  return rows.map(({ crmLineId }, at) => ({ ...line, crmLineId, amount: shares[at] ?? sum }));
}
