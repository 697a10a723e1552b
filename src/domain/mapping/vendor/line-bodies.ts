import type { OfferLine, Text } from '../../record/canonical.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { amountNumber, readAmount } from '../../values/amount.ts';
import { isRevenueCode, readRevenueType } from '../../values/revenue-type.ts';
import { readText } from '../../values/text.ts';
import type { ReadContext } from '../lens.ts';

/** Reads a row of the vendor's `offerLines` (sales spec 2.5). Undefined if the row is malformed, for example if its amount is no number. */
export function lineOfVendor(
  row: Readonly<Record<string, unknown>>,
  { currency, config }: ReadContext,
): OfferLine | undefined {
  const offerNameId = readText(row['offerNameId'] ?? null);
  const revenueType = readText(row['revenueType'] ?? null);
  const text = readText(row['amount'] ?? null);
  const amount = text === null ? null : (readAmount(text, currency) ?? undefined);
  if (offerNameId === undefined || revenueType === undefined || amount === undefined) return undefined;
  return { offerNameId, amount, revenueType: revenueType && readRevenueType(revenueType, config) };
}

export type LineBodies = {
  readonly body: readonly Readonly<Record<string, unknown>>[];
  /** The sent lines as a later read will show them. Each still has the id of its CRM line. */
  readonly sent: readonly OfferLine[];
  readonly issues: readonly Issue[];
};

/**
 * Converts lines to the vendor's form. If the vendor does not accept a line's revenue type as a code, the line is sent without its revenue
 * type. A type that the vendor's record already shows (`observed`) is always sent. The update replaces the whole list, so the vendor would
 * otherwise lose that type. A line that cannot be expressed in the vendor's form is left out with an issue.
 */
export function lineBodies(
  lines: readonly OfferLine[],
  config: MappingConfig,
  observed: ReadonlySet<Text>,
): LineBodies {
  const sent: OfferLine[] = [];
  const body: Readonly<Record<string, unknown>>[] = [];
  const issues: Issue[] = [];
  for (const { offerNameId, amount, revenueType: type, crmLineId } of lines) {
    const number = amount === null ? null : amountNumber(amount);
    if (offerNameId === null) issues.push(ISSUES.lineWithoutOffer());
    else if (amount !== null && number === null) issues.push(ISSUES.inexactAmount());
    else {
      const revenueType = type !== null && isRevenueCode(type, config, observed) ? type : null;
      sent.push({ offerNameId, amount, revenueType, ...(crmLineId === undefined ? {} : { crmLineId }) });
      body.push({
        offerNameId,
        ...(number === null ? {} : { amount: number }),
        ...(revenueType === null ? {} : { revenueType }),
      });
    }
  }
  return { body, sent, issues };
}
